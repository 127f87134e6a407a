import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchStages, type ShopStages } from '../api/stages.ts';
import { deleteSavedScreens } from '../offline/saved-screens.ts';
import { useStages } from '../repair-order/stages.ts';
import { useKeptStages } from './kept-stages.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  fetchStages: vi.fn(),
}));

const inUse: ShopStages = { enabled: true, fileOwnsStage: false, stages: [] };

beforeEach(deleteSavedScreens);

/** A portal that opens. */
function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const use = () => {
    useKeptStages();
    return useStages();
  };
  return renderHook(use, { wrapper });
}

test('a portal that opens without a connection has the stages of the last time, and their buttons', async () => {
  vi.mocked(fetchStages).mockResolvedValue(inUse);
  const before = open();
  await waitFor(() => expect(before.result.current).not.toBeNull());
  before.unmount();
  vi.mocked(fetchStages).mockRejectedValue(new ApiError(0, 'network', 'Away.'));
  const { result } = open();
  await waitFor(() => expect(result.current).not.toBeNull());
});
