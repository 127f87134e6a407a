// When the page may say that the order in hand is not the technician's any more.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
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
  isClockSaved = false,
  job: [number, number] | null = [1, 2],
) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const clock = technicianClock({ running: running(job) });
  const all = { ...emptyList, ...list };
  return renderHook(() => useLeftOrder(7, clock, isClockSaved, all), { wrapper }).result.current;
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

test.each<[string, Partial<PortalOrders>, boolean]>([
  ['a list that this device saved', { savedAt: 1 }, false],
  ['a list that is being loaded', { retrying: true }, false],
  ['a clock that this device saved', {}, true],
])('%s is not certain of it', (_, list, isClockSaved) => {
  expect(leftOrder(list, isClockSaved)).toMatchObject({ roNumber: 1, isCertain: false });
});

test('without a list nothing is missing from it', () => {
  expect(leftOrder({ orders: null })).toBeNull();
});

test('who is on no job has left none', () => {
  expect(leftOrder({}, false, null)).toBeNull();
});
