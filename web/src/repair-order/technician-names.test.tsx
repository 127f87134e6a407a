import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchTechnicians, listRepairOrders, type Technician } from '../api/repair-orders.ts';
import { notifyMessageListeners, openSocket, type SocketListener } from '../api/socket.ts';
import { useLiveOrders } from './live-connection.ts';
import { cachedOrders, openOrders } from './live-orders.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
  listRepairOrders: vi.fn(),
}));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  refreshPermissions: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  openSocket: vi.fn(() => () => undefined),
}));

const NOW = '2026-03-02T14:00:00Z';
const MINUTE = 60_000;
const list = vi.mocked(listRepairOrders);
const asked = vi.mocked(fetchTechnicians);
let client: QueryClient;
let socket: SocketListener;

const pulse = { seq: 10, now: NOW };
const changed = { type: 'TECHNICIANS_CHANGED', timestamp: NOW };

/** What the server calls technician 7 from now on, in its rows and in the shop's list. */
function called(name: string): void {
  const technician: Technician = {
    idTechnician: 7,
    displayName: name,
    specialty: '',
    maxSkillName: null,
    skills: [],
    dailyHours: 8,
    idLevel: null,
    levelName: null,
  };
  asked.mockResolvedValue([technician]);
  list.mockResolvedValue({
    rows: [row(1, { regularIdTechnician: 7, regularTechFullName: name })],
    seq: 10,
  });
}

const nameOnDesk = () => cachedOrders(client).open.get(1)?.order.technician;
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  for (const mock of [list, asked, vi.mocked(openSocket)]) mock.mockReset();
  vi.mocked(openSocket).mockReturnValue(() => undefined);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  called('Ann Lee');
  await client.fetchQuery(openOrders);
  const Live = () => {
    useLiveOrders();
    return null;
  };
  render(
    <QueryClientProvider client={client}>
      <Live />
    </QueryClientProvider>,
  );
  const [opened] = vi.mocked(openSocket).mock.calls;
  if (opened === undefined) throw new Error('no socket was opened');
  socket = opened[0];
  socket.hello(pulse);
  await wait(MINUTE / 2);
  list.mockClear();
});
afterEach(() => vi.useRealTimers());

test('the list that came before the first connection has the names', () => {
  expect(asked).not.toHaveBeenCalled();
  expect(nameOnDesk()).toBe('Ann Lee');
});

test('a technician who is renamed is called so on the desk, though no order has another version', async () => {
  called('Ann Kay');
  for (let count = 0; count < 5; count++) notifyMessageListeners('TECHNICIANS_CHANGED', changed);
  await wait(5_000);
  expect(nameOnDesk()).toBe('Ann Kay');
  expect(list).toHaveBeenCalledTimes(1);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('an account with another name renames its technician', async () => {
  called('Ann Kay');
  socket.staffChanged();
  await wait(5_000);
  expect(nameOnDesk()).toBe('Ann Kay');
});

test('a change of technicians that renames nobody loads no list', async () => {
  notifyMessageListeners('TECHNICIANS_CHANGED', changed);
  await wait(5_000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(list).not.toHaveBeenCalled();
});

test('a name that was given while the connection was cut is there after it, though nothing else was missed', async () => {
  socket.closed();
  called('Ann Kay');
  await wait(MINUTE);
  socket.hello(pulse, true);
  await wait(5_000);
  expect(nameOnDesk()).toBe('Ann Kay');
});

test('a list that began to load before the new name is not waited for', async () => {
  list.mockReturnValueOnce(new Promise(() => undefined));
  void client.fetchQuery({ ...openOrders, staleTime: 0 });
  called('Ann Kay');
  notifyMessageListeners('TECHNICIANS_CHANGED', changed);
  await wait(5_000);
  expect(nameOnDesk()).toBe('Ann Kay');
});

test('names that could not be had are asked for again', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  called('Ann Kay');
  asked.mockRejectedValueOnce(new Error('down'));
  notifyMessageListeners('TECHNICIANS_CHANGED', changed);
  await wait(5_000);
  expect(nameOnDesk()).toBe('Ann Lee');
  await wait(MINUTE / 2);
  expect(nameOnDesk()).toBe('Ann Kay');
});
