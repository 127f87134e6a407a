import { expect, test } from 'vitest';
import { fromWallTime } from '../shop/wall-time.ts';
import { weekToDecideOn } from './week-to-decide-on.ts';

const HANK = 1;
const BO = 2;
/** A Wednesday. */
const NOW = fromWallTime('2026-04-01T10:00');

/** `began`: by the shop's wall. */
const proposed = (technicianId: number, began: string) => ({
  technicianId,
  entry: { startedAt: new Date(fromWallTime(began)).toISOString() },
});

test.each([
  ['this morning', '2026-04-01T08:00', 0],
  ['first thing on this Monday', '2026-03-30T00:00', 0],
  ['late on last Sunday', '2026-03-29T23:59', 1],
  ['first thing on last Monday', '2026-03-23T00:00', 1],
  ['in last year', '2025-12-31T12:00', 13],
  ['later than the reader’s clock', '2026-04-07T08:00', 0],
])('an entry that began %s is that many weeks back', (_, began, weeks) => {
  expect(weekToDecideOn([proposed(HANK, began)], HANK, NOW)).toBe(weeks);
});

test('the oldest of the technician’s own is decided on first', () => {
  const all = [
    proposed(HANK, '2026-03-24T08:00'),
    proposed(HANK, '2026-03-10T08:00'),
    proposed(BO, '2026-02-02T08:00'),
  ];
  expect(weekToDecideOn(all, HANK, NOW)).toBe(3);
});

test('where nothing waits the week is this one', () => {
  expect(weekToDecideOn([], HANK, NOW)).toBe(0);
  expect(weekToDecideOn([proposed(BO, '2026-02-02T08:00')], HANK, NOW)).toBe(0);
});
