import { describe, expect, test } from 'vitest';
import { daysAfter, fromWallTime, mondayOf, wallTime } from './wall-time.ts';

const chicago = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Chicago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

test.each([
  ['2026-01-15T14:05:00.000Z', '2026-01-15T08:05'],
  ['2026-07-15T04:30:00.000Z', '2026-07-14T23:30'],
])('%s is %s at the shop, and back', (iso, wall) => {
  expect(wallTime(Date.parse(iso), chicago)).toBe(wall);
  expect(new Date(fromWallTime(wall, chicago)).toISOString()).toBe(iso);
});

describe('around daylight saving changes', () => {
  test.each([
    ['before the hour that is left out', '2026-03-08T01:59', '2026-03-08T07:59:00.000Z'],
    ['after it', '2026-03-08T03:00', '2026-03-08T08:00:00.000Z'],
    ['in the hour that comes twice: the first', '2026-11-01T01:30', '2026-11-01T06:30:00.000Z'],
    ['after it', '2026-11-01T02:00', '2026-11-01T08:00:00.000Z'],
  ])('%s', (_, wall, iso) => {
    expect(new Date(fromWallTime(wall, chicago)).toISOString()).toBe(iso);
  });
});

test('a week begins on Monday, over the ends of months and years', () => {
  expect(mondayOf('2026-03-02')).toBe('2026-03-02');
  expect(mondayOf('2026-03-01')).toBe('2026-02-23');
  expect(mondayOf('2026-01-01', 1)).toBe('2025-12-22');
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
});
