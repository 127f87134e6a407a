import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Figures, fetchFigures } from '../api/repair-orders.ts';
import { landRo, openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { MIN_INTERVAL_MS, useFigures } from './summary-figures.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchFigures: vi.fn(),
}));

const fetch = vi.mocked(fetchFigures);
const none = { value: null, yesterday: null };
const completed = (value: number): Figures => ({
  completedToday: { value, yesterday: 0 },
  averageWaitMs: none,
  used: {
    completed: none,
    averageBeforeServiceMs: none,
    averageInServiceMs: none,
    averageWithTechnicianMs: none,
  },
});

let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  fetch.mockReset();
  fetch.mockResolvedValue(completed(0));
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** A screen with three open orders that has settled. */
async function open() {
  const Screen = () => <p>completed: {useFigures()?.completedToday.value ?? 'nobody knows'}</p>;
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Screen />
    </QueryClientProvider>,
  );
  await act(async () => {
    const list = { rows: [row(1), row(2), row(3)], seq: 10 };
    client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, list, 0));
  });
  await wait(0);
  return unmount;
}

async function close(roNumber: number, seq: number) {
  await act(async () => landRo(client, { roNumber, rows: [], version: 2, seq }));
  await wait(0);
}

test('figures are loaded when the desk opens and each minute, and not by the first list', async () => {
  await open();
  expect(fetch).toHaveBeenCalledTimes(1);
  await wait(59_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  await wait(1_000);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('after an order is closed the figures are loaded at once, and again when the server has counted', async () => {
  await open();
  await close(1, 11);
  expect(fetch).toHaveBeenCalledTimes(2);
  await wait(MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(3);
  await wait(5 * MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(3);
});

test('the figures are loaded every five seconds at most, however many orders are closed', async () => {
  await open();
  await close(1, 11);
  await close(2, 12);
  await wait(MIN_INTERVAL_MS - 100);
  await close(3, 13);
  expect(fetch).toHaveBeenCalledTimes(2);
  await wait(100);
  expect(fetch).toHaveBeenCalledTimes(3);
  // That one may have been counted before the third was closed.
  await wait(MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(4);
  await wait(3 * MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(4);
});

test('a change that opens or closes no order loads nothing', async () => {
  await open();
  await act(async () =>
    landRo(client, {
      roNumber: 1,
      rows: [row(1, { version: 2, priorityName: 'High' })],
      version: 2,
      seq: 11,
    }),
  );
  await wait(2 * MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a failed load keeps the figures', async () => {
  fetch.mockResolvedValueOnce(completed(4));
  await open();
  expect(screen.getByText('completed: 4')).toBeInTheDocument();
  fetch.mockRejectedValue(new Error('down'));
  await close(1, 11);
  await wait(MIN_INTERVAL_MS);
  expect(fetch).toHaveBeenCalledTimes(3);
  expect(screen.getByText('completed: 4')).toBeInTheDocument();
});

test('a failed first load shows a dash, and the next load follows', async () => {
  fetch.mockRejectedValueOnce(new Error('down'));
  await open();
  expect(screen.getByText('completed: nobody knows')).toBeInTheDocument();
  fetch.mockResolvedValueOnce(completed(4));
  await wait(60_001);
  expect(screen.getByText('completed: 4')).toBeInTheDocument();
});

test('a closed desk loads nothing', async () => {
  const leave = await open();
  await close(1, 11);
  leave();
  await wait(120_000);
  expect(fetch).toHaveBeenCalledTimes(2);
});
