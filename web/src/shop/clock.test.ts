import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { noteServerTime } from '../api/server-time.ts';
import { type ClockTexts, fullTime, shortTime, timeOfDay, useClock } from './clock.ts';
import { readShop } from './shop.ts';

const words: ClockTexts = {
  locale: 'en-GB',
  yesterday: (time) => `yesterday ${time}`,
  tomorrow: (time) => `tomorrow ${time}`,
  day: ({ weekday, day, month }) => `${weekday} ${day} ${month}`,
};
const CHICAGO = 'America/Chicago';
const at = (iso: string) => Date.parse(iso);

test.each([
  ['2024-11-16T16:41:00Z', '10:41'],
  ['2024-11-16T06:00:00Z', '00:00'],
  ['2024-11-15T22:20:00Z', 'yesterday 16:20'],
  ['2024-11-17T14:05:00Z', 'tomorrow 08:05'],
  ['2024-11-14T18:00:00Z', 'Thu 14 Nov'],
])('%s reads %s at the shop', (iso, shown) => {
  expect(shortTime(at(iso), at('2024-11-16T18:00:00Z'), CHICAGO, words)).toBe(shown);
});

test('a day is the shop’s, not the reader’s: 23:50 at the shop is still today', () => {
  expect(shortTime(at('2024-11-16T18:00:00Z'), at('2024-11-17T05:50:00Z'), CHICAGO, words)).toBe('12:00');
});

test('the day before a change of the clocks is yesterday', () => {
  expect(shortTime(at('2024-11-02T20:00:00Z'), at('2024-11-03T20:00:00Z'), CHICAGO, words)).toBe(
    'yesterday 15:00',
  );
});

test('the full time has day, date and time', () => {
  expect(fullTime(at('2024-11-14T22:20:00Z'), CHICAGO, 'en-GB')).toMatch(/Thursday.*14 November 2024.*16:20/);
});

test.each([
  ['en-US', '4:05\u00a0PM', '12:30\u00a0AM'],
  ['es-US', '4:05\u00a0p.m.', '12:30\u00a0a.m.'],
  ['en-GB', '16:05', '00:30'],
  ['de-DE', '16:05', '00:30'],
  ['es-ES', '16:05', '00:30'],
])('%s has its own clock: %s', (locale, afternoon, midnight) => {
  const text = (iso: string) =>
    timeOfDay(at(iso), CHICAGO, locale)
      .replace(/p\.\sm\./, 'p.m.')
      .replace(/a\.\sm\./, 'a.m.');
  expect(text('2024-11-16T22:05:00Z')).toBe(afternoon);
  expect(text('2024-11-16T06:30:00Z')).toBe(midnight);
});

test('yesterday has the clock of the locale, too', () => {
  const american = { ...words, locale: 'en-US' };
  expect(shortTime(at('2024-11-15T22:20:00Z'), at('2024-11-16T18:00:00Z'), CHICAGO, american)).toBe(
    'yesterday 4:20\u00a0PM',
  );
  expect(shortTime(at('2024-11-14T18:00:00Z'), at('2024-11-16T18:00:00Z'), CHICAGO, american)).toBe(
    'Thu 14 Nov',
  );
});

function page(content: string): Document {
  const made = document.implementation.createHTMLDocument();
  const meta = made.createElement('meta');
  meta.name = 'dispatch-shop';
  meta.content = content;
  made.head.append(meta);
  return made;
}

test('the shop’s settings are those the server wrote into the page', () => {
  const settings = JSON.stringify({ brandName: 'Lakeside Motors', timeZone: CHICAGO });
  expect(readShop(page(settings))).toMatchObject({ brandName: 'Lakeside Motors', timeZone: CHICAGO });
});

test.each(['', '{', '{"timeZone":"Mars/Olympus"}'])(
  'a page with the settings %j gets the defaults',
  (settings) => {
    const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(readShop(page(settings))).toMatchObject({ brandName: 'the product', timeZone: browserZone });
  },
);

test('the present is the server’s, whatever the device’s own clock says', () => {
  const { result } = renderHook(useClock);
  const ahead = Date.now() + 3 * 3_600_000;
  act(() => noteServerTime(new Date(ahead).toISOString()));
  expect(ahead - result.current.now).toBeGreaterThanOrEqual(0);
  expect(ahead - result.current.now).toBeLessThan(2 * 60_000);
});
