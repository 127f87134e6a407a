import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { eventLogResetCount, restoreCount } from '../api/event-log-reset.ts';
import { ApiError, EVENT_LOG_RESET } from '../api/http.ts';
import { fetchRows, listRepairOrders, type RowsWithSeq } from '../api/repair-orders.ts';
import { refreshPermissions } from '../api/session.ts';
import { openSocket, type SocketListener } from '../api/socket.ts';
import { currentToast } from '../ui/toaster.ts';
import { BATCH_INTERVAL_MS } from './batching.ts';
import { currentFreshness, listFailure } from './freshness.ts';
import { useLiveOrders } from './live-connection.ts';
import { cachedOrders, landRo, openOrders } from './live-orders.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  listRepairOrders: vi.fn(),
  fetchRows: vi.fn(),
}));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  refreshPermissions: vi.fn(),
}));
vi.mock('../api/socket.ts', () => ({
  openSocket: vi.fn(() => () => undefined),
  onSocketMessage: () => () => undefined,
}));

const list = vi.mocked(listRepairOrders);
const specific = vi.mocked(fetchRows);
let client: QueryClient;
let socket: SocketListener;

const pulse = (seq: number) => ({ seq, now: '2026-03-02T14:00:00Z' });
const versions = () =>
  [...cachedOrders(client).open].map(([roNumber, cached]) => `${roNumber} v${cached.version}`);

beforeEach(() => {
  list.mockReset();
  specific.mockReset();
  vi.mocked(openSocket).mockClear();
  vi.mocked(refreshPermissions).mockClear();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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
});

async function loadedAt(seq: number): Promise<void> {
  list.mockResolvedValueOnce({ rows: [row(1)], seq });
  socket.hello(pulse(seq));
  await waitFor(() => expect(cachedOrders(client).listSeq).toBe(seq));
  list.mockClear();
}

function message(seq: number, version: number) {
  return { roNumber: 1, rows: [row(1, { version })], version, seq };
}

test('permissions are refreshed when staff records change and after a reconnect', async () => {
  await loadedAt(10);
  expect(refreshPermissions).not.toHaveBeenCalled();
  socket.staffChanged();
  expect(refreshPermissions).toHaveBeenCalledTimes(1);
  socket.closed();
  socket.hello(pulse(10));
  expect(refreshPermissions).toHaveBeenCalledTimes(2);
});

test('rows from the socket land in the cache', async () => {
  await loadedAt(10);
  socket.modified(message(11, 2));
  expect(versions()).toEqual(['1 v2']);
});

test('a burst of messages lands together and completely', async () => {
  await loadedAt(10);
  const drawn: number[] = [];
  const stop = client.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') drawn.push(cachedOrders(client).open.get(1)?.version ?? 0);
  });
  for (let change = 1; change <= 30; change++) socket.modified(message(10 + change, 1 + change));
  await waitFor(() => expect(versions()).toEqual(['1 v31']));
  stop();
  expect(drawn).toEqual([2, 31]);
});

test('a tick behind a burst does not count waiting messages as missed', async () => {
  await loadedAt(10);
  for (const [seq, version] of [
    [11, 2],
    [12, 3],
    [13, 4],
  ] as const)
    socket.modified(message(seq, version));
  socket.tick(pulse(13));
  expect(versions()).toEqual(['1 v4']);
  expect(currentFreshness().kind).toBe('live');
  await Promise.resolve();
  expect(list).not.toHaveBeenCalled();
});

test('an answer lands after the messages that came before it', async () => {
  await loadedAt(10);
  for (const [seq, version] of [
    [11, 2],
    [12, 3],
  ] as const)
    socket.modified(message(seq, version));
  const cachedVersions: (number | undefined)[] = [];
  const stop = client.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') cachedVersions.push(cachedOrders(client).open.get(1)?.version);
  });
  landRo(client, message(13, 4));
  stop();
  expect(cachedVersions).toEqual([3, 4]);
});

