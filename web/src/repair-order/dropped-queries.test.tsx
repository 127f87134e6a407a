import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fetchPromises } from '../api/promises.ts';
import { fetchStages } from '../api/stages.ts';
import { useLivePromises, usePromise } from './promises.ts';
import { someStages } from './stages.fixture.ts';
import { useStages } from './stages.ts';

vi.mock('../api/socket.ts', () => ({ onSocketMessage: () => () => undefined }));
vi.mock('../api/stages.ts', () => ({ fetchStages: vi.fn() }));
vi.mock('../api/promises.ts', () => ({ fetchPromises: vi.fn() }));

function Screen() {
  const stages = useStages();
  useLivePromises(true);
  const promise = usePromise(4389);
  return (
    <p>
      {stages === null ? 'no stages' : 'stages'}, {promise === null ? 'no promise' : promise.state}
    </p>
  );
}

test('stages and promises that were dropped under a screen are loaded again', async () => {
  vi.mocked(fetchStages).mockResolvedValue(someStages);
  vi.mocked(fetchPromises).mockResolvedValue([{ roNumber: 4389, state: 'on-time' } as never]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Screen />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('stages, on-time')).toBeVisible();
  vi.mocked(fetchPromises).mockResolvedValue([{ roNumber: 4389, state: 'late' } as never]);
  // As the page does after the shop's data was restored.
  act(() => client.removeQueries({ type: 'inactive' }));
  expect(await screen.findByText('stages, late')).toBeVisible();
  expect(fetchStages).toHaveBeenCalledTimes(2);
});
