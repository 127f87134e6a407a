import { afterEach, expect, test, vi } from 'vitest';
import { setLanguage, texts } from './texts.ts';

const shownTexts = () => [texts.live, document.documentElement.lang];

afterEach(() => vi.restoreAllMocks());

test('a board uses its configured language, or else the screen’s own', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR', 'es-MX']);
  setLanguage('de');
  expect(shownTexts()).toEqual(['Live', 'de']);
  expect(texts.late).toBe('Verzögert');
  setLanguage('en');
  expect(shownTexts()).toEqual(['Live', 'en-GB']);
  setLanguage(null);
  expect(shownTexts()).toEqual(['En vivo', 'es']);
  setLanguage('of a later build');
  expect(shownTexts()).toEqual(['En vivo', 'es']);
});