test('a list lands after the messages that came before it, and has the newer names', async () => {
  const called = (name: string) => ({ regularIdTechnician: 7, regularTechFullName: name });
  await loadedAt(10);
  socket.modified(message(11, 2));
  let answer: (rows: RowsWithSeq) => void = () => undefined;
  list.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const loading = client.fetchQuery({ ...openOrders, staleTime: 0 });
  socket.modified({ ...message(12, 3), rows: [row(1, { version: 3, ...called('Maria Lopez') })] });
  answer({ rows: [row(1, { version: 3, ...called('Maria Lopez-Diaz') })], seq: 12 });
  await loading;
  await new Promise((done) => setTimeout(done, 2 * BATCH_INTERVAL_MS));
  expect(cachedOrders(client).open.get(1)?.order.technician).toBe('Maria Lopez-Diaz');
});

test('messages waiting when the desk closes do not land on the next desk', async () => {
  await loadedAt(10);
  for (const [seq, version] of [
    [11, 2],
    [12, 3],
  ] as const)
    socket.modified(message(seq, version));
  cleanup();
  client.clear();
  await new Promise((done) => setTimeout(done, 2 * BATCH_INTERVAL_MS));
  expect(versions()).toEqual([]);
});

test('a tick with nothing new loads nothing', async () => {
  await loadedAt(10);
  socket.modified(message(11, 2));
  socket.tick(pulse(11));
  await Promise.resolve();
  expect(list).not.toHaveBeenCalled();
});

test.each(['hello', 'tick'] as const)('a %s that is ahead of the page loads the list again', async (kind) => {
  await loadedAt(10);
  list.mockResolvedValueOnce({ rows: [row(1, { version: 4 }), row(2)], seq: 13 });
  socket[kind](pulse(13));
  await waitFor(() => expect(versions()).toEqual(['1 v4', '2 v1']));
  expect(list).toHaveBeenCalledTimes(1);
});

test('a load that began before the missed event is followed by another', async () => {
  let answer: (rows: RowsWithSeq) => void = () => undefined;
  list.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  socket.hello(pulse(10));
  socket.tick(pulse(12));
  list.mockResolvedValueOnce({ rows: [row(1, { version: 3 })], seq: 12 });
  answer({ rows: [row(1)], seq: 10 });
  await waitFor(() => expect(versions()).toEqual(['1 v3']));
});

test('a load that failed is tried again at the next tick', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  list.mockRejectedValueOnce(new Error('down'));
  socket.hello(pulse(10));
  await waitFor(() => expect(console.warn).toHaveBeenCalled());
  list.mockResolvedValueOnce({ rows: [row(1)], seq: 10 });
  socket.tick(pulse(10));
  await waitFor(() => expect(versions()).toEqual(['1 v1']));
});

test('after a reconnect that replayed the missed events nothing is loaded', async () => {
  await loadedAt(10);
  socket.modified(message(11, 2));
  socket.closed();
  // The last one was on its way when the connection broke, so it comes again.
  for (const missed of [message(11, 2), message(12, 3), message(13, 4)]) socket.modified(missed);
  socket.hello(pulse(13), true);
  socket.tick(pulse(13));
  await Promise.resolve();
  expect(versions()).toEqual(['1 v4']);
  expect(list).not.toHaveBeenCalled();
});

test('after a reconnect without a replay the list is loaded, once', async () => {
  await loadedAt(10);
  socket.modified(message(11, 2));
  socket.closed();
  list.mockResolvedValueOnce({ rows: [row(1, { version: 4 })], seq: 13 });
  socket.hello(pulse(13));
  await waitFor(() => expect(versions()).toEqual(['1 v4']));
  socket.tick(pulse(13));
  await Promise.resolve();
  expect(list).toHaveBeenCalledTimes(1);
});

