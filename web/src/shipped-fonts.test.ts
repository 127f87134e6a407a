// Whether the fonts that are shipped can draw the demo's names, by their own character tables. Each is a part of Inter:
// the browser loads the parts whose `unicode-range` has a letter of the page, and what none has the system draws.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const SRC = import.meta.dirname;
const MODULES = join(SRC, '../node_modules');
const SAMPLE_SHOP = join(SRC, '../../actors/src/sample_shop');

interface Face {
  family: string;
  file: string;
  /** What the style sheet says that it has: first and last of each range. */
  ranges: [number, number][];
  /** What it has. */
  characters: ReadonlySet<number>;
}

/** The places of the known tables' names in a WOFF2 directory that are asked for here; the others are no matter. */
const [CMAP, GLYF, LOCA, OTHER_NAME] = [0, 10, 11, 63];

/** The font's `cmap` table: https://www.w3.org/TR/WOFF2/ */
function cmapOf(font: Buffer): Buffer {
  if (font.toString('latin1', 0, 4) !== 'wOF2') throw new Error('This is no WOFF2.');
  let at = 48;
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = font.readUInt8(at++);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  let [place, cmap] = [0, [0, 0]];
  for (let left = font.readUInt16BE(12); left > 0; left--) {
    const flags = font.readUInt8(at++);
    const [name, version] = [flags & 0x3f, flags >> 6];
    if (name === OTHER_NAME) at += 4;
    const size = number();
    const isTransformed = name === GLYF || name === LOCA ? version !== 3 : version !== 0;
    const stored = isTransformed ? number() : size;
    if (name === CMAP) cmap = [place, place + stored];
    place += stored;
  }
  const tables = brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20)));
  return tables.subarray(...cmap);
}

/** The characters that have a glyph: https://learn.microsoft.com/typography/opentype/spec/cmap */
function charactersOf(font: Buffer): Set<number> {
  const cmap = cmapOf(font);
  const characters = new Set<number>();
  for (let record = 0; record < cmap.readUInt16BE(2); record++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + record * 8 + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) readSegments(table, characters);
    else if (format === 12) readGroups(table, characters);
  }
  return characters;
}

/** Format 4: runs of the first 65,536 characters. */
function readSegments(table: Buffer, into: Set<number>): void {
  const bytes = table.readUInt16BE(6);
  for (let at = 0; at < bytes; at += 2) {
    const end = table.readUInt16BE(14 + at);
    const start = table.readUInt16BE(16 + bytes + at);
    const delta = table.readUInt16BE(16 + bytes * 2 + at);
    const rangeAt = 16 + bytes * 3 + at;
    const range = table.readUInt16BE(rangeAt);
    for (let character = start; character <= end && character < 0xffff; character++) {
      const listed = range === 0 ? character : table.readUInt16BE(rangeAt + range + (character - start) * 2);
      if (listed !== 0 && ((listed + delta) & 0xffff) !== 0) into.add(character);
    }
  }
}

/** Format 12: runs of all characters. */
function readGroups(table: Buffer, into: Set<number>): void {
  for (let group = 0; group < table.readUInt32BE(12); group++) {
    const at = 16 + group * 12;
    const [start, end, glyph] = [
      table.readUInt32BE(at),
      table.readUInt32BE(at + 4),
      table.readUInt32BE(at + 8),
    ];
    for (let character = start; character <= end; character++)
      if (glyph + character - start !== 0) into.add(character);
  }
}

/** The style sheet, and those of packages that it imports. */
function styles(file: string): { file: string; css: string }[] {
  const css = readFileSync(file, 'utf8');
  const imported = [...css.matchAll(/@import "(@fontsource[^"]+)"/g)].map(([, name]) =>
    join(MODULES, name ?? ''),
  );
  return [...imported.flatMap(styles), { file, css }];
}

