import { expect, test } from 'vitest';
import { dueAt, spanOf } from './due-time.ts';

test('an order is due when it was promised, else at its ETA', () => {
  expect(dueAt({ promised: 5, eta: 3 })).toBe(5);
  expect(dueAt({ promised: null, eta: 3 })).toBe(3);
});

test('a duration is shown in its two largest units', () => {
  expect(spanOf(25)).toEqual({ minutes: 25 });
  expect(spanOf(80)).toEqual({ hours: 1, minutes: 20 });
  expect(spanOf(2 * 1_440 + 3 * 60 + 59)).toEqual({ days: 2, hours: 3 });
});
