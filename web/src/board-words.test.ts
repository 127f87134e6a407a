// The boards are a program of their own, with texts of their own.
import { expect, test } from 'vitest';
import { categoryNames } from './board-display/categories.ts';
import { de } from './i18n/de.ts';
import { en } from './i18n/en.ts';
import { es } from './i18n/es.ts';

test.each(['en', 'de', 'es'] as const)('a board in %s names the statuses as the desk does', (language) => {
  const desk = { en, de, es }[language].status;
  for (const [status, name] of Object.entries(categoryNames(language))) {
    expect(name).toBe(Object.entries(desk).find(([of]) => of === status)?.[1]);
  }
});
