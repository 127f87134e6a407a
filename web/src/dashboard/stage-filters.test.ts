import { expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { countStages, DUE_HOLDS, hasDueHold, ordersInStage } from './stage-filters.ts';

const at = (time: string) => Date.parse(`2026-03-02T${time}:00Z`);

function held(roNumber: number, expectedUntil?: string) {
  const hold = { id: 1, reason: 'parts', whoActs: 'parts', since: '2026-03-02T08:00:00Z' } as const;
  const until = expectedUntil === undefined ? {} : { expectedUntil: `2026-03-02T${expectedUntil}:00Z` };
  return toRepairOrder([row(roNumber, { stage: 'waiting-for-parts', holds: [{ ...hold, ...until }] })]);
}

const orders = [held(1, '10:00'), held(2, '11:00'), held(3), toRepairOrder([row(4, { stage: 'ready' })])];
const listed = (stage: string | null, now: number) => ordersInStage(orders, stage, now).map(({ key }) => key);

test('a hold is due from its expected end on, and one without an end never is', () => {
  expect(listed(DUE_HOLDS, at('09:59'))).toEqual([]);
  expect(listed(DUE_HOLDS, at('10:00'))).toEqual([1]);
  expect(listed(DUE_HOLDS, at('23:00'))).toEqual([1, 2]);
  expect(orders.filter((order) => hasDueHold(order, at('23:00'))).map(({ key }) => key)).toEqual([1, 2]);
});

test('orders are listed and counted by their stage', () => {
  expect(listed(null, 0)).toEqual([1, 2, 3, 4]);
  expect(listed('ready', 0)).toEqual([4]);
  expect(Object.fromEntries(countStages(orders))).toEqual({ 'waiting-for-parts': 3, ready: 1 });
});
