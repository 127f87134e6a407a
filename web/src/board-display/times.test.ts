import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setLanguage } from './texts.ts';
import {
  dayAndTime,
  daysHere,
  dueOf,
  formatDuration,
  formatStopwatch,
  isBetween,
  isForgotten,
  timeOfDay,
  zoneOf,
} from './times.ts';

const at = (text: string) => Date.parse(text);
const CHICAGO = zoneOf([
  { from: '2025-11-02T07:00:00Z', seconds: -21_600 },
  { from: '2026-03-08T08:00:00Z', seconds: -18_000 },
  { from: '2026-11-01T07:00:00Z', seconds: -21_600 },
]);
const now = at('2026-11-18T16:41:20Z');

beforeEach(() => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
  setLanguage(null);
});
afterEach(() => vi.restoreAllMocks());

describe('when a car is due', () => {
  test('a car is overdue one minute after its promised time', () => {
    expect(dueOf('2026-11-18T16:41:00Z', now)).toMatchObject({ kind: 'soon', minutes: 0 });
    expect(dueOf('2026-11-18T16:40:59Z', now)).toMatchObject({ kind: 'overdue', minutes: 1 });
  });
  test('a car is due soon half an hour before its promised time', () => {
    expect(dueOf('2026-11-18T17:11:00Z', now)).toMatchObject({ kind: 'soon', minutes: 30 });
    expect(dueOf('2026-11-18T17:12:00Z', now)).toMatchObject({ kind: 'later' });
    expect(dueOf(null, now)).toEqual({ kind: 'none' });
  });
});

test('times are in the shop’s zone: today only the time, within a week with the day, else with the date', () => {
  expect(timeOfDay(now, CHICAGO)).toBe('10:41');
  expect(dayAndTime(at('2026-11-18T20:05:00Z'), now, CHICAGO)).toBe('14:05');
  expect(dayAndTime(at('2026-11-19T20:05:00Z'), now, CHICAGO)).toBe('Thu 14:05');
  expect(dayAndTime(at('2026-11-30T20:05:00Z'), now, CHICAGO)).toBe('30 Nov');
});

test('the shop’s clock changes when the server says so, whatever the browser’s time zone data', () => {
  expect(timeOfDay(at('2026-11-01T06:59:00Z'), CHICAGO)).toBe('01:59');
  expect(timeOfDay(at('2026-11-01T07:00:00Z'), CHICAGO)).toBe('01:00');
  expect(timeOfDay(at('2020-07-01T12:00:00Z'), CHICAGO)).toBe('06:00');
  expect(timeOfDay(now, zoneOf([{ from: '2026-01-01T00:00:00Z', seconds: 20_700 }]))).toBe('22:26');
});

test('durations are shown in the two largest units', () => {
  expect([5, 60, 80, 1_440, 3_000].map(formatDuration)).toEqual([
    '5 min',
    '1 h',
    '1 h 20 min',
    '1 d',
    '2 d 2 h',
  ]);
});

test('a clock runs as a stopwatch while there is room for its seconds, then in hours and days', () => {
  const after = (seconds: number) => formatStopwatch(new Date(now - seconds * 1_000).toISOString(), now);
  expect([-5, 0, 3_665, 35_999].map(after)).toEqual(['0:00:00', '0:00:00', '1:01:05', '9:59:59']);
  expect([36_000, 78_300, 86_400, 300_000].map(after)).toEqual(['10 h', '21 h', '1 d', '3 d']);
});

test('a clock that has run longer than a shift counts as forgotten', () => {
  expect(isForgotten('2026-11-18T04:41:20Z', now)).toBe(false);
  expect(isForgotten('2026-11-18T04:41:19Z', now)).toBe(true);
});

test('days are counted as nights, also across a change of the clocks', () => {
  expect(daysHere('2026-11-18T06:30:00Z', now, CHICAGO)).toBe(0);
  expect(daysHere('2026-11-18T05:30:00Z', now, CHICAGO)).toBe(1);
  expect(daysHere('2026-10-31T17:00:00Z', now, CHICAGO)).toBe(18);
});

test('the hours out of service span midnight', () => {
  const dim = (text: string) => isBetween(at(text), CHICAGO, '19:00', '06:30');
  expect(dim('2026-11-19T00:59:00Z')).toBe(false);
  expect(dim('2026-11-19T01:00:00Z')).toBe(true);
  expect(dim('2026-11-19T12:29:00Z')).toBe(true);
  expect(dim('2026-11-19T12:30:00Z')).toBe(false);
  expect(isBetween(now, CHICAGO, null, '06:30')).toBe(false);
  expect(isBetween(now, CHICAGO, '08:00', '12:00')).toBe(true);
});
