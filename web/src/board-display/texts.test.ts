import { afterEach, expect, test, vi } from 'vitest';
import { setLanguage, texts } from './texts.ts';

const said = () => [texts.live, document.documentElement.lang];

afterEach(() => vi.restoreAllMocks());

test('a board uses its configured language, or else the screen’s own', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR', 'es-MX']);
  setLanguage('de');
  expect(said()).toEqual(['Live', 'de']);
  expect(texts.late).toBe('Verzögert');
  setLanguage('en');
  expect(said()).toEqual(['Live', 'en-GB']);
  setLanguage(null);
  expect(said()).toEqual(['En vivo', 'es']);
  setLanguage('of a later build');
  expect(said()).toEqual(['En vivo', 'es']);
});
