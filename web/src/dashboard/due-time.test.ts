import { describe, expect, test } from 'vitest';
import { dueAt, dueness, spanOf } from './due-time.ts';

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);

test('an order is due when it was promised, else at its ETA', () => {
  expect(dueAt({ promised: 5, eta: 3 })).toBe(5);
  expect(dueAt({ promised: null, eta: 3 })).toBe(3);
});

describe('by the shop’s clock an order is', () => {
  test.each([
    ['10:00', '10:31', { kind: 'later' }],
    ['10:00', '10:30', { kind: 'soon', minutes: 30 }],
    ['10:00', '10:00:59', { kind: 'soon', minutes: 0 }],
    ['10:01', '10:00:59', { kind: 'overdue', minutes: 1 }],
    ['10:25', '10:00', { kind: 'overdue', minutes: 25 }],
  ] as const)('at %s, due at %s: %o', (now, due, expected) => {
    expect(dueness(at(due), at(now))).toEqual(expected);
  });
});

test('a duration is shown in its two largest units', () => {
  expect(spanOf(25)).toEqual({ minutes: 25 });
  expect(spanOf(80)).toEqual({ hours: 1, minutes: 20 });
  expect(spanOf(2 * 1_440 + 3 * 60 + 59)).toEqual({ days: 2, hours: 3 });
});