test('a server that does not know the last event replaces the cache, though its versions are lower', async () => {
  await loadedAt(10);
  socket.modified(message(11, 7));
  socket.tick(pulse(11));
  socket.closed();
  // Its log has grown past what was heard here since its folder was put back.
  list.mockResolvedValueOnce({ rows: [row(1, { version: 2 }), row(2)], seq: 15 });
  const before = { startOvers: eventLogResetCount(), restores: restoreCount() };
  socket.hello(pulse(15), false);
  await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
  expect(eventLogResetCount()).toBe(before.startOvers + 1);
  expect(restoreCount()).toBe(before.restores);
  socket.modified(message(16, 3));
  await waitFor(() => expect(versions()).toEqual(['1 v3', '2 v1']));
  expect(currentFreshness().kind).toBe('live');
});

test('a server with a restored database replaces the cache, though its event numbers are lower', async () => {
  await loadedAt(10);
  socket.modified(message(11, 7));
  socket.tick(pulse(11));
  socket.closed();
  list.mockResolvedValueOnce({ rows: [row(1, { version: 2 }), row(2)], seq: 4 });
  const before = restoreCount();
  socket.hello(pulse(4));
  expect(restoreCount()).toBe(before + 1);
  expect(currentFreshness().kind).toBe('catching-up');
  await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
  socket.modified(message(5, 3));
  await waitFor(() => expect(versions()).toEqual(['1 v3', '2 v1']));
  expect(currentFreshness().kind).toBe('live');
});

describe('data that was restored from a backup', () => {
  const pulseOf = (seq: number, generation: string) => ({ ...pulse(seq), generation });
  const restored = { rows: [row(1, { version: 2 }), row(2)], seq: 40, generation: 'g2' };
  let restores: number;

  beforeEach(async () => {
    list.mockResolvedValueOnce({ rows: [row(1), row(3)], seq: 10, generation: 'g1' });
    socket.hello(pulseOf(10, 'g1'));
    await waitFor(() => expect(cachedOrders(client).listSeq).toBe(10));
    list.mockReset();
    socket.modified(message(11, 7));
    restores = restoreCount();
  });

  test.each(['hello', 'tick', 'unrecovered'] as const)(
    'is loaded in place of all that was there, though its numbers are higher: %s',
    async (kind) => {
      const other = client.fetchQuery({ queryKey: ['other'], queryFn: async () => 'of before' });
      await other;
      list.mockResolvedValueOnce(restored);
      if (kind === 'unrecovered') {
        // As the server does it: every connection is cut, and none is recovered.
        socket.closed();
        socket.hello(pulseOf(40, 'g2'), false);
      } else {
        socket[kind](pulseOf(40, 'g2'));
      }
      expect(versions()).toEqual([]);
      expect(client.getQueryData(['other'])).toBeUndefined();
      expect(currentFreshness().kind).toBe('catching-up');
      await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
      expect(currentFreshness().kind).toBe('live');
      socket.modified(message(41, 3));
      socket.tick(pulseOf(41, 'g2'));
      expect(versions()).toEqual(['1 v3', '2 v1']);
      expect(restoreCount()).toBe(restores + 1);
      expect(list).toHaveBeenCalledTimes(1);
    },
  );

  test('does not mix with a list requested before', async () => {
    let answer: (late: RowsWithSeq & { generation: string }) => void = () => undefined;
    list.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    socket.tick(pulseOf(14, 'g1'));
    list.mockResolvedValueOnce(restored);
    socket.hello(pulseOf(40, 'g2'));
    answer({ rows: [row(3, { version: 9 })], seq: 50, generation: 'g1' });
    await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
  });

  test('does not mix with rows fetched for an earlier hint', async () => {
    let answer: (late: RowsWithSeq) => void = () => undefined;
    specific.mockImplementationOnce(
      () =>
        new Promise((resolve, refuse) => {
          const resetCount = eventLogResetCount();
          answer = (late) =>
            eventLogResetCount() === resetCount
              ? resolve(late)
              : refuse(new ApiError(0, EVENT_LOG_RESET, ''));
        }),
    );
    socket.modified({ roNumber: 3 });
    await waitFor(() => expect(specific).toHaveBeenCalled());
    list.mockResolvedValueOnce(restored);
    socket.hello(pulseOf(40, 'g2'));
    answer({ rows: [row(3, { version: 9 })], seq: 50 });
    await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
    expect(currentToast()).toBeNull();
  });

  test('is not used before the server has announced it on this connection', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    list.mockResolvedValueOnce(restored);
    await client.fetchQuery({ ...openOrders, staleTime: 0 }).catch(() => undefined);
    expect(versions()).toEqual(['1 v7', '3 v1']);
    list.mockResolvedValueOnce(restored);
    socket.tick(pulseOf(40, 'g2'));
    await waitFor(() => expect(versions()).toEqual(['1 v2', '2 v1']));
  });

  test('is taken from a list while there is no connection, and completely after one', async () => {
    socket.closed();
    list.mockResolvedValueOnce(restored);
    await client.fetchQuery({ ...openOrders, staleTime: 0 });
    expect(versions()).toEqual(['1 v2', '2 v1']);
    expect(restoreCount()).toBe(restores + 1);
    // Less than was heard of the log before, and more than the list holds.
    list.mockResolvedValueOnce({ ...restored, rows: [row(2, { version: 3 })], seq: 42 });
    socket.hello(pulseOf(42, 'g2'));
    await waitFor(() => expect(versions()).toEqual(['2 v3']));
    expect(restoreCount()).toBe(restores + 1);
  });
});

