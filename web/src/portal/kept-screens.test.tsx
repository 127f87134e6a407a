import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchEntries } from '../api/clock.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import type { SocketMessages } from '../api/socket.ts';
import { fetchClosedOrders } from '../api/technicians.ts';
import { deleteSavedScreens, loadScreen, saveScreen } from '../offline/saved-screens.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { mondayOf, wallDay } from '../shop/wall-time.ts';
import { closedJob, closedOrder } from './closed-orders.fixture.ts';
import { useKeptScreens } from './kept-screens.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));
vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchClosedOrders: vi.fn(),
}));
vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchEntries: vi.fn(async () => []),
}));
type Listener = (message: SocketMessages['CLOCK_CHANGED'] | null) => void;
const wire = vi.hoisted(() => ({ listeners: new Set<Listener>() }));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  onSocketMessage: (name: string, listener: Listener) => {
    if (name === 'CLOCK_CHANGED') wire.listeners.add(listener);
    return () => wire.listeners.delete(listener);
  },
}));

const closedAt = new Date().toISOString();
const jobs = [closedJob(1, { hasStory: false })];
const open = [{ order: toRepairOrder([row(1)]), version: 2 }];
const thisWeek = mondayOf(wallDay(Date.now()));
const lastWeek = mondayOf(wallDay(Date.now()), 1);

beforeEach(async () => {
  // A silent server is not asked for what is saved.
  noteServerTime(new Date().toISOString());
  await deleteSavedScreens();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.mocked(fetchEntries).mockClear();
  vi.mocked(fetchDetails)
    .mockReset()
    .mockImplementation(async (roNumber) => {
      const closedDateTime = roNumber === 1 ? null : closedAt;
      const partial: unknown = { repairOrderNumber: roNumber, version: 2, closedDateTime, jobs: [] };
      return partial as Details;
    });
  vi.mocked(fetchClosedOrders).mockResolvedValue([closedOrder(40, { closedDateTime: closedAt, jobs })]);
});
afterEach(() => vi.useRealTimers());

function keep(list: typeof open | null, inHand: number | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useKeptScreens(7, list, inHand), { wrapper });
}

/** Until all is kept: what is not needed goes at the end. */
async function settle() {
  saveScreen('details-99', 'another technician’s by now');
  await vi.waitFor(async () => expect(await loadScreen('details-99')).toBeUndefined(), { timeout: 10_000 });
}
const fetched = () => vi.mocked(fetchDetails).mock.calls.map(([roNumber]) => roNumber);
const weeks = () => vi.mocked(fetchEntries).mock.calls.map(([, monday]) => monday);

test('open orders, two weeks of the clock and closed orders are kept, and others’ cars are not', async () => {
  saveScreen('entries-7-2001-01-01', []);
  keep(open);
  expect(fetched()).toEqual([]);
  await settle();
  expect(fetched()).toEqual([1, 40]);
  expect(weeks()).toEqual([thisWeek, lastWeek]);
  expect(await loadScreen('details-40')).toMatchObject({ repairOrderNumber: 40 });
  expect(await loadScreen(`entries-7-${thisWeek}`)).toEqual([]);
  expect(await loadScreen('entries-7-2001-01-01')).toBeUndefined();
});

test('what is known of a car stays while the clock runs on it, though it is another technician’s by now', async () => {
  saveScreen('details-98', { repairOrderNumber: 98 });
  keep(open, 98);
  await settle();
  expect(await loadScreen('details-98')).toEqual({ repairOrderNumber: 98 });
  expect(fetched()).toEqual([1, 40]);
});

test('the next start of the page fetches nothing of an order that has not changed', async () => {
  const { unmount } = keep(open);
  await settle();
  unmount();
  vi.mocked(fetchDetails).mockClear();
  keep(open);
  await settle();
  expect(fetched()).toEqual([]);
});

test('a tap on the clock brings this week up to date, a new connection both', async () => {
  keep(open);
  await settle();
  vi.mocked(fetchEntries).mockClear();
  const hear = (message: SocketMessages['CLOCK_CHANGED'] | null) =>
    act(() => {
      for (const listener of wire.listeners) listener(message);
    });
  const tapBy = (technicianId: number) =>
    ({ technicianId, running: null }) as SocketMessages['CLOCK_CHANGED'];
  hear(tapBy(7));
  await settle();
  expect(weeks()).toEqual([thisWeek]);
  hear(tapBy(8));
  hear(null);
  await settle();
  expect(weeks()).toEqual([thisWeek, thisWeek, lastWeek]);
});

test('somebody else’s portal keeps nothing ahead', async () => {
  vi.mocked(fetchClosedOrders).mockClear();
  keep(null);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect([fetched(), weeks(), vi.mocked(fetchClosedOrders).mock.calls.length]).toEqual([[], [], 0]);
});
