import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { errorStatuses } from '../api/rules.ts';
import { de } from './de.ts';
import { dialogsDe } from './dialogs.de.ts';
import { dialogsEn } from './dialogs.en.ts';
import { dialogsEs } from './dialogs.es.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { changeLanguage, i18n, isLanguage, languages, loadTexts } from './i18n.ts';
import { paletteDe } from './palette.de.ts';
import { paletteEn } from './palette.en.ts';
import { paletteEs } from './palette.es.ts';
import { screensDe } from './screens.de.ts';
import { screensEn } from './screens.en.ts';
import { screensEs } from './screens.es.ts';
import { screenTexts } from './screens.ts';
import { stagesDe } from './stages.de.ts';
import { stagesEn } from './stages.en.ts';
import { stagesEs } from './stages.es.ts';
import { storyDe } from './story.de.ts';
import { storyEn } from './story.en.ts';
import { storyEs } from './story.es.ts';
import { storyTexts } from './story.ts';

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
  ['German', de, en],
  ['Spanish', es, en],
  ['German, of screens,', screensDe, screensEn],
  ['Spanish, of screens,', screensEs, screensEn],
  ['German, of dialogs,', dialogsDe, dialogsEn],
  ['Spanish, of dialogs,', dialogsEs, dialogsEn],
  ['German, of the palette,', paletteDe, paletteEn],
  ['Spanish, of the palette,', paletteEs, paletteEn],
  ['German, of stories,', storyDe, storyEn],
  ['Spanish, of stories,', storyEs, storyEn],
  ['German, of stages,', stagesDe, stagesEn],
  ['Spanish, of stages,', stagesEs, stagesEn],
])('%s has the same keys as English, none empty, with the same placeholders', (_, words, inEnglish) => {
  const english = flat(inEnglish);
  const other = flat(words);
  expect([...other.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  for (const [key, text] of english) {
    const translated = other.get(key) ?? '';
    expect(translated.trim(), key).not.toBe('');
    expect(placeholders(translated), key).toEqual(placeholders(text));
  }
});

describe.each([
  ['English', en, dialogsEn, screensEn, paletteEn],
  ['German', de, dialogsDe, screensDe, paletteDe],
  ['Spanish', es, dialogsEs, screensEs, paletteEs],
])('%s has one term for one thing:', (_, texts, dialogs, screens, palette) => {
  test('a text that tells where to go has the name that stands there', () => {
    expect(palette.keys.order.select).toContain(texts.tab.label.unassigned);
    expect(texts.dashboard.hitsInAll).toContain(texts.tab.label.all);
    expect(screens.boards.emptyHint).toContain(screens.boards.pair);
  });

  test('an advisor, a closed order and a tag are called the same everywhere', () => {
    const { field, conflict } = texts;
    const { details, history } = dialogs;
    const advisors = [details.advisor, conflict.field.advisor, history.field.advisor, screens.portal.advisor];
    expect(new Set([field.advisor, ...advisors]).size).toBe(1);
    expect(new Set([texts.table.closed, history.field.closed, history.action.CLOSED]).size).toBe(1);
    expect(new Set([field.tagNumber, history.field.tagNumber]).size).toBe(1);
  });
});

test('each text for an error is of a code that the server or the page refuses with', () => {
  const ownCodes: ErrorCode[] = ['network', 'not-kept', 'started-over', 'too-late', 'unexpected-answer'];
  const codes: readonly string[] = [...Object.keys(errorStatuses), ...ownCodes];
  const texts = { ...en.error, ...screensEn.error, ...dialogsEn.error };
  expect(Object.keys(texts).filter((code) => !codes.includes(code))).toEqual([]);
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

test('texts loaded later come in the current language of the page', async () => {
  await changeLanguage('de');
  await loadTexts(storyTexts);
  expect(i18n.t('story.start')).toBe('Erstellung starten');
  await changeLanguage('es');
  expect(i18n.t('story.start')).toBe('Iniciar la generación');
  await changeLanguage('en');
  expect(i18n.t('story.start')).toBe('Start Generation');
  expect(i18n.t('login.submit')).toBe('Sign in');
});

test('texts loaded later are put beside those of the same part, and stay when a language is chosen again', async () => {
  await loadTexts(screenTexts);
  const chosenAgain = changeLanguage('en');
  expect(i18n.t('users.email')).toBe('Email');
  await chosenAgain;
  expect(i18n.t('users.email')).toBe('Email');
  expect(i18n.t('users.title')).toBe('User Management');
});