test('a server that starts naming its event log is not a restore', async () => {
  await loadedAt(10);
  const before = restoreCount();
  socket.tick({ ...pulse(10), generation: 'g1' });
  expect(restoreCount()).toBe(before);
  expect(versions()).toEqual(['1 v1']);
  list.mockResolvedValueOnce({ rows: [row(2)], seq: 4, generation: 'g2' });
  socket.hello({ ...pulse(4), generation: 'g2' });
  await waitFor(() => expect(versions()).toEqual(['2 v1']));
});

test('the page is not live while the server cannot read its database, and live again when it can', async () => {
  await loadedAt(10);
  const notReadSince = '2026-03-02T13:59:50Z';
  socket.tick({ ...pulse(10), notReadSince });
  socket.onMessage();
  expect(currentFreshness()).toEqual({ kind: 'not-read', since: Date.parse(notReadSince) });
  socket.tick(pulse(10));
  expect(currentFreshness().kind).toBe('live');
});

test('a message that overtakes the first list is not lost', async () => {
  socket.modified(message(11, 5));
  list.mockResolvedValueOnce({ rows: [row(1), row(2)], seq: 10 });
  socket.hello(pulse(11));
  list.mockResolvedValueOnce({ rows: [row(1, { version: 5 }), row(2)], seq: 11 });
  await waitFor(() => expect(versions()).toEqual(['1 v5', '2 v1']));
});

test('a message without rows makes the page fetch them', async () => {
  await loadedAt(10);
  specific.mockResolvedValueOnce({ rows: [row(1, { version: 6 })], seq: 14 });
  socket.modified({ roNumber: 1 });
  await waitFor(() => expect(versions()).toEqual(['1 v6']));
  expect(specific).toHaveBeenCalledWith(1);
});

test('a burst of messages without rows about an order fetches it once', async () => {
  await loadedAt(10);
  specific.mockResolvedValue({ rows: [row(1, { version: 6 })], seq: 14 });
  for (let hint = 0; hint < 5; hint++) socket.modified({ roNumber: 1 });
  await waitFor(() => expect(versions()).toEqual(['1 v6']));
  expect(specific).toHaveBeenCalledTimes(1);
});

test('a message without rows about a closed order removes it from the page', async () => {
  await loadedAt(10);
  specific.mockRejectedValueOnce(new ApiError(404, 'unknown-repair-order', 'There is no such order.'));
  list.mockResolvedValueOnce({ rows: [], seq: 12 });
  socket.modified({ roNumber: 1 });
  await waitFor(() => expect(versions()).toEqual([]));
});

