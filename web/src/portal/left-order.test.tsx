// When the page may say that the order in hand is not the technician's any more.
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { running, technicianClock } from './clock.fixture.ts';
import { useLeftOrder } from './left-order.ts';
import type { PortalOrders } from './portal-orders.ts';

const emptyList: PortalOrders = {
  orders: [],
  seen: () => undefined,
  orderOf: () => undefined,
  lastKnownOf: () => undefined,
  profile: null,
  savedAt: null,
  failure: null,
  retrying: false,
  retry: () => undefined,
};

function leftOrder(
  list: Partial<PortalOrders> = {},
  state: { isSaved?: boolean; isLoading?: boolean } = {},
  job: [number, number] | null = [1, 2],
) {
  const clock = technicianClock({ running: running(job) });
  const clockState = { clock, isSaved: false, isLoading: false, ...state };
  return renderHook(() => useLeftOrder(7, clockState, { ...emptyList, ...list })).result.current;
}

test('an order that neither the server’s list nor a message has is told of without a holder', () => {
  expect(leftOrder()).toEqual({
    roNumber: 1,
    number: '1',
    jobNumber: 2,
    order: null,
    isCertain: true,
    holders: null,
  });
});

test('of an order that the device had in its last list, the car is known', () => {
  const order = toRepairOrder([row(1)]);
  expect(leftOrder({ lastKnownOf: () => order })).toMatchObject({ order, holders: null });
});

test.each<[string, Partial<PortalOrders>, { isSaved?: boolean; isLoading?: boolean }]>([
  ['a list that this device saved', { savedAt: 1 }, {}],
  ['a list that is being loaded', { retrying: true }, {}],
  ['a clock that this device saved', {}, { isSaved: true }],
  ['a clock that is being loaded', {}, { isLoading: true }],
])('%s is not certain of it', (_, list, state) => {
  expect(leftOrder(list, state)).toMatchObject({ roNumber: 1, isCertain: false });
});

test('without a list nothing is missing from it', () => {
  expect(leftOrder({ orders: null })).toBeNull();
});

test('who is on no job has left none', () => {
  expect(leftOrder({}, {}, null)).toBeNull();
});
