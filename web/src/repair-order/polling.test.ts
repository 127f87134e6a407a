import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchActivity, fetchNextBatch } from '../api/repair-orders.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { pollDelay, pollNewOrders } from './polling.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', () => ({ fetchActivity: vi.fn(), fetchNextBatch: vi.fn() }));

const activity = vi.mocked(fetchActivity);
const batch = vi.mocked(fetchNextBatch);
const MINUTE = 60_000;
let stop: () => void = () => undefined;

function poll(cache = landList(emptyOrderCache, { rows: [row(7), row(41)], seq: 1 }, 0)) {
  const orders = { cache: () => cache, land: vi.fn(), loadAll: vi.fn(async () => undefined) };
  stop = pollNewOrders(orders);
  return orders;
}

beforeEach(() => {
  vi.useFakeTimers();
  activity.mockReset().mockResolvedValue({ totalUpdates: 0, uniqueROsUpdated: 0 });
  batch.mockReset().mockResolvedValue({ rows: [], seq: 1 });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test.each([
  [{ empty: 0, busy: false }, 60_000],
  [{ empty: 0, busy: true }, 30_000],
  [{ empty: 5, busy: false }, 60_000],
  [{ empty: 6, busy: false }, 300_000],
  [{ empty: 6, busy: true }, 300_000],
])('after %o it polls again in %i ms', (polled, ms) => {
  expect(pollDelay(polled)).toBe(ms);
});

test('each minute it fetches the orders after the last number, and lands each', async () => {
  const orders = poll();
  const rows = [row(42), row(43), row(43, { regularIdTechnician: 5 })];
  batch.mockResolvedValueOnce({ rows, seq: 9 });
  await vi.advanceTimersByTimeAsync(MINUTE - 1);
  expect(batch).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(batch).toHaveBeenCalledWith(42);
  expect(orders.land.mock.calls).toEqual([
    [42, [rows[0]], 9],
    [43, [rows[1], rows[2]], 9],
  ]);
});

test('without any order it polls from number 1', async () => {
  poll(emptyOrderCache);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(batch).toHaveBeenCalledWith(1);
});

test.each([
  ['updates', { totalUpdates: 11, uniqueROsUpdated: 1 }],
  ['orders updated', { totalUpdates: 6, uniqueROsUpdated: 6 }],
])('many %s make the page poll every 30 s', async (_, metrics) => {
  activity.mockResolvedValue(metrics);
  poll();
  await vi.advanceTimersByTimeAsync(MINUTE);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(batch).toHaveBeenCalledTimes(2);
});

test('ten updates of five orders are not many', async () => {
  activity.mockResolvedValue({ totalUpdates: 10, uniqueROsUpdated: 5 });
  poll();
  await vi.advanceTimersByTimeAsync(MINUTE + 59_999);
  expect(batch).toHaveBeenCalledTimes(1);
});

test('the activity is fetched at most every five minutes', async () => {
  batch.mockResolvedValue({ rows: [row(42)], seq: 2 });
  poll();
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(activity).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(activity).toHaveBeenCalledTimes(2);
});

test('after six empty polls in a row it polls every five minutes until an order comes', async () => {
  poll();
  await vi.advanceTimersByTimeAsync(6 * MINUTE);
  expect(batch).toHaveBeenCalledTimes(6);
  batch.mockResolvedValueOnce({ rows: [row(42)], seq: 2 });
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(batch).toHaveBeenCalledTimes(7);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(batch).toHaveBeenCalledTimes(8);
});

test('the whole list is loaded again once an hour at most', async () => {
  batch.mockResolvedValue({ rows: [row(42)], seq: 2 });
  const orders = poll();
  await vi.advanceTimersByTimeAsync(59 * MINUTE);
  expect(orders.loadAll).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(orders.loadAll).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(55 * MINUTE);
  expect(orders.loadAll).toHaveBeenCalledTimes(1);
});

test('a failed poll is followed by the next', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  batch.mockRejectedValueOnce(new Error('gone'));
  const orders = poll();
  await vi.advanceTimersByTimeAsync(MINUTE);
  batch.mockResolvedValueOnce({ rows: [row(42)], seq: 9 });
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(orders.land).toHaveBeenCalledTimes(1);
});
