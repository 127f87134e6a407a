import { afterEach, expect, test, vi } from 'vitest';
import { speak, words } from './texts.ts';

const said = () => [words.live, document.documentElement.lang];

afterEach(() => vi.restoreAllMocks());

test('a board speaks the language that it is set to, and else the screen’s own', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR', 'es-MX']);
  speak('de');
  expect(said()).toEqual(['Live', 'de']);
  expect(words.late).toBe('Verzögert');
  speak('en');
  expect(said()).toEqual(['Live', 'en-GB']);
  speak(null);
  expect(said()).toEqual(['En vivo', 'es']);
  speak('of a later build');
  expect(said()).toEqual(['En vivo', 'es']);
});
