// The notices of what the product is made of, which the page shows under *About*.
//
//   node supply-chain/notices.mjs          writes them, from the sources of crates and packages
//   node supply-chain/notices.mjs --check  fails where they are not of what the lock files name
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameAndVersion, pagePackages, ROOT, serverCrates } from './components.mjs';
import { copiedParts } from './copied-parts.mjs';
import { sameAs, split, textsOf } from './licence-texts.mjs';

const FILE = join(ROOT, 'web/public/third-party-notices.txt');
const RULE = '='.repeat(80);

const INTRODUCTION = `Dispatch is made of its own code and of the parts that are listed here, each under its own
license. Their texts are below, each once, with the parts that come under it. Of a part that
may be taken under several licenses, the text is here of the one under which it is taken.`;

const isFont = ({ name }) => name.startsWith('@fontsource');

function sections() {
  const packages = pagePackages();
  return [
    ['Crates of the server', serverCrates()],
    ['Packages of the page', packages.filter((one) => !isFont(one))],
    ['Fonts', packages.filter(isFont)],
    ['Other parts', copiedParts()],
  ];
}

const section = (title, body) => `${RULE}\n${title}\n${RULE}\n\n${body}\n`;

const list = (components) =>
  components.map((one) => `${nameAndVersion(one).padEnd(48)}  ${one.licence}`).join('\n');

/** Each text once: which licence it is, and what comes under it, with whose it says that it is. */
function texts(components) {
  const found = new Map();
  for (const component of components) {
    for (const { licence, text } of textsOf(component)) {
      const { copyright, text: body } = split(text);
      const key = sameAs(body);
      const group = found.get(key) ?? { licence, body, of: [] };
      found.set(key, group);
      group.of.push({ component, copyright });
    }
  }
  const byUse = (one, other) => other.of.length - one.of.length;
  return [...found.values()].toSorted(byUse);
}

function licenceText({ licence, body, of }) {
  const title = licence === 'NOTICE' ? 'Notice' : licence;
  return section(title, `${holders(of)}\n\n${body}`);
}

/** What comes under a text: those of the same people together. */
function holders(of) {
  const byCopyright = new Map();
  for (const { component, copyright } of of) {
    const key = copyright.join('\n');
    byCopyright.set(key, [...(byCopyright.get(key) ?? []), nameAndVersion(component)]);
  }
  const entries = [...byCopyright].map(([copyright, names]) => {
    const line = wrapped(names.join(', '));
    return copyright === '' ? line : `${line}\n${copyright.replaceAll(/^/gm, '    ')}`;
  });
  return entries.join('\n');
}

function wrapped(text, width = 90) {
  const lines = [''];
  for (const word of text.split(/(?<=,) /)) {
    const line = lines.at(-1);
    if (line !== '' && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function written() {
  const all = sections();
  const components = all.flatMap(([, list]) => list);
  return [
    `Third-party notices\n\n${INTRODUCTION}\n`,
    ...all.map(([title, some]) => section(title, list(some))),
    ...texts(components).map(licenceText),
  ].join('\n');
}

/** The components that a file lists: 'name version' in each line of its first sections. */
function listed(text, titles) {
  return titles.flatMap((title) => {
    const [, body = ''] = text.split(`${RULE}\n${title}\n${RULE}\n`);
    const [lines] = body.split(RULE);
    return [...lines.matchAll(/^(\S+ \S+) {2,}\S/gm)].map(([, one]) => one);
  });
}

/** What the lock files name and a file does not, and the other way round. */
export function differences(text, expected) {
  const names = new Set(expected.flatMap(([, components]) => components.map(nameAndVersion)));
  const found = new Set(
    listed(
      text,
      expected.map(([title]) => title),
    ),
  );
  return [
    ...[...names].filter((one) => !found.has(one)).map((one) => `${one} is missing`),
    ...[...found].filter((one) => !names.has(one)).map((one) => `${one} is not a part any more`),
  ];
}

function check() {
  const wrong = differences(readFileSync(FILE, 'utf8'), sections());
  if (wrong.length === 0) return;
  console.error(
    `web/public/third-party-notices.txt is out of date: run make notices\n  ${wrong.join('\n  ')}`,
  );
  process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) check();
  else writeFileSync(FILE, written());
}
