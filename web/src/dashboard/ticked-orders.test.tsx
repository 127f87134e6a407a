import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { candidate } from '../api/candidate.fixture.ts';
import { assignTechnician } from '../api/repair-orders.ts';
import { technician } from '../api/technician.fixture.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { openDialog } from '../repair-order/open-dialog.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Dashboard } from './dashboard.tsx';

vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));
vi.mock('../api/candidates.ts', () => ({ fetchCandidates: async () => [candidate(4, 'Joe Marsh')] }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchFigures: () => new Promise(() => undefined),
  fetchTechnicians: async () => [technician(4, 'Joe Marsh', 'Engine')],
  assignTechnician: vi.fn(),
}));

// Loading the dialogs' code for the first time takes as long as the machine is busy.
beforeAll(async () => {
  await import('./dialogs.tsx');
}, 120_000);

test('ticked orders stay ticked when another one is dispatched', async () => {
  // jsdom has no layout: without a height no row would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  const user = userEvent.setup();
  history.replaceState(null, '', '/?tab=unassigned');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rows = [row(3), row(2), row(1)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  const assigned = row(2, { version: 2, regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' });
  vi.mocked(assignTechnician).mockResolvedValue([
    { ok: true, roNumber: 2, version: 2, seq: 5, rows: [assigned] },
  ]);
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Dashboard />
      </BrowserRouter>
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('checkbox', { name: 'Select RO 1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select RO 2' }));
  expect(screen.getByText('2 RO(s) selected')).toBeInTheDocument();
  openDialog({ kind: 'dispatch', orders: [2] });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Dispatch' })).toBeEnabled());
  await user.click(screen.getByRole('button', { name: 'Dispatch' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText('1 RO(s) selected')).toBeInTheDocument();
  expect(screen.getByRole('checkbox', { name: 'Select RO 1' })).toBeChecked();
});
