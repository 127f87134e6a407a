import { expect, it } from 'vitest';
import { matchesWordStarts, typedWords } from './text-matching.ts';

const finds = (text: string, typed: string) => matchesWordStarts(text, typedWords(typed));

it.each([
  ['Ibrahim Al-Sayed', 'Ibrahim Al-Sayed'],
  ['Ibrahim Al-Sayed', 'sayed ib'],
  ['Ford F-150 (XLT)', 'f-1'],
  ['Ford F-150 (XLT)', '(xl'],
  ['Jürgen Groß', 'gross jurg'],
  ["Sean O'Neil", 'o’neil'],
  ['Bo Li', ''],
  ['Bo Li', ' - '],
])('%s is found by %o', (text, typed) => {
  expect(finds(text, typed)).toBe(true);
});

it.each([
  ['Ibrahim Al-Sayed', 'al-zayed'],
  ['Ibrahim Al-Sayed', 'alsayed'],
  ['Bo Li', 'bo lo'],
])('%s is not found by %o', (text, typed) => {
  expect(finds(text, typed)).toBe(false);
});
