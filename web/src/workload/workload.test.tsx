import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchWorkload } from '../api/technicians.ts';
import { workload } from './workload.ts';

vi.mock('../api/technicians.ts', () => ({ fetchWorkload: vi.fn() }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('the workload is loaded again every minute, since the hours that are left go by', async () => {
  vi.mocked(fetchWorkload).mockResolvedValue([]);
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  renderHook(() => useQuery(workload).data, { wrapper });
  await pass(59_000);
  expect(fetchWorkload).toHaveBeenCalledTimes(1);
  await pass(2_000);
  expect(fetchWorkload).toHaveBeenCalledTimes(2);
});
