// Dialogs that an answer of the server opens: whoever has gone on to something else by then loses nothing that they
// type, and presses nothing there that they have not read.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, unassignTechnician } from '../api/repair-orders.ts';
import { type Hold, setStage } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { currentToast } from '../ui/toaster.ts';
import { changesOf } from './change-execution.ts';
import { noPermissions, openDetails, plainControls } from './details.fixture.ts';
import { DialogHost } from './dialog-host.fixture.ts';
import { cachedOrders, openOrders } from './live-orders.ts';
import { closeDialog, currentDialog, type OpenDialog, openDialog } from './open-dialog.ts';
import { startAction } from './order-actions.ts';
import { emptyOrderCache, landList, type OpenOrder } from './order-cache.ts';
import { OrderDialogs } from './order-dialogs.tsx';
import { row } from './rows.fixture.ts';

vi.mock('../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  sendPresence: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  setStage: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  unassignTechnician: vi.fn(),
}));

const parts: Hold = { id: 3, reason: 'parts', whoActs: 'parts', since: '2026-03-02T14:00:00Z' };
const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };
const toWash = { field: 'stage', stage: 'wash', name: 'Wash', endHolds: false } as const;
const onHold = new ApiError(409, 'on-hold', 'It is on hold.');

let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeAll(() => loadTexts(stageTexts));
beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rows = [row(7, { stage: 'in-work', holds: [parts] }), row(8), row(9, JOE)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  vi.mocked(setStage).mockReset();
  vi.mocked(unassignTechnician).mockReset();
  act(() => closeDialog());
});

/** The desk's dialogs, and a field beside them. */
function open(dialog: OpenDialog | null) {
  render(
    <QueryClientProvider client={client}>
      <input aria-label="Search" />
      <OrderDialogs
        details={openDetails(null)}
        may={noPermissions}
        controls={plainControls}
        Story={() => null}
      />
      <DialogHost />
    </QueryClientProvider>,
  );
  if (dialog !== null) act(() => openDialog(dialog));
}

function shown(roNumber: number): OpenOrder {
  const order = cachedOrders(client).open.get(roNumber);
  if (order === undefined) throw new Error('There is no such order.');
  return order;
}

/** Picks a stage for order 7. Returns the answer that its hold keeps it. */
function pickStage(): () => Promise<void> {
  let refuse: (failure: unknown) => void = () => undefined;
  vi.mocked(setStage).mockReturnValueOnce(
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  const picked = changesOf(client).pick(shown(7), toWash);
  return () =>
    act(async () => {
      refuse(onHold);
      await picked;
    });
}

const dialog = (name: string) => screen.getByRole('dialog', { name });
const QUESTION = 'Move 7 to Wash?';
const note = () => screen.getByRole('textbox', { name: 'Note' });

test('one waits while another dialog is open: nothing that is typed there is lost', async () => {
  open(null);
  const answer = pickStage();
  act(() => openDialog({ kind: 'hold', order: 8, hold: null }));
  await user.type(note(), 'Brake p');
  await answer();
  expect(screen.queryByRole('dialog', { name: QUESTION })).toBeNull();
  await user.keyboard('ads');
  expect(note()).toHaveValue('Brake pads');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(dialog(QUESTION)).toBeInTheDocument();
});

test('no key that was meant for a field ends the holds, and the question stays', async () => {
  open(null);
  const answer = pickStage();
  await user.type(screen.getByRole('textbox', { name: 'Search' }), 'brakes');
  await answer();
  expect(dialog(QUESTION)).toHaveFocus();
  await user.keyboard(' {Enter}x');
  expect(dialog(QUESTION)).toBeInTheDocument();
  expect(setStage).toHaveBeenCalledTimes(1);
});

test('the holds end by its button, which is reached by Tab', async () => {
  open(null);
  await pickStage()();
  vi.mocked(setStage).mockResolvedValueOnce([changedResult(7, { stage: 'wash', holds: [] })]);
  await user.keyboard('{Tab}{Tab}{Tab}{Enter}');
  expect(setStage).toHaveBeenLastCalledWith({ roNumber: 7, version: 1 }, 'wash', true);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('none is opened that nobody would see: a toast says why the order did not move', async () => {
  await pickStage()();
  expect(currentDialog()).toBeNull();
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'The stage could not be changed',
    detail: 'RO 7: The car still waits. The desk ends the hold first.',
  });
});

test('what the answer to a dialog asks takes the place of that dialog', async () => {
  open({ kind: 'conflict', shown: shown(7), choice: toWash });
  vi.mocked(setStage).mockRejectedValueOnce(onHold);
  await user.click(screen.getByRole('button', { name: 'Set Wash' }));
  expect(await screen.findByRole('dialog', { name: QUESTION })).toHaveFocus();
});

test('which of several technicians is removed waits, too, and no letter chooses one', async () => {
  open(null);
  vi.mocked(unassignTechnician).mockRejectedValueOnce(staleWith(9, [JOE, KIM]));
  act(() => startAction(client, 'remove', 9));
  act(() => openDialog({ kind: 'priority', order: 8 }));
  await act(async () => undefined);
  expect(dialog('Update Priority for RO 8')).toBeInTheDocument();
  act(() => closeDialog());
  expect(dialog('Select Technician to Remove')).toHaveFocus();
  await user.keyboard('kim{Enter}');
  expect(screen.queryByRole('option', { selected: true })).toBeNull();
  expect(unassignTechnician).toHaveBeenCalledTimes(1);
});

function changedResult(roNumber: number, changes: Partial<Row>): ChangedResult {
  return { roNumber, ok: true, version: 2, seq: 10, rows: [row(roNumber, { version: 2, ...changes })] };
}

/** The server's refusal: these have been assigned to the order meanwhile. */
function staleWith(roNumber: number, technicians: Partial<Row>[]): ApiError {
  const rows = technicians.map((one) => row(roNumber, { version: 2, ...one }));
  const current = { rows, version: 2, changedBy: null, changedAt: null };
  const refused = { ok: false, code: 'stale-version', error: 'It has changed.', roNumber, current } as const;
  return new ApiError(409, 'stale-version', 'It has changed.', refused);
}
