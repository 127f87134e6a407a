import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { changeLanguage, i18n, isLanguage, languages } from './i18n.ts';

/** 'login.title' -> its text, for every text. */
function flat(words: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, string][] =>
      typeof value === 'object' && value !== null
        ? [...flat(value, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, String(value)]],
    ),
  );
}

const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();

test.each([
  ['German', de],
  ['Spanish', es],
])('%s has the same keys as English, none empty, with the same placeholders', (_, words) => {
  const english = flat(en);
  const other = flat(words);
  expect([...other.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  for (const [key, text] of english) {
    const translated = other.get(key) ?? '';
    expect(translated.trim(), key).not.toBe('');
    expect(placeholders(translated), key).toEqual(placeholders(text));
  }
});

test('the page says which language it is in, and remembers the choice', async () => {
  for (const language of Object.keys(languages).filter(isLanguage)) {
    await changeLanguage(language);
    expect(document.documentElement.lang).toBe(language);
    expect(localStorage.getItem('dispatch.language')).toBe(language);
  }
  await changeLanguage('en');
  expect(i18n.t('login.submit')).toBe('Sign in');
});
