import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { stepsFrom, useSteps } from './details-steps.ts';
import type { FrozenRow } from './frozen-row-order.ts';

function list(...keys: (number | [number, FrozenRow['removal']])[]): FrozenRow[] {
  return keys.map((one) => {
    const [key, removal] = typeof one === 'number' ? [one, null] : one;
    return {
      cached: { order: toRepairOrder([row(key)]), version: 1, seq: 1, changedAt: 0, by: null },
      removal,
    };
  });
}

test('the orders before and after it, as they stand in the list', () => {
  const rows = list(5, 4, 3);
  expect(stepsFrom(rows, 5, -1)).toMatchObject({ previous: null, next: 4, position: 1, count: 3 });
  expect(stepsFrom(rows, 4, -1)).toMatchObject({ previous: 5, next: 3, position: 2 });
  expect(stepsFrom(rows, 3, -1)).toMatchObject({ previous: 4, next: null, position: 3 });
});

test('rows that are only kept in place are passed over', () => {
  const rows = list(5, [4, 'closed'], 3, [2, 'elsewhere'], 1);
  expect(stepsFrom(rows, 3, -1)).toMatchObject({ previous: 5, next: 1 });
  expect(stepsFrom(rows, 2, -1)).toMatchObject({ previous: 3, next: 1, position: null });
});

test('an order that was never in the list has none', () => {
  expect(stepsFrom(list(5, 4), 9, -1)).toMatchObject({ previous: null, next: null, position: null });
  expect(stepsFrom(list(5, 4), null, -1)).toMatchObject({ previous: null, next: null, position: null });
});

test('after an order that left the list comes the one that took its place', () => {
  const { result, rerender } = renderHook(({ rows, open }) => useSteps(rows, open), {
    initialProps: { rows: list(5, 4, 3), open: 4 },
  });
  rerender({ rows: list(5, 3), open: 4 });
  expect(result.current).toMatchObject({ previous: 5, next: 3, position: null });
  rerender({ rows: list(6, 5, 3), open: 4 });
  expect(result.current).toMatchObject({ previous: 6, next: 5 });
  // Of another order nothing is remembered.
  rerender({ rows: list(6, 5, 3), open: 9 });
  expect(result.current).toMatchObject({ previous: null, next: null });
});
