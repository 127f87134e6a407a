import { expect, test } from 'vitest';
import { formattingLocale } from './locale.ts';

test.each([
  ['en', ['en-US', 'en'], 'en-US'],
  ['en', ['de-DE', 'en-GB'], 'en-GB'],
  ['es', ['en-US', 'en'], 'es-US'],
  ['es', ['en-US', 'es-MX'], 'es-MX'],
  ['de', ['de'], 'de'],
  ['de', ['de', 'de-AT'], 'de-AT'],
  ['en', ['zh-Hant-TW'], 'en-TW'],
  ['en', ['C', 'de_DE'], 'en'],
  ['en', [], 'en'],
])('a page in %s in a browser of %j is formatted as %s', (language, preferred, locale) => {
  expect(formattingLocale(language, preferred)).toBe(locale);
});
