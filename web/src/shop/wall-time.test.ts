import { describe, expect, test } from 'vitest';
import { daysAfter, fromWallTime, mondayOf, readWallTime, wallTime, wallTimeFormat } from './wall-time.ts';

const chicago = wallTimeFormat('America/Chicago');
const at = Date.parse;

test.each([
  ['2026-01-15T14:05:00.000Z', '2026-01-15T08:05'],
  ['2026-07-15T04:30:00.000Z', '2026-07-14T23:30'],
])('%s is %s at the shop, and back', (iso, wall) => {
  expect(wallTime(at(iso), chicago)).toBe(wall);
  expect(readWallTime(wall, chicago)).toEqual({ kind: 'once', at: at(iso) });
  expect(new Date(fromWallTime(wall, chicago)).toISOString()).toBe(iso);
});

describe('in the hour that is skipped', () => {
  test.each([
    ['America/New_York', '2026-03-08', '02:00', '03:00', '2026-03-08T07:00Z'],
    ['Europe/Berlin', '2026-03-29', '02:00', '03:00', '2026-03-29T01:00Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-10-04', '02:00', '02:30', '2026-10-03T15:30Z'],
    // Midnight itself.
    ['America/Santiago', '2026-09-06', '00:00', '01:00', '2026-09-06T04:00Z'],
  ])('the clock of %s shows none of it', (zone, day, from, to, change) => {
    const format = wallTimeFormat(zone);
    const read = (time: string) => readWallTime(`${day}T${time}`, format);
    const skipped = { kind: 'skipped', from: `${day}T${from}`, to: `${day}T${to}`, change: at(change) };
    const lastMinute = wallTime(at(`${day}T${to}Z`) - 60_000, wallTimeFormat('UTC')).slice(11);
    expect(read(from)).toEqual(skipped);
    expect(read(`${from.slice(0, 3)}15`)).toEqual(skipped);
    expect(read(lastMinute)).toEqual(skipped);
    expect(read(to)).toEqual({ kind: 'once', at: at(change) });
    const before = wallTime(at(change) - 60_000, format);
    expect(readWallTime(before, format)).toEqual({ kind: 'once', at: at(change) - 60_000 });
    expect(fromWallTime(`${day}T${from}`, format)).toBe(at(change));
  });
});

describe('in the hour that comes twice', () => {
  test.each([
    ['America/New_York', '2026-11-01', ['01:00', '01:30', '01:59'], '00:59', '02:00', 60],
    ['Europe/Berlin', '2026-10-25', ['02:00', '02:30', '02:59'], '01:59', '03:00', 60],
    ['Australia/Lord_Howe', '2026-04-05', ['01:30', '01:45', '01:59'], '01:29', '02:00', 30],
  ] as const)('the clock of %s shows all of it twice', (zone, day, twice, before, after, minutes) => {
    const format = wallTimeFormat(zone);
    for (const time of twice) {
      const text = `${day}T${time}`;
      const reading = readWallTime(text, format);
      if (reading?.kind !== 'twice') throw new Error(`${text} is ${reading?.kind}.`);
      expect(reading.second - reading.first).toBe(minutes * 60_000);
      expect([reading.first, reading.second].map((one) => wallTime(one, format))).toEqual([text, text]);
      expect(fromWallTime(text, format)).toBe(reading.first);
    }
    expect(readWallTime(`${day}T${before}`, format)).toMatchObject({ kind: 'once' });
    expect(readWallTime(`${day}T${after}`, format)).toMatchObject({ kind: 'once' });
  });

  test('they are the times before the clock is put back, and after it', () => {
    expect(readWallTime('2026-11-01T01:30', wallTimeFormat('America/New_York'))).toEqual({
      kind: 'twice',
      first: at('2026-11-01T05:30Z'),
      second: at('2026-11-01T06:30Z'),
    });
  });
});

test.each(['America/Phoenix', 'Asia/Kolkata', 'UTC'])('the clock of %s shows each time once', (zone) => {
  const format = wallTimeFormat(zone);
  for (const day of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01']) {
    for (const time of ['00:00', '01:30', '02:00', '02:30', '23:59']) {
      const reading = readWallTime(`${day}T${time}`, format);
      expect(reading).toMatchObject({ kind: 'once' });
      expect(reading?.kind === 'once' && wallTime(reading.at, format)).toBe(`${day}T${time}`);
    }
  }
});

test('a year that is still being typed is a year', () => {
  expect(readWallTime('0002-03-08T08:00', chicago)).toMatchObject({ kind: 'once' });
});

test.each(['', '2026-03-08', '12026-03-08T08:00', 'T08:00'])('%o is no time', (text) => {
  expect(readWallTime(text, chicago)).toBeNull();
});

test('a week begins on Monday, over the ends of months and years', () => {
  expect(mondayOf('2026-03-02')).toBe('2026-03-02');
  expect(mondayOf('2026-03-01')).toBe('2026-02-23');
  expect(mondayOf('2026-01-01', 1)).toBe('2025-12-22');
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
});
