import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { listRepairOrders, type RowsWithSeq } from '../api/repair-orders.ts';
import { openSocket, type SocketListener } from '../api/socket.ts';
import { useLiveOrders } from '../repair-order/live-connection.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Dashboard } from './dashboard.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  listRepairOrders: vi.fn(),
  fetchFigures: () => new Promise(() => undefined),
}));
vi.mock('../api/socket.ts', () => ({
  openSocket: vi.fn(() => () => undefined),
  onSocketMessage: () => () => undefined,
}));
vi.mock('../api/receipts.ts', () => ({ fetchReceipts: async () => [] }));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));

const list = vi.mocked(listRepairOrders);
const pulse = (seq: number) => ({ seq, now: '2026-03-02T14:00:00Z' });
const FAILED = 'Repair orders could not be loaded';

beforeEach(() => {
  list.mockReset();
  vi.mocked(openSocket).mockClear();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

function show(): SocketListener {
  const Screen = () => {
    useLiveOrders();
    return <Dashboard />;
  };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const socket = vi.mocked(openSocket).mock.calls[0]?.[0];
  if (socket === undefined) throw new Error('no socket was opened');
  return socket;
}

test('a failed first list stays marked as failed while it is retried', async () => {
  list.mockRejectedValueOnce(new Error('down'));
  const socket = show();
  const failed = await screen.findByText(FAILED);
  // Nothing is known of the others, so that nothing is counted.
  const overdue = () => screen.getByRole('button', { name: /^Overdue/ });
  expect(overdue()).toHaveTextContent(/^Overdue –$/);

  let answer: (rows: RowsWithSeq) => void = () => undefined;
  list.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await act(async () => socket.hello(pulse(10)));
  expect(list).toHaveBeenCalledTimes(2);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeDisabled());
  expect(failed).toBeInTheDocument();

  await act(async () => answer({ rows: [row(1)], seq: 10 }));
  await waitFor(() => expect(failed).not.toBeInTheDocument());
  expect(overdue()).toHaveTextContent(/^Overdue \d$/);
});

test('the stale banner stays while rows land until the list is loaded again', async () => {
  list.mockResolvedValueOnce({ rows: [row(1)], seq: 10 });
  const socket = show();
  await act(async () => socket.hello(pulse(10)));
  const banner = () => screen.queryByText(new RegExp(`^${FAILED}: down`));
  expect(banner()).not.toBeInTheDocument();

  list.mockRejectedValueOnce(new Error('down'));
  await act(async () => socket.tick(pulse(12)));
  await waitFor(() => expect(banner()).toBeInTheDocument());
  await act(async () => {
    socket.modified({ roNumber: 1, rows: [row(1, { version: 3 })], version: 3, seq: 13 });
  });
  expect(banner()).toBeInTheDocument();

  list.mockResolvedValueOnce({ rows: [row(1, { version: 3 })], seq: 13 });
  await act(async () => socket.tick(pulse(13)));
  await waitFor(() => expect(banner()).not.toBeInTheDocument());
});