test('the answer to a change and its message have the same effect, whichever comes first', async () => {
  await loadedAt(10);
  landRo(client, message(12, 3));
  const landed = cachedOrders(client).open.get(1)?.order;
  socket.modified(message(11, 3));
  socket.modified(message(12, 3));
  expect(cachedOrders(client).open.get(1)?.order).toBe(landed);
});

test('a numbered message whose rows could not be fetched leaves a gap, which the next tick finds', async () => {
  await loadedAt(10);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  specific.mockRejectedValueOnce(new Error('down'));
  socket.modified({ roNumber: 1, seq: 11 });
  list.mockResolvedValueOnce({ rows: [row(1, { version: 2 })], seq: 11 });
  socket.tick(pulse(11));
  await waitFor(() => expect(versions()).toEqual(['1 v2']));
});

describe('the page says', () => {
  const kind = () => currentFreshness().kind;
  const settled = () => new Promise((done) => setTimeout(done));

  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  });

  test('live once the list reaches what the server announced', async () => {
    list.mockResolvedValueOnce({ rows: [row(1)], seq: 10 });
    socket.onMessage();
    socket.hello(pulse(10));
    expect(kind()).toBe('connecting');
    await waitFor(() => expect(cachedOrders(client).listSeq).toBe(10));
    expect(kind()).toBe('live');
  });

  test('not live after a reconnect until the missed events are loaded', async () => {
    await loadedAt(10);
    socket.closed();
    let answer: (rows: RowsWithSeq) => void = () => undefined;
    list.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    expect(kind()).toBe('late');
    socket.onMessage();
    expect(kind()).toBe('catching-up');
    socket.hello(pulse(12));
    expect(kind()).toBe('catching-up');
    answer({ rows: [row(1)], seq: 12 });
    await waitFor(() => expect(kind()).toBe('live'));
  });

  test('catching up while missed events are replayed, and live with the hello that follows', async () => {
    await loadedAt(10);
    socket.closed();
    for (const missed of [message(11, 2), message(12, 3)]) {
      socket.onMessage();
      socket.modified(missed);
      expect(kind()).toBe('catching-up');
    }
    socket.onMessage();
    socket.hello(pulse(12), true);
    expect(kind()).toBe('live');
  });

  test('live at once after a reconnect without missed events', async () => {
    await loadedAt(10);
    socket.closed();
    socket.onMessage();
    socket.hello(pulse(10), true);
    expect(kind()).toBe('live');
  });

  test('that the load failed until one succeeds, whatever lands meanwhile', async () => {
    await loadedAt(10);
    const down = new Error('down');
    list.mockRejectedValueOnce(down);
    socket.hello(pulse(12));
    await waitFor(() => expect(listFailure()).toBe(down));
    socket.onMessage();
    socket.modified(message(13, 3));
    expect(versions()).toEqual(['1 v3']);
    expect(listFailure()).toBe(down);
    expect(kind()).toBe('stale');
    await settled();
    list.mockResolvedValueOnce({ rows: [row(1, { version: 3 })], seq: 13 });
    socket.tick(pulse(13));
    await waitFor(() => expect(kind()).toBe('live'));
    expect(listFailure()).toBeNull();
  });

  test('that the load failed when the list that came does not reach the gap', async () => {
    await loadedAt(10);
    list.mockRejectedValueOnce(new Error('down'));
    socket.hello(pulse(12));
    await waitFor(() => expect(listFailure()).not.toBeNull());
    list.mockResolvedValueOnce({ rows: [row(1)], seq: 11 });
    await client.fetchQuery({ ...openOrders, staleTime: 0 });
    expect(listFailure()).not.toBeNull();
    expect(kind()).toBe('stale');
  });

  test('that the first load failed, also while it is tried again', async () => {
    list.mockRejectedValueOnce(new Error('down'));
    await client.fetchQuery(openOrders).catch(() => undefined);
    expect(kind()).toBe('disconnected');
    list.mockReturnValueOnce(new Promise(() => undefined));
    socket.hello(pulse(10));
    await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    expect(kind()).toBe('disconnected');
    expect(listFailure()).not.toBeNull();
  });
});
