import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, dispatchOrders, undoChange, updatePriority } from '../api/repair-orders.ts';
import { setStage } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { changesOf } from '../repair-order/change-execution.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { MAX_RECENT_CHANGES } from '../repair-order/recent-changes.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { undoByKey } from '../repair-order/undo.ts';
import { RecentChangesTray } from './recent-changes-tray.tsx';

vi.mock('../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  updatePriority: vi.fn(),
  dispatchOrders: vi.fn(),
  undoChange: vi.fn(),
}));

vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  setStage: vi.fn(),
}));

let client: QueryClient;
let seq = 10;

// Loaded when first asked for; here beforehand, so that no test waits for it.
beforeAll(async () => {
  await import('./recent-changes-list.tsx');
  await loadTexts(stageTexts);
}, 120_000);
beforeEach(() => {
  client = new QueryClient();
  const rows = [row(7, { customer: 'SULLIVAN,TED' }), row(8)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  vi.mocked(undoChange).mockReset();
});

function changed(roNumber: number, changes: Parameters<typeof row>[1]): ChangedResult {
  seq++;
  return { ok: true, roNumber, seq, version: seq, rows: [row(roNumber, { version: seq, ...changes })] };
}

async function setPriority(priority: 'High' | 'Medium') {
  vi.mocked(updatePriority).mockResolvedValueOnce([
    changed(7, { customer: 'SULLIVAN,TED', priorityName: priority }),
  ]);
  await act(() => changesOf(client).send({ roNumber: 7, version: 1 }, { field: 'priority', priority }));
}

function showDesk() {
  render(
    <QueryClientProvider client={client}>
      <RecentChangesTray />
    </QueryClientProvider>,
  );
}

async function openTray() {
  showDesk();
  await userEvent.keyboard('{Shift>}Z{/Shift}');
  return within(await screen.findByRole('dialog', { name: 'Your last changes' }));
}

test('each change is listed with what was displayed before it, the newest first, and undone from there', async () => {
  await setPriority('High');
  const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
  vi.mocked(dispatchOrders).mockResolvedValueOnce([
    changed(7, { customer: 'SULLIVAN,TED', priorityName: 'High', ...JOE }),
    changed(8, JOE),
  ]);
  await act(() =>
    changesOf(client).dispatch([{ technician: 4, orders: [{ roNumber: 7 }, { roNumber: 8 }] }]),
  );
  const tray = await openTray();
  const [batch, priority] = tray.getAllByRole('listitem');
  expect(batch).toHaveTextContent('2 ROs: 7, 8Technicians: Unassigned → Joe Marsh');
  expect(priority).toHaveTextContent('RO 7 · Sullivan, TedPriority: Low → High');

  const prioritySeq = seq - 2;
  vi.mocked(undoChange).mockResolvedValueOnce([
    changed(7, { customer: 'SULLIVAN,TED', priorityName: 'Low', ...JOE }),
  ]);
  await userEvent.click(tray.getByRole('button', { name: 'Undo: RO 7 · Sullivan, Ted' }));
  expect(undoChange).toHaveBeenCalledExactlyOnceWith(7, prioritySeq);
  await waitFor(() => expect(priority).toHaveTextContent('Undone'));
  expect(tray.queryByRole('button', { name: 'Undo: RO 7 · Sullivan, Ted' })).not.toBeInTheDocument();
});

test('the key that undoes opens the tray instead, where the last change is older than five minutes', async () => {
  showDesk();
  await setPriority('High');
  const madeAt = Date.now();
  const now = vi.spyOn(Date, 'now').mockReturnValue(madeAt + 6 * 60_000);
  await act(() => undoByKey(client));
  now.mockRestore();
  const tray = within(await screen.findByRole('dialog', { name: 'Your last changes' }));
  expect(tray.getAllByRole('listitem')[0]).toHaveTextContent('Priority: Low → High');
  expect(undoChange).not.toHaveBeenCalled();
});

test('a change that a later one covers says so', async () => {
  await setPriority('High');
  await setPriority('Medium');
  const tray = await openTray();
  const [later, first] = tray.getAllByRole('listitem');
  expect(within(later as HTMLElement).getByRole('button', { name: /^Undo/ })).toBeInTheDocument();
  expect(first).toHaveTextContent('Priority changed since: Medium');
  expect(within(first as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

test('what the server refuses says its reason; what did not reach it can be tried again', async () => {
  await setPriority('High');
  const tray = await openTray();
  const [first] = tray.getAllByRole('listitem');
  const undoButton = () => within(first as HTMLElement).getByRole('button', { name: /^Undo/ });
  vi.mocked(undoChange).mockRejectedValueOnce(new ApiError(0, 'network', 'The server could not be reached.'));
  await userEvent.click(undoButton());
  await waitFor(() => expect(undoButton()).toBeEnabled());
  vi.mocked(undoChange).mockRejectedValueOnce(
    new ApiError(409, 'changed-since', 'The priority of repair order 7 has changed since'),
  );
  await userEvent.click(undoButton());
  await waitFor(() => expect(first).toHaveTextContent(/changed since/));
  expect(within(first as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

test('after the data was loaded anew nothing is undone from the tray', async () => {
  await setPriority('High');
  const tray = await openTray();
  act(() => noteEventLogReset(true));
  const [first] = tray.getAllByRole('listitem');
  expect(first).toHaveTextContent('All orders were loaded anew since');
  expect(within(first as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

test('the oldest changes leave the tray', async () => {
  for (let made = 0; made < MAX_RECENT_CHANGES; made++) await setPriority(made % 2 === 0 ? 'High' : 'Medium');
  const tray = await openTray();
  expect(tray.getAllByRole('listitem')).toHaveLength(MAX_RECENT_CHANGES);
  await setPriority('High');
  expect(tray.getAllByRole('listitem')).toHaveLength(MAX_RECENT_CHANGES);
});

test('a change of a stage is listed as its toast said it', async () => {
  vi.mocked(setStage).mockResolvedValueOnce([changed(7, { customer: 'SULLIVAN,TED', stage: 'wash' })]);
  const choice = { field: 'stage', stage: 'wash', name: 'Wash', endHolds: false } as const;
  await act(() => changesOf(client).send({ roNumber: 7, version: 1 }, choice));
  const tray = await openTray();
  expect(tray.getByText('Stage: Wash')).toBeInTheDocument();
  expect(tray.queryByText('Job changed')).not.toBeInTheDocument();
});
