import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchNameMatches, fetchUnmatchedNames } from '../api/unmatched-names.ts';
import { nameMatches, unmatchedNames } from './unmatched-names.ts';

vi.mock('../api/unmatched-names.ts', () => ({ fetchUnmatchedNames: vi.fn(), fetchNameMatches: vi.fn() }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('what files name and what others say of it is loaded again every half minute', async () => {
  vi.mocked(fetchUnmatchedNames).mockResolvedValue([]);
  vi.mocked(fetchNameMatches).mockResolvedValue([]);
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  renderHook(() => [useQuery(unmatchedNames).data, useQuery(nameMatches).data], { wrapper });
  await pass(29_000);
  expect(fetchUnmatchedNames).toHaveBeenCalledTimes(1);
  expect(fetchNameMatches).toHaveBeenCalledTimes(1);
  await pass(2_000);
  expect(fetchUnmatchedNames).toHaveBeenCalledTimes(2);
  expect(fetchNameMatches).toHaveBeenCalledTimes(2);
});
