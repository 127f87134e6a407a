// What no class of the page may ask. Whether an element is the first or the last of its parent changes when anything
// comes beside it; a rule that decides by that about whatever is inside has the browser style all of it anew, which on
// the desk was the whole table with each search. About what is inside, `[tr:last-child>&]:…` on it says the same.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = import.meta.dirname;

const PLACES = 'first|last|only|odd|even|nth-[^:]*|not-first|not-last';
const DECIDES_INSIDE = new RegExp(
  String.raw`\b(?:group|peer)-(?:${PLACES}):|\b(?:${PLACES}):\*{1,2}:|\b(?:${PLACES}):\[&[_>]`,
);

test('no class asks for the place of an element to decide about all that is inside', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((file) => DECIDES_INSIDE.test(readFileSync(join(SRC, file), 'utf8')));
  expect(found).toEqual([]);
});

test.each(['group-last:border-b-0', 'last:*:mr-3', 'first:[&>td]:p-0'])('%s is found', (name) => {
  expect(DECIDES_INSIDE.test(`className="flex ${name}"`)).toBe(true);
});
