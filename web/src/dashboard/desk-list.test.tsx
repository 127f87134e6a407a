import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { BrowserRouter } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Hold } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { shopStages } from '../repair-order/stages.ts';
import { Dashboard } from './dashboard.tsx';

vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));

// Loading the code for the first time takes as long as the machine is busy.
beforeAll(async () => {
  await Promise.all([import('./stage-board.tsx'), import('./dialogs.tsx'), loadTexts(stageTexts)]);
}, 120_000);

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const due: Hold = {
  id: 3,
  reason: 'parts',
  whoActs: 'parts',
  since: hoursAgo(5),
  expectedUntil: hoursAgo(1),
};

/** The stage view. Order 1 has a hold that is due. */
function show(filter: string) {
  history.replaceState(null, '', `/?show=stages&stage=${filter}`);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rows = [row(1, { stage: 'in-work', holds: [due] }), row(2, { stage: 'ready' })];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  client.setQueryData(shopStages.queryKey, someStages);
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Dashboard />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

const column = (name: string) => screen.findByRole('region', { name });

test('with the filter for holds that are due all stages have their column, with those cars', async () => {
  show('due-holds');
  expect(await column('In work: 1 car')).toBeInTheDocument();
  expect(await column('To be dispatched: 0 cars')).toBeInTheDocument();
  expect(await column('Ready: 0 cars')).toBeInTheDocument();
});

test('with the filter for a stage its column alone is there', async () => {
  show('ready');
  expect(await column('Ready: 1 car')).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: /^In work/ })).not.toBeInTheDocument();
});