function facesOf(sheet: string): Face[] {
  return styles(join(SRC, sheet)).flatMap(({ file, css }) =>
    [...css.matchAll(/@font-face\s*\{([^}]+)\}/g)].map(([, rules = '']) => {
      const family = /font-family:\s*["']([^"']+)/.exec(rules)?.[1] ?? '';
      const [, url = ''] = /url\(["']?([^"')]+\.woff2)/.exec(rules) ?? [];
      const [, said = 'U+0-10FFFF'] = /unicode-range:\s*([^;]+)/.exec(rules) ?? [];
      const ranges = [...said.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(
        ([, first = '', last = first]): [number, number] => [
          Number.parseInt(first, 16),
          Number.parseInt(last, 16),
        ],
      );
      const font = join(dirname(file), url);
      return { family, file: font, ranges, characters: charactersOf(readFileSync(font)) };
    }),
  );
}

const interFaces = (sheet: string) => facesOf(sheet).filter(({ family }) => family.startsWith('Inter'));

const has = ({ ranges, characters }: Face, character: number) =>
  characters.has(character) && ranges.some(([first, last]) => first <= character && character <= last);

/** The letters that no face draws. */
const missing = (faces: readonly Face[], text: string) =>
  [...new Set(text)].filter((letter) => !faces.some((face) => has(face, letter.codePointAt(0) ?? 0)));

/** Rust's literals; a backslash at a line's end joins it with the next. */
const literals = (source: string) =>
  [...source.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, text = '']) => text.replaceAll(/\\\n\s*/g, ''));
const constant = (source: string, name: string) =>
  new RegExp(String.raw`const ${name}\b[\s\S]*?= &?\[([\s\S]*?)\];`).exec(source)?.[1] ?? '';

/** Every name that an order or a person of the demo may have, also in the capitals of a dealer's terminal. */
function demoNames(): string[] {
  const [customers, people] = ['names.rs', 'technicians.rs'].map((file) =>
    readFileSync(join(SAMPLE_SHOP, file), 'utf8'),
  ) as [string, string];
  const latin = constant(people, 'LATIN_NAMES');
  const replaced = [...latin.matchAll(/\((\d+),/g)].map(([, id]) => id);
  const technicians = constant(people, 'TECHNICIANS')
    .split('\n')
    .filter((line) => replaced.every((id) => !line.includes(`(${id},`)));
  const names = [
    ...['LONG_NAME', 'CERTAIN_NAMES', 'FIRST', 'LAST', 'COMPANIES', 'OTHER_LETTERS'].flatMap((name) =>
      literals(
        name === 'LONG_NAME' ? (/LONG_NAME[\s\S]*?;/.exec(customers)?.[0] ?? '') : constant(customers, name),
      ),
    ),
    ...literals(constant(people, 'ADVISORS')),
    ...literals(technicians.join('\n')),
    ...literals(latin),
  ];
  return [...names, ...names.map((name) => name.toLocaleUpperCase('en'))];
}

test('the character tables of the fonts are read', () => {
  const faces = interFaces('styles.css');
  const of = (part: string) => faces.find(({ file }) => file.includes(`inter-${part}-wght`))?.characters;
  for (const letter of 'Aß–') expect(of('latin')).toContain(letter.codePointAt(0));
  expect(of('latin')).not.toContain('Ж'.codePointAt(0));
  expect(of('cyrillic')).toContain('Ж'.codePointAt(0));
  expect(of('vietnamese')).toContain('ạ'.codePointAt(0));
});

describe.each(['styles.css', 'board-display/board.css'])('the fonts of %s', (sheet) => {
  const faces = interFaces(sheet);

  test('have every letter of the demo’s names, in all its scripts', () => {
    const names = demoNames();
    expect(names.length).toBeGreaterThan(400);
    for (const script of ['Latin', 'Cyrillic', 'Greek'])
      expect(names.join('')).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    expect(names.join('')).toMatch(/[ạăđễ]/);
    expect(names.filter((name) => missing(faces, name).length > 0)).toEqual([]);
  });

  test.each(['प्रिया शर्मा', '王小明', '김민준', 'محمد عبد الله', 'דוד לוי'])(
    'leave %s to the system',
    (name) => {
      const letters = name.replaceAll(/\P{L}/gu, '');
      expect(missing(faces, letters)).toEqual([...new Set(letters)]);
    },
  );

  test('are followed by a family of the system in every list of families', () => {
    const own =
      styles(join(SRC, sheet))
        .at(-1)
        ?.css.replaceAll(/@font-face\s*\{[^}]+\}/g, '') ?? '';
    const lists = [...own.matchAll(/(?:font-family|--font-[a-z]+):\s*([^;]+);/g)]
      .map(([, list = '']) => list.trim())
      .filter((list) => !/^(var\(--font-[a-z]+\)|inherit)$/.test(list));
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toMatch(/, (sans-serif|monospace)$/);
    expect(lists.filter((list) => list.includes('Inter'))).not.toEqual([]);
  });
});
