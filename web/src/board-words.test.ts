// The boards are a program of their own, with texts of their own.
import { expect, test } from 'vitest';
import { categoryNames } from './board-display/categories.ts';
import { setLanguage, texts } from './board-display/texts.ts';
import { de } from './i18n/de.ts';
import { dialogsDe } from './i18n/dialogs.de.ts';
import { dialogsEn } from './i18n/dialogs.en.ts';
import { dialogsEs } from './i18n/dialogs.es.ts';
import { en } from './i18n/en.ts';
import { es } from './i18n/es.ts';
import { capitalised } from './i18n/sentence-case.ts';

const dialogs = { en: dialogsEn, de: dialogsDe, es: dialogsEs };

test.each(['en', 'de', 'es'] as const)('a board in %s names the statuses as the desk does', (language) => {
  const desk = { en, de, es }[language].status;
  for (const [status, name] of Object.entries(categoryNames(language))) {
    expect(name).toBe(Object.entries(desk).find(([of]) => of === status)?.[1]);
  }
});

test.each(['en', 'de', 'es'] as const)(
  'a board in %s says who is off the clock as the page does',
  (language) => {
    setLanguage(language);
    expect(texts.offTheClock).toBe(capitalised(dialogs[language].technicianState.off, language));
  },
);
