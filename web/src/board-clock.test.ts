// The boards are a program of their own, whose times come from the server's offsets; the page's come from the browser's
// time zones. Both have the clock of the same locale.
import { afterEach, expect, test, vi } from 'vitest';
import { setLanguage } from './board-display/texts.ts';
import { timeOfDay as timeOnBoard, zoneOf } from './board-display/times.ts';
import { formattingLocale } from './i18n/locale.ts';
import { timeOfDay as timeOnPage } from './shop/clock.ts';

const CHICAGO = zoneOf([{ from: '2026-11-01T07:00:00Z', seconds: -21_600 }]);

afterEach(() => vi.restoreAllMocks());

test.each([
  ['en', ['en-US'], /^4:20\sPM$/],
  ['en', ['en-GB'], /^16:20$/],
  ['de', ['de-DE', 'en-US'], /^16:20$/],
  ['es', ['es-ES'], /^16:20$/],
  ['es', ['en-US'], /^4:20\sp/],
])('a board in %s has the clock that the page has on a screen of %j', (language, preferred, afternoon) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(preferred);
  setLanguage(language);
  const locale = formattingLocale(language);
  const times = ['06:05', '13:41', '18:00', '22:20'].map((utc) => Date.parse(`2026-11-18T${utc}:00Z`));
  const onBoard = times.map((time) => timeOnBoard(time, CHICAGO));
  expect(onBoard).toEqual(times.map((time) => timeOnPage(time, 'America/Chicago', locale)));
  expect(onBoard.at(-1)).toMatch(afternoon);
});
