import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { searchRepairOrders } from '../api/repair-orders.ts';
import { useClosedSuggestions } from './use-closed-suggestions.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  searchRepairOrders: vi.fn(async () => ({ orders: [], next: null })),
}));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the server is asked once typing has paused, not at every key', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender, result } = renderHook(({ typed }) => useClosedSuggestions(typed), {
    initialProps: { typed: '' },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  for (const typed of ['le', 'lee', 'lee ']) {
    rerender({ typed });
    await act(() => vi.advanceTimersByTimeAsync(299));
  }
  expect(searchRepairOrders).not.toHaveBeenCalled();
  expect(result.current.isSearching).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(searchRepairOrders).toHaveBeenCalledExactlyOnceWith(
    { q: 'lee', closed: true, limit: 50 },
    expect.anything(),
  );
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(result.current.isSearching).toBe(false);
});
