// The texts of the screens besides login and desk load with the first of these screens, and those of what the desk opens
// with that: nothing else may use them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { dialogsEn } from './i18n/dialogs.en.ts';
import { en } from './i18n/en.ts';
import { screensEn } from './i18n/screens.en.ts';

const SRC = import.meta.dirname;
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;
/** What loads together with the texts. */
const SCREENS = /(?:withTexts|laterScreen)\(\s*async[^;]+;/g;
const DIALOGS = /import\('[^']+'\),\s*loadTexts\(dialogTexts\)/g;

/** Its code without the imports of types and of what loads together with the texts. */
function codeOf(file: string, apart: RegExp): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/import type [^;]+;/g, '')
    .replaceAll(apart, '');
}

function filesWithoutTexts(apart: RegExp): string[] {
  const found = new Set([join(SRC, 'main.tsx')]);
  for (const file of found) {
    for (const [, path = ''] of codeOf(file, apart).matchAll(IMPORT)) {
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

test('no text loads twice', () => {
  const all = [en, screensEn, dialogsEn].flatMap((texts) => keysOf(texts));
  expect(all.filter((key, place) => all.indexOf(key) !== place)).toEqual([]);
});

test.each([
  ['screens', SCREENS, keysOf(screensEn), 'users/users-screen.tsx'],
  ['dialogs', DIALOGS, keysOf(dialogsEn), 'views/views-sheet.tsx'],
])('what renders without the texts of the %s uses none of them', (_, apart, later, user) => {
  const files = filesWithoutTexts(apart).map((file) => relative(SRC, file));
  expect(files).toContain('dashboard/dashboard.tsx');
  expect(files).not.toContain(user);
  const wrong = files.flatMap((file) =>
    // A key may go on with what is only known at run time.
    [...codeOf(join(SRC, file), apart).matchAll(/['`]((?:[\w-]+\.)+[\w-]*)/g)]
      .map(([, key = '']) => key)
      .filter((key) => later.some((one) => one.startsWith(key)) && !atOnce.some((one) => one.startsWith(key)))
      .map((key) => `${file}: ${key}`),
  );
  expect(wrong).toEqual([]);
});
