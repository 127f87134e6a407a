import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchTechnicianRows } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import { notifyMessageListeners } from '../api/socket.ts';
import { deleteSavedScreens, saveScreen, screenSavedAt } from '../offline/saved-screens.ts';
import { openOrders, technicianKey, watchTechnician } from '../repair-order/live-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { usePortalOrders } from './portal-orders.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicianRows: vi.fn(),
}));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));

const maria = { fullName: 'Maria Lopez', specialty: 'Engine' };
const mine = (roNumber: number) =>
  row(roNumber, { regularIdTechnician: 7, regularTechFullName: 'Maria Lopez' });

beforeEach(deleteSavedScreens);
afterEach(() => vi.useRealTimers());

/** As a colleague sees it: the sheets are not kept ahead. Only the list of the `watched` technician comes by itself. */
function open(watched: number | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  watchTechnician(client, watched);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(() => usePortalOrders(7, false, null), { wrapper });
  const lands = (roNumber: number) =>
    client.setQueryData(
      openOrders.queryKey,
      landList(emptyOrderCache, { rows: [mine(roNumber)], seq: 1 }, 0),
    );
  return { client, result, unmount, lands };
}

test('a list that does not come for three seconds gives way to the last known one, with its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  saveScreen('portal-7', { who: maria, orders: [toRepairOrder([mine(1)])] });
  const { result, lands } = open();
  const shown = () => result.current.orders?.map(({ order }) => order.key) ?? null;
  await act(() => vi.advanceTimersByTimeAsync(2_999));
  expect([shown(), result.current.savedAt]).toEqual([null, null]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  await vi.waitFor(() => expect(shown()).toEqual([1]));
  expect(result.current).toMatchObject({ failure: null, profile: maria, savedAt: expect.any(Number) });

  await act(async () => {
    lands(2);
    await vi.advanceTimersByTimeAsync(0);
  });
  expect([shown(), result.current.savedAt]).toEqual([[2], null]);
});

test('where nothing is saved, the list is awaited', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { result } = open();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(result.current).toMatchObject({ orders: null, savedAt: null, failure: null });
});

test('a technician who was renamed while the connection was down is called so once it is back', async () => {
  const called = (fullName: string) =>
    vi.mocked(fetchTechnicianRows).mockResolvedValue({
      rows: [row(1, { regularIdTechnician: 7, regularTechFullName: fullName })],
      seq: 1,
      fullName,
      specialty: 'Engine',
    });
  const connect = () => act(async () => notifyMessageListeners('TECHNICIANS_CHANGED', null));
  const list = called('Maria Lopez');
  const { result } = open(7);
  await waitFor(() => expect(result.current.profile?.fullName).toBe('Maria Lopez'));
  await connect();
  // The list has just come.
  expect(list).toHaveBeenCalledTimes(1);
  called('Maria Diaz');
  await connect();
  await waitFor(() => expect(result.current.profile?.fullName).toBe('Maria Diaz'));
  expect(result.current.orders?.map(({ order }) => order.technician)).toEqual(['Maria Diaz']);
  expect(list).toHaveBeenCalledTimes(2);
});

test('what is saved of a live list is dated by when the server was last heard from', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const hearAt = (time: number) =>
    act(() => {
      vi.setSystemTime(time);
      noteServerTime(new Date().toISOString());
    });
  vi.setSystemTime(1_000_000);
  const { client, unmount, lands } = open();
  // The server is heard before its list is there.
  hearAt(1_010_000);
  act(() => {
    client.setQueryData(technicianKey(7), maria);
    lands(1);
  });
  await waitFor(async () => expect(await screenSavedAt('portal-7')).toBe(1_010_000));
  hearAt(1_060_000);
  expect(await screenSavedAt('portal-7')).toBe(1_060_000);
  unmount();
  hearAt(1_120_000);
  expect(await screenSavedAt('portal-7')).toBe(1_060_000);
});
