// When the page may say that the order in hand is not the technician's any more.
import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { deleteSavedScreens, loadScreen } from '../offline/saved-screens.ts';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { running, technicianClock } from './clock.fixture.ts';
import { useLeftOrder } from './left-order.ts';
import type { PortalOrders } from './portal-orders.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));

beforeEach(async () => {
  await deleteSavedScreens();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.mocked(fetchDetails)
    .mockReset()
    .mockRejectedValue(new ApiError(0, 'network', 'Away.'));
});

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

interface ClockSource {
  isSaved?: boolean;
  isLoading?: boolean;
}
type Job = [number, number] | null;

/** As the page is opened. */
function open(list: Partial<PortalOrders> = {}, state: ClockSource = {}, job: Job = [1, 2]) {
  const clock = technicianClock({ running: running(job) });
  const clockState = { clock, isSaved: false, isLoading: false, ...state };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useLeftOrder(7, clockState, { ...emptyList, ...list }), { wrapper });
}
const leftOrder = (...scene: Parameters<typeof open>) => open(...scene).result.current;

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

const carOf = ({ key, roNumber, vehicle, jobs }: RepairOrder) => ({ key, roNumber, vehicle, jobs });

test('of an order that the device had in its last list, the car is known', () => {
  const order = toRepairOrder([row(1)]);
  expect(leftOrder({ lastKnownOf: () => order })).toMatchObject({ order: carOf(order), holders: null });
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

function detailsOfOrder(): Details {
  const jobs = [
    { jobNumber: 2, concern: 'Rattles', operations: [{ operationCode: 'DIAG', operationDesciption: '' }] },
  ];
  // The rest of the answer is nothing that is looked at here.
  const partial: unknown = { repairOrderNumber: 1, vehicle: '2021 Honda Accord EX', jobs };
  return partial as Details;
}

test('of an order that left before the page was opened, the car is in its details', async () => {
  vi.mocked(fetchDetails).mockResolvedValue(detailsOfOrder());
  const { result } = open();
  await waitFor(() =>
    expect(result.current?.order).toMatchObject({
      vehicle: '2021 Honda Accord EX',
      jobs: [{ jobNumber: 2, opcode: 'DIAG', concern: 'Rattles' }],
    }),
  );
});

test('without a connection the device still knows that the order left, who has it, and the car', async () => {
  const order = toRepairOrder([row(1)]);
  const { unmount } = open({ lastKnownOf: () => order });
  await waitFor(async () => expect(await loadScreen('left-7')).toBeDefined());
  unmount();
  const { result } = open({ savedAt: 1 }, { isSaved: true });
  expect(result.current).toMatchObject({ isCertain: false, order: null });
  await waitFor(() => expect(result.current).toMatchObject({ isCertain: true, order: carOf(order) }));
});

test('what the device knew of another order is not told of this one', async () => {
  open().unmount();
  await waitFor(async () => expect(await loadScreen('left-7')).toBeDefined());
  const { result } = open({ savedAt: 1 }, { isSaved: true }, [3, 1]);
  await new Promise((done) => setTimeout(done, 50));
  expect(result.current).toMatchObject({ roNumber: 3, isCertain: false });
});

test('it is forgotten once the server’s clock runs on none that left', async () => {
  open().unmount();
  await waitFor(async () => expect(await loadScreen('left-7')).toBeDefined());
  open({}, {}, null);
  await waitFor(async () => expect(await loadScreen('left-7')).toBeUndefined());
});
