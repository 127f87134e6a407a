// The stream and the picture of one technician's orders.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchRows, fetchTechnicianRows, listRepairOrders } from '../api/repair-orders.ts';
import { openSocket, type SocketListener } from '../api/socket.ts';
import { currentFreshness } from './freshness.ts';
import { useLiveOrders } from './live-connection.ts';
import { cachedOrders, openOrders, technicianKey, watchTechnician } from './live-orders.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  listRepairOrders: vi.fn(),
  fetchTechnicianRows: vi.fn(),
  fetchRows: vi.fn(),
}));
vi.mock('../api/socket.ts', () => ({
  openSocket: vi.fn(() => () => undefined),
  onSocketMessage: () => () => undefined,
}));

const everybodys = vi.mocked(listRepairOrders);
const theirs = vi.mocked(fetchTechnicianRows);
let client: QueryClient;
let show: (technician: number | null) => void;

const pulse = (seq: number) => ({ seq, now: '2026-03-02T14:00:00Z' });
const mine = (roNumber: number, version = 1) => row(roNumber, { regularIdTechnician: 7, version });
const profile = { fullName: 'Maria Lopez', specialty: 'Engine' };
const versions = () =>
  [...cachedOrders(client).open].map(([roNumber, cached]) => `${roNumber} v${cached.version}`);
const socket = (): SocketListener => {
  const last = vi.mocked(openSocket).mock.calls.at(-1);
  if (last === undefined) throw new Error('no socket was opened');
  return last[0];
};

beforeEach(() => {
  for (const mock of [everybodys, theirs, vi.mocked(fetchRows), vi.mocked(openSocket)]) mock.mockReset();
  vi.mocked(openSocket).mockReturnValue(() => undefined);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const Live = ({ technician }: { technician: number | null }) => {
    useLiveOrders(technician);
    return null;
  };
  const live = (technician: number | null) => (
    <QueryClientProvider client={client}>
      <Live technician={technician} />
    </QueryClientProvider>
  );
  const { rerender } = render(live(7));
  show = (technician) => rerender(live(technician));
});

async function loadedAt(seq: number, rows = [mine(1)]): Promise<void> {
  theirs.mockResolvedValueOnce({ rows, seq, ...profile });
  socket().hello(pulse(seq));
  await waitFor(() => expect(cachedOrders(client).listSeq).toBe(seq));
  theirs.mockClear();
}

test('the cache lists and follows only that technician, and names them', async () => {
  await loadedAt(10);
  expect(vi.mocked(openSocket).mock.calls[0]?.[2]).toEqual({ technician: 7 });
  expect(versions()).toEqual(['1 v1']);
  expect(everybodys).not.toHaveBeenCalled();
  expect(client.getQueryData(technicianKey(7))).toEqual(profile);
});

test('event numbers of other technicians in between are no gap', async () => {
  await loadedAt(10);
  socket().modified({ roNumber: 2, rows: [mine(2)], version: 1, seq: 40 });
  socket().tick(pulse(60));
  await Promise.resolve();
  expect(versions()).toEqual(['1 v1', '2 v1']);
  expect(theirs).not.toHaveBeenCalled();
  expect(currentFreshness().kind).toBe('live');
});

test('a resumed connection loads nothing, a new one loads the list', async () => {
  await loadedAt(10);
  socket().closed();
  socket().hello(pulse(50), true);
  await Promise.resolve();
  expect(theirs).not.toHaveBeenCalled();
  socket().closed();
  theirs.mockResolvedValueOnce({ rows: [mine(3)], seq: 80, ...profile });
  socket().hello(pulse(80), false);
  await waitFor(() => expect(versions()).toEqual(['3 v1']));
});

test('an order the technician is no longer assigned to disappears for good', async () => {
  await loadedAt(10);
  socket().modified({ roNumber: 1, rows: [row(1, { version: 4 })], version: 4, seq: 11 });
  expect(versions()).toEqual([]);
  socket().modified({ roNumber: 1, rows: [mine(1, 3)], version: 3, seq: 12 });
  expect(versions()).toEqual([]);
});

test('an unassigned order disappears at once, even during a burst', async () => {
  await loadedAt(10, [mine(1), mine(2)]);
  socket().modified({ roNumber: 2, rows: [mine(2, 2)], version: 2, seq: 11 });
  socket().modified({ roNumber: 2, rows: [mine(2, 3)], version: 3, seq: 12 });
  socket().modified({
    roNumber: 1,
    action: 'TECH_UNASSIGNED',
    techId: 7,
    rows: [row(1, { version: 2 })],
    version: 2,
    seq: 13,
  });
  expect(versions()).toEqual(['2 v3']);
});

test('an order that the DMS assigns to the technician stays', async () => {
  await loadedAt(10);
  socket().modified({
    roNumber: 1,
    rows: [row(1, { ETLIdTechnician: 7, version: 2 })],
    version: 2,
    seq: 11,
  });
  expect(versions()).toEqual(['1 v2']);
});

test('opening the desk reloads the cache with all orders', async () => {
  await loadedAt(10);
  everybodys.mockResolvedValue({ rows: [row(8), row(9)], seq: 10 });
  show(null);
  expect(versions()).toEqual([]);
  await waitFor(() => expect(versions()).toEqual(['8 v1', '9 v1']));
  expect(vi.mocked(openSocket).mock.calls.at(-1)?.[2]).toBeNull();
});

test('a list that was requested before the change of scope does not land', async () => {
  let answer: (list: { rows: ReturnType<typeof row>[]; seq: number }) => void = () => undefined;
  watchTechnician(client, null);
  everybodys.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const pending = client.fetchQuery(openOrders).catch(() => undefined);
  await waitFor(() => expect(everybodys).toHaveBeenCalled());
  watchTechnician(client, 7);
  answer({ rows: [row(8)], seq: 10 });
  await pending;
  expect(versions()).toEqual([]);
});

test('an unknown technician is reported as unknown, and the page is up to date', async () => {
  theirs.mockRejectedValue(new ApiError(404, 'unknown-technician', 'There is no such technician.'));
  socket().onMessage();
  socket().hello(pulse(10));
  await waitFor(() => expect(currentFreshness().kind).toBe('live'));
  expect(client.getQueryData(technicianKey(7))).toBeNull();
  expect(versions()).toEqual([]);
  const callCount = theirs.mock.calls.length;
  socket().tick(pulse(20));
  expect(theirs).toHaveBeenCalledTimes(callCount);
});
