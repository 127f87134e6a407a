// The texts of the screens besides login and desk load with the first of these screens: nothing else may use them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { en } from './i18n/en.ts';
import { screensEn } from './i18n/screens.en.ts';

const SRC = import.meta.dirname;
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;

/** Its code without the imports of what loads together with the texts. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/withTexts\(\s*async[^;]+;/g, '');
}

function filesWithoutTexts(): string[] {
  const found = new Set([join(SRC, 'main.tsx')]);
  for (const file of found) {
    for (const [, path = ''] of codeOf(file).matchAll(IMPORT)) {
      const imported = join(dirname(file), path);
      if (!imported.includes('/i18n/') && existsSync(imported)) found.add(imported);
    }
  }
  return [...found];
}

function keysOf(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [prefix + key],
  );
}

const atOnce = keysOf(en);
const later = keysOf(screensEn);

test('no text loads twice', () => {
  expect(later.filter((key) => atOnce.includes(key))).toEqual([]);
});

test('what renders without the texts of the screens uses none of them', () => {
  const files = filesWithoutTexts().map((file) => relative(SRC, file));
  expect(files).toContain('dashboard/dashboard.tsx');
  expect(files).not.toContain('users/users-screen.tsx');
  const wrong = files.flatMap((file) =>
    // A key may go on with what is only known at run time.
    [...codeOf(join(SRC, file)).matchAll(/['`]((?:[\w-]+\.)+[\w-]*)/g)]
      .map(([, key = '']) => key)
      .filter((key) => later.some((one) => one.startsWith(key)) && !atOnce.some((one) => one.startsWith(key)))
      .map((key) => `${file}: ${key}`),
  );
  expect(wrong).toEqual([]);
});
