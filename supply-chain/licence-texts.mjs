// The texts that a component must be passed on with, from its own folder, and how texts are told apart.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './components.mjs';
import { mitOf } from './copied-parts.mjs';
import { licencesIn, takenUnder } from './spdx.mjs';

const LICENCE_FILE = /^(licen[cs]es?|copying|unlicense|ofl)([-_.].*)?$/i;
const NOTICE_FILE = /^(notice|copyright)([-_.].*)?$/i;

/**
 * The texts of the licences that a component is taken under, and its notices.
 * @param {import('./components.mjs').Component} component
 * @returns {{ licence: string, text: string }[]}
 */
export function textsOf(component) {
  if (component.texts !== undefined) return component.texts;
  const files = filesIn(component.folder);
  const licences = files.filter(({ name }) => LICENCE_FILE.test(name));
  const notices = files.filter(({ name }) => NOTICE_FILE.test(name));
  const taken = takenUnder(component.licence);
  const texts = taken.flatMap((licence) => textsOfLicence(licence, licences, component));
  return [...texts, ...notices.map(({ text }) => ({ licence: 'NOTICE', text }))];
}

function textsOfLicence(licence, files, component) {
  const [base] = licence.split(' WITH ');
  const found = files.filter(({ text }) => licencesIn(text).includes(base));
  // A text that holds nothing else is the better one.
  const alone = found.filter(({ text }) => licencesIn(text).length === 1);
  const [file] = [...alone, ...found];
  if (file !== undefined) return [{ licence, text: file.text }];
  return [{ licence, text: standardText(base, component) }];
}

/** Some packages name their licence and have no text of it. */
function standardText(licence, { name, version, authors = [] }) {
  const who = authors.map((one) => (typeof one === 'string' ? one : one?.name)).filter(Boolean);
  const holders = who.length === 0 ? `the authors of ${name}` : who.join(', ').replaceAll(/ <[^>]*>/g, '');
  if (licence === 'MIT') return mitOf(`Copyright (c) ${holders}`);
  if (licence === 'Apache-2.0') return readFileSync(join(ROOT, 'LICENSE-APACHE'), 'utf8');
  throw new Error(`${name} ${version} has no text of its licence ${licence}`);
}

function filesIn(folder) {
  const names = readdirSync(folder).toSorted();
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (!LICENCE_FILE.test(name) && !NOTICE_FILE.test(name)) return [];
    if (statSync(path).isDirectory()) return filesOf(path);
    return [{ name, text: readFileSync(path, 'utf8') }];
  });
}

/** A folder of licences, whatever its files are called. */
function filesOf(folder) {
  const names = readdirSync(folder).toSorted();
  return names.map((name) => ({ name: `LICENSE-${name}`, text: readFileSync(join(folder, name), 'utf8') }));
}

/** A text without what differs between copies of it: white space, and quotation marks. */
export const sameAs = (text) =>
  text
    .replaceAll(/[“”'‘’`"]+/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();

const COPYRIGHT = /^\s*(?:(?:Portions )?Copyright\b|©|\(c\)|All rights reserved)/i;
const TEMPLATE = /\[yyyy\]|\{yyyy\}|<year>/;
const HEADING = /^\s*#*\s*(the )?(mit|isc|bsd[ \w-]*|expat)( license)?( \((mit|isc)\))?:?\s*$/i;

/**
 * The lines that say whose it is, and the rest, which many share. A text that has such lines where they cannot be
 * told from the rest stays whole.
 */
export function split(text) {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => line.trimEnd());
  const start = lines.findIndex((line) => line !== '' && !HEADING.test(line));
  const body = lines.slice(Math.max(start, 0));
  const end = body.findIndex((line) => line !== '' && !COPYRIGHT.test(line));
  const head = body.slice(0, end).filter((line) => line !== '');
  const rest = body.slice(end);
  // A name that goes on in the next line would be torn apart.
  const isTorn = end > 0 && body[end - 1] !== '' && !/^\s*(Permission|Redistribution|Licensed)/.test(rest[0]);
  if (end <= 0 || isTorn || head.some((line) => TEMPLATE.test(line)))
    return { copyright: [], text: trimmed(lines) };
  return { copyright: head.map((line) => line.trim()), text: trimmed(rest) };
}

const trimmed = (lines) =>
  lines
    .join('\n')
    .replaceAll(/^\n+|\s+$/g, '')
    .replaceAll(/\n{3,}/g, '\n\n');
