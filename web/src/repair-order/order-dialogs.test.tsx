import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { candidate } from '../api/candidate.fixture.ts';
import { fetchCandidates } from '../api/candidates.ts';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import {
  assignTechnician,
  type ChangedResult,
  dispatchOrders,
  type EntryResult,
  fetchTechnicians,
  type Row,
  reassignTechnician,
  unassignTechnician,
  undoChange,
  updatePriority,
} from '../api/repair-orders.ts';
import { technician } from '../api/technician.fixture.ts';
import { DISPLAYED_TIME } from '../shop/displayed-time.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { noPermissions, openDetails, plainControls } from './details.fixture.ts';
import { cachedOrders, landRo, openOrders } from './live-orders.ts';
import { closeDialog, type OpenDialog, openDialog, openWhenNoneIs } from './open-dialog.ts';
import { startAction } from './order-actions.ts';
import { emptyOrderCache, landList, type OrderCache } from './order-cache.ts';
import { OrderDialogs } from './order-dialogs.tsx';
import { row } from './rows.fixture.ts';
import { undoLast } from './undo.ts';

vi.mock('../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  sendPresence: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../api/candidates.ts', () => ({ fetchCandidates: vi.fn() }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
  updatePriority: vi.fn(),
  assignTechnician: vi.fn(),
  unassignTechnician: vi.fn(),
  reassignTechnician: vi.fn(),
  dispatchOrders: vi.fn(),
  undoChange: vi.fn(),
}));

const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };
const technicians = [
  technician(4, 'Joe Marsh', 'Engine'),
  technician(5, 'Kim Ito', 'Diesel'),
  technician(6, 'José Ángel', 'A/C'),
];

let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rows = [row(7), row(8), row(9, JOE)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  vi.mocked(fetchTechnicians).mockResolvedValue(technicians);
  vi.mocked(fetchCandidates).mockReset().mockResolvedValue([]);
  for (const call of [updatePriority, assignTechnician, unassignTechnician, reassignTechnician]) {
    vi.mocked(call).mockReset();
  }
  vi.mocked(dispatchOrders).mockReset();
  act(() => closeDialog());
});

function open(dialog: OpenDialog) {
  render(
    <QueryClientProvider client={client}>
      <OrderDialogs
        details={openDetails(null)}
        may={noPermissions}
        controls={plainControls}
        Story={() => null}
      />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
  act(() => openDialog(dialog));
}

function changedResult(roNumber: number, changes: Partial<Row>, version = 2): ChangedResult {
  return { roNumber, ok: true, version, seq: 10, rows: [row(roNumber, { version, ...changes })] };
}

const dana = { person: { uid: 'd', name: 'Dana Whitfield' }, at: Date.now() };
/** Somebody else's change, as the socket brings it. */
function lands(roNumber: number, changes: Partial<Row>, version = 2) {
  act(() =>
    landRo(client, {
      roNumber,
      rows: [row(roNumber, { version, ...changes })],
      version,
      seq: version,
      by: dana,
    }),
  );
}

/** The server's refusal: somebody else has made order 7 this. */
function staleWith(changes: Partial<Row>): ApiError {
  const current = {
    rows: [row(7, { version: 2, ...changes })],
    version: 2,
    changedBy: dana.person,
    changedAt: new Date(dana.at).toISOString(),
  };
  const refused = {
    ok: false,
    roNumber: 7,
    error: 'It has changed.',
    code: 'stale-version' as const,
    current,
  };
  return new ApiError(409, 'stale-version', refused.error, refused);
}

const dialog = (name: string) => screen.getByRole('dialog', { name });
const button = (name: string) => screen.getByRole('button', { name });
/** In the list of choices, and not in a menu above it. */
const option = async (name: RegExp) =>
  within((await screen.findAllByRole('listbox')).at(-1) as HTMLElement).findByRole('option', { name });

describe('update priority', () => {
  test('needs a chosen level, sends it with the seen version, and shows a toast', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' })]);
    open({ kind: 'priority', order: 7 });
    expect(dialog('Update Priority for RO 7')).toBeInTheDocument();
    expect(button('Update Priority')).toBeDisabled();
    expect(screen.getAllByRole('option').map((one) => one.textContent?.replace('Current', ''))).toEqual([
      'Waiting',
      'High',
      'Medium',
      'Low',
    ]);
    await user.click(await option(/^High/));
    await user.click(button('Update Priority'));
    expect(updatePriority).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 3);
    expect(await screen.findByText('Priority updated to High')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(cachedOrders(client).open.get(7)?.order.priority).toBe('High');
  });

  test('takes two keys, and shows Updating... meanwhile', async () => {
    let resolve: (results: ChangedResult[]) => void = () => undefined;
    vi.mocked(updatePriority).mockReturnValue(
      new Promise((done) => {
        resolve = done;
      }),
    );
    open({ kind: 'priority', order: 7 });
    await user.keyboard('m{Enter}');
    expect(updatePriority).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 2);
    expect(await screen.findByRole('button', { name: 'Updating...' })).toBeDisabled();
    await act(async () => resolve([changedResult(7, { priorityName: 'Medium' })]));
    expect(await screen.findByText('Priority updated to Medium')).toBeInTheDocument();
  });

  test('that is confirmed twice before the page can show the first is sent once', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' })]);
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    const form = screen.getByRole('listbox').closest('form') as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    expect(await screen.findByText('Priority updated to High')).toBeInTheDocument();
    expect(updatePriority).toHaveBeenCalledTimes(1);
  });

  test('that is refused shows a message and keeps the choice', async () => {
    vi.mocked(updatePriority).mockRejectedValue(new ApiError(0, 'network', 'gone'));
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h{Enter}');
    expect(await screen.findByText('Failed to update priority')).toBeInTheDocument();
    expect(await option(/^High/)).toHaveAttribute('aria-selected', 'true');
    await waitFor(() => expect(button('Update Priority')).toBeEnabled());
  });

  test('is closed by Cancel and by Escape', async () => {
    open({ kind: 'priority', order: 7 });
    await user.click(button('Cancel'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    act(() => openDialog({ kind: 'priority', order: 7 }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('a dialog that was closed', () => {
  test('does not close the next one when its answer comes', async () => {
    let answer: (results: ChangedResult[]) => void = () => undefined;
    vi.mocked(updatePriority).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h{Enter}');
    await user.click(button('Cancel'));
    act(() => openDialog({ kind: 'priority', order: 8 }));
    await act(async () => answer([changedResult(7, { priorityName: 'High' })]));
    expect(await screen.findByText('Priority updated to High')).toBeInTheDocument();
    expect(dialog('Update Priority for RO 8')).toBeInTheDocument();
  });

  /** Confirms a priority, closes the dialog, and has the server answer with a refusal. */
  async function refusedAfterClosing(failure: ApiError) {
    let refuse: (failure: ApiError) => void = () => undefined;
    vi.mocked(updatePriority).mockReturnValueOnce(
      new Promise((_, reject) => {
        refuse = reject;
      }),
    );
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h{Enter}');
    await user.click(button('Cancel'));
    await act(async () => refuse(failure));
  }

  test('says so where somebody else decided first', async () => {
    await refusedAfterClosing(staleWith({ priorityName: 'Medium' }));
    const detail = 'RO 7: Dana Whitfield was faster. Look at the order and choose again.';
    expect(await screen.findByText(detail)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText('Update Priority for RO 7')).toBeInTheDocument();
    expect(updatePriority).toHaveBeenCalledTimes(1);
  });

  test('sends again what crossed a change of another field', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' }, 3)]);
    await refusedAfterClosing(staleWith(JOE));
    expect(await screen.findByText('Priority updated to High')).toBeInTheDocument();
    expect(updatePriority).toHaveBeenLastCalledWith({ roNumber: 7, version: 2 }, 3);
  });
});

describe('two conflicts', () => {
  const conflict = (roNumber: number, priority: 'High' | 'Medium') => {
    const shown = cachedOrders(client).open.get(roNumber);
    if (shown === undefined) throw new Error(`RO ${roNumber} is not open.`);
    return { kind: 'conflict', shown, choice: { field: 'priority', priority } } as const;
  };

  test('are decided one after the other, each about its own order', async () => {
    const [first, second] = [conflict(7, 'High'), conflict(8, 'Medium')];
    vi.mocked(updatePriority).mockResolvedValue([changedResult(8, { priorityName: 'Medium' }, 3)]);
    open(first);
    act(() => openWhenNoneIs(second));
    lands(7, { priorityName: 'Waiting' });
    lands(8, { priorityName: 'Waiting' });
    expect(dialog('Update Priority for RO 7')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(dialog('Update Priority for RO 8')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Keep my choice' }));
    await user.click(button('Set Medium'));
    expect(vi.mocked(updatePriority).mock.calls).toEqual([[{ roNumber: 8, version: 2 }, 2]]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('of which one replaces the other leave nothing of the first', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(8, { priorityName: 'Medium' }, 3)]);
    open(conflict(7, 'High'));
    act(() => openDialog(conflict(8, 'Medium')));
    await user.click(button('Set Medium'));
    expect(vi.mocked(updatePriority).mock.calls).toEqual([[{ roNumber: 8, version: 1 }, 2]]);
  });
});

describe('an open dialog under which the data is restored from a backup', () => {
  /** Drawn in the next turn. */
  const setCachedOrders = (cache: OrderCache) =>
    act(async () => {
      client.setQueryData(openOrders.queryKey, cache);
      await new Promise((done) => setTimeout(done));
    });

  /** As the live picture does it: at first nothing is known. */
  async function restoredTo(...rows: Row[]) {
    noteEventLogReset(true);
    await setCachedOrders(emptyOrderCache);
    expect(screen.queryByText(/is not open in the restored data/)).not.toBeInTheDocument();
    await setCachedOrders(landList(emptyOrderCache, { rows, seq: 1 }, 0));
  }

  test('keeps the choice, shows a message, and sends it with the restored version', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' }, 2)]);
    lands(7, {}, 9);
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    await restoredTo(row(7, { version: 1 }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "The shop's data was restored from a backup. What you chose is kept.",
    );
    expect(await option(/^High/)).toHaveAttribute('aria-selected', 'true');
    await user.click(button('Update Priority'));
    expect(updatePriority).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 3);
  });

  test('cannot be sent before the restored data is there', async () => {
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    noteEventLogReset(true);
    await setCachedOrders(emptyOrderCache);
    expect(button('Update Priority')).toBeDisabled();
    await user.keyboard('{Enter}');
    expect(updatePriority).not.toHaveBeenCalled();
  });

  test('asks again where the decided field differs in the restored data', async () => {
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    await restoredTo(row(7, { version: 1, priorityName: 'Medium' }));
    expect(await screen.findByText('RO 7 as it is in the restored data:')).toBeInTheDocument();
    expect(button('Update Priority')).toBeDisabled();
    await user.click(button('Take what was restored'));
    expect(await option(/^Medium/)).toHaveAttribute('aria-selected', 'true');
  });

  test('leaves out an order that the restored data lacks', async () => {
    open({ kind: 'dispatch', orders: [7, 8] });
    await user.click(await option(/^Joe Marsh/));
    await restoredTo(row(8));
    expect(await screen.findByText('RO 7 is not open in the restored data')).toBeInTheDocument();
    await user.click(button('Leave it out'));
    vi.mocked(assignTechnician).mockResolvedValue([changedResult(8, JOE)]);
    await user.click(button('Dispatch'));
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 8, version: 1 }, 4);
  });

  test('clears the change to undo', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' })]);
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h{Enter}');
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument();
    await restoredTo(row(7));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument());
    await act(() => undoLast(client));
    expect(undoChange).not.toHaveBeenCalled();
  });
});

describe('a change by somebody else under an open dialog', () => {
  test('asks whether to keep the choice, which is then sent with the newer version', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' }, 3)]);
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    lands(7, { priorityName: 'Medium' });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(new RegExp(`Dana Whitfield changed RO 7 at ${DISPLAYED_TIME}`));
    expect(alert).toHaveTextContent('Priority: Low → Medium');
    expect(await option(/^High/)).toHaveAttribute('aria-selected', 'true');
    expect(button('Update Priority')).toBeDisabled();
    await user.click(button('Keep my choice'));
    await user.click(button('Update Priority'));
    expect(updatePriority).toHaveBeenCalledWith({ roNumber: 7, version: 2 }, 3);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('can replace the choice', async () => {
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    lands(7, { priorityName: 'Medium' });
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(await option(/^Medium/)).toHaveAttribute('aria-selected', 'true');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(updatePriority).not.toHaveBeenCalled();
  });

  test('asks the same question when only the server noticed it', async () => {
    vi.mocked(updatePriority).mockRejectedValueOnce(staleWith({ priorityName: 'Medium' }));
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Priority: Low → Medium');
    expect(await option(/^High/)).toHaveAttribute('aria-selected', 'true');
    expect(screen.queryByText('Failed to update priority')).not.toBeInTheDocument();
  });

  test('of another field is shown, and the choice is sent with the newer version', async () => {
    vi.mocked(updatePriority).mockResolvedValue([changedResult(7, { priorityName: 'High' }, 3)]);
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    lands(7, { ...JOE });
    expect(await screen.findByText(/Dana Whitfield changed RO 7:/)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(updatePriority).toHaveBeenCalledWith({ roNumber: 7, version: 2 }, 3);
  });

  test('that closed the order leaves nothing to send', async () => {
    open({ kind: 'priority', order: 7 });
    await user.keyboard('h');
    act(() => landRo(client, { roNumber: 7, rows: [], version: 2, seq: 2, by: dana }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Dana Whitfield closed RO 7');
    expect(button('Update Priority')).toBeDisabled();
    await user.click(button('Leave it out'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('dispatch', () => {
  test('shows name, specialty and load, and needs a technician', async () => {
    open({ kind: 'dispatch', orders: [7] });
    const joe = await option(/^Joe Marsh/);
    expect(joe).toHaveTextContent('Joe Marshhours not knownEngine · 1 open RO');
    expect(within(dialog('Dispatch RO 7')).getByRole('button', { name: 'Dispatch' })).toBeDisabled();
  });

  test('chooses by the first letters of a name and Enter', async () => {
    vi.mocked(assignTechnician).mockResolvedValue([changedResult(7, KIM)]);
    open({ kind: 'dispatch', orders: [7] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim{Enter}');
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 5);
    expect(await screen.findByText('Technician assigned successfully')).toBeInTheDocument();
  });

  test('of two matches Enter chooses the first, and the next Enter sends it', async () => {
    vi.mocked(assignTechnician).mockResolvedValue([changedResult(7, JOE)]);
    open({ kind: 'dispatch', orders: [7] });
    await option(/^Joe Marsh/);
    await user.keyboard('jo{Enter}');
    expect(assignTechnician).not.toHaveBeenCalled();
    expect(await option(/^Joe Marsh/)).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{Enter}');
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 4);
  });

  test('of several orders is one request', async () => {
    vi.mocked(dispatchOrders).mockResolvedValue([changedResult(7, KIM), changedResult(8, KIM)]);
    open({ kind: 'dispatch', orders: [7, 8] });
    expect(dialog('Batch Dispatch 2 ROs')).toBeInTheDocument();
    await option(/^Joe Marsh/);
    await user.keyboard('kim{Enter}');
    const versions = [
      { roNumber: 7, version: 1 },
      { roNumber: 8, version: 1 },
    ];
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions, 5]]);
    expect(await screen.findByText('Technician assigned successfully')).toBeInTheDocument();
    expect(screen.getByText('Kim Ito · 2 ROs')).toBeInTheDocument();
  });

  test('of several orders keeps a refused one in the dialog', async () => {
    const refused = { ok: false, roNumber: 8, error: 'Not this one.', code: 'repair-order-closed' as const };
    vi.mocked(dispatchOrders).mockResolvedValue([changedResult(7, KIM), refused]);
    open({ kind: 'dispatch', orders: [7, 8] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim{Enter}');
    expect(await screen.findByText('Failed to assign technician')).toBeInTheDocument();
    expect(screen.getByText('1 of 2 ROs: Not this one.')).toBeInTheDocument();
    expect(dialog('Batch Dispatch 1 ROs')).toBeInTheDocument();
  });

  test('of which the user leaves one out while they are sent does not bring it back', async () => {
    let answer: (results: EntryResult[]) => void = () => undefined;
    vi.mocked(dispatchOrders).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    open({ kind: 'dispatch', orders: [7, 8, 9] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim{Enter}');
    lands(8, JOE);
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
    const refused = (roNumber: number) => ({ ok: false, roNumber, error: 'No.', code: 'refused' }) as const;
    await act(async () => answer([changedResult(7, KIM), refused(8), refused(9)]));
    expect(await screen.findByText('Failed to assign technician')).toBeInTheDocument();
    expect(dialog('Batch Dispatch 1 ROs')).toBeInTheDocument();
  });

  test('leaves out orders that somebody else has dispatched meanwhile', async () => {
    vi.mocked(assignTechnician).mockResolvedValue([changedResult(7, KIM)]);
    open({ kind: 'dispatch', orders: [7, 8] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim');
    lands(8, JOE);
    expect(await screen.findByRole('alert')).toHaveTextContent('Technicians: Unassigned → Joe Marsh');
    await user.click(button('Take theirs'));
    await user.click(button('Dispatch'));
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 5);
  });

  test('asks about each order that somebody else has dispatched meanwhile by itself', async () => {
    const results = [changedResult(7, KIM, 3), changedResult(8, KIM, 3)];
    vi.mocked(dispatchOrders).mockResolvedValue(results);
    open({ kind: 'dispatch', orders: [7, 8] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim');
    lands(7, JOE);
    lands(8, JOE);
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
    const keep = async (roNumber: number) => {
      const asking = screen.getAllByRole('alert').find((one) => one.textContent?.includes(`RO ${roNumber} `));
      if (asking === undefined) throw new Error(`Nothing asks about RO ${roNumber}.`);
      await user.click(within(asking).getByRole('button', { name: 'Keep my choice' }));
    };
    await keep(7);
    expect(screen.getByRole('alert')).toHaveTextContent('Dana Whitfield changed RO 8');
    expect(button('Dispatch')).toBeDisabled();
    await keep(8);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await user.click(button('Dispatch'));
    const versions = [
      { roNumber: 7, version: 2 },
      { roNumber: 8, version: 2 },
    ];
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions, 5]]);
  });

  test('brings what somebody else has dispatched meanwhile into sight, and the focus to it', async () => {
    vi.mocked(fetchCandidates).mockResolvedValue([candidate(5, 'Kim Ito')]);
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
    open({ kind: 'dispatch', orders: [7, 8] });
    await waitFor(() => expect(button('Dispatch')).toHaveFocus());
    scrolled.mockClear();
    lands(8, JOE);
    const alert = await screen.findByRole('alert');
    expect(scrolled.mock.contexts).toEqual([alert]);
    expect(alert).toHaveFocus();
    // A change of an order that waits already is no other conflict.
    lands(8, { ...JOE, priorityName: 'High' }, 3);
    expect(await screen.findByText('High')).toBeInTheDocument();
    expect(scrolled).toHaveBeenCalledTimes(1);
    await user.click(button('Keep my choice'));
    expect(button('Dispatch')).toHaveFocus();
    scrolled.mockRestore();
  });

  test('does not take the focus for it from somebody who searches', async () => {
    open({ kind: 'dispatch', orders: [7, 8] });
    await option(/^Joe Marsh/);
    await user.keyboard('kim');
    lands(8, JOE);
    await screen.findByRole('alert');
    expect(screen.getByRole('combobox', { name: 'Technician' })).toHaveFocus();
  });

  test('names the best fit first, with reasons in words', async () => {
    vi.mocked(fetchCandidates).mockResolvedValue([
      {
        idTechnician: 6,
        displayName: 'José Ángel',
        specialty: 'A/C',
        levelName: 'Master',
        reasons: [
          { kind: 'skill', skillName: 'Brakes', wanted: 3, level: 4, state: 'has' },
          { kind: 'clock', state: 'idle' },
          { kind: 'portal', enabled: true },
          {
            kind: 'load',
            assignedHours: 2.5,
            dueHours: 1,
            dueTodayHours: 1.5,
            dueTodayJobsWithoutHours: 0,
            hoursLeftToday: 6,
            dailyHours: 8,
            openOrders: 1,
            jobsWithoutHours: 0,
          },
        ],
      },
      {
        idTechnician: 4,
        displayName: 'Joe Marsh',
        specialty: 'Engine',
        levelName: null,
        reasons: [
          { kind: 'skill', skillName: 'Brakes', wanted: 3, level: null, state: 'lacks' },
          { kind: 'clock', state: 'off' },
          { kind: 'portal', enabled: false },
        ],
      },
    ]);
    open({ kind: 'dispatch', orders: [7, 8] });
    await option(/^José Ángel/);
    expect(fetchCandidates).toHaveBeenCalledWith([7, 8], expect.anything());
    const list = within(screen.getByRole('listbox', { name: 'Technician' }));
    expect(list.getAllByRole('option').map((one) => one.textContent)).toEqual([
      'José ÁngelFree1.5 of 6 h promised todayA/C · Brakes level 4 · 1 h due before it · 1 open RO',
      'Joe MarshOff the clockhours not knownEngine · no Brakes · no portal · 1 open RO',
      'Kim Itohours not knownDiesel · 0 open ROs',
    ]);
  });

  test('is sorted by name when there is no ranking', async () => {
    vi.mocked(fetchCandidates).mockRejectedValue(new ApiError(503, 'unavailable', 'not now'));
    open({ kind: 'dispatch', orders: [7] });
    await option(/^Joe Marsh/);
    const names = () => screen.getAllByRole('option').map((one) => one.textContent?.slice(0, 3));
    expect(names()).toEqual(['Joe', 'Kim', 'Jos']);
  });

  test('shows a message when the technicians cannot be fetched, and retries', async () => {
    vi.mocked(fetchTechnicians).mockRejectedValueOnce(new ApiError(0, 'network', 'gone'));
    open({ kind: 'dispatch', orders: [7] });
    expect(await screen.findByText('Failed to fetch technicians')).toBeInTheDocument();
    await user.click(button('Try again'));
    expect(await option(/^Joe Marsh/)).toBeInTheDocument();
  });
});

describe('the technicians on an order', () => {
  test('get one more, who is not assigned yet', async () => {
    vi.mocked(assignTechnician).mockResolvedValue([changedResult(9, JOE)]);
    open({ kind: 'add', order: 9 });
    await option(/^Kim Ito/);
    expect(screen.queryByRole('option', { name: /^Joe Marsh/ })).not.toBeInTheDocument();
    expect(within(dialog('Add Technician')).getByRole('button', { name: 'Add Tech' })).toBeDisabled();
    await user.keyboard('kim{Enter}');
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 9, version: 1 }, 5);
  });

  test('are reassigned', async () => {
    vi.mocked(reassignTechnician).mockResolvedValue([changedResult(9, KIM)]);
    open({ kind: 'reassign', order: 9 });
    await option(/^Kim Ito/);
    expect(within(dialog('Reassign Technician')).getByRole('button', { name: 'Reassign' })).toBeDisabled();
    await user.keyboard('kim{Enter}');
    expect(reassignTechnician).toHaveBeenCalledWith({ roNumber: 9, version: 1 }, 4, 5);
    expect(await screen.findByText('Technician reassigned successfully')).toBeInTheDocument();
  });

  test('can be chosen when there are several to remove', async () => {
    const both = [row(9, { version: 2, ...JOE }), row(9, { version: 2, ...KIM })];
    act(() => landRo(client, { roNumber: 9, rows: both, version: 2, seq: 2 }));
    vi.mocked(unassignTechnician).mockResolvedValue([changedResult(9, JOE, 3)]);
    open({ kind: 'remove', order: 9 });
    const choice = dialog('Select Technician to Remove');
    expect(within(choice).getByRole('button', { name: 'Remove' })).toBeDisabled();
    await user.click(await option(/^Kim Ito/));
    await user.click(within(choice).getByRole('button', { name: 'Remove' }));
    expect(unassignTechnician).toHaveBeenCalledWith({ roNumber: 9, version: 2 }, 5);
    expect(await screen.findByText('Technician unassigned successfully')).toBeInTheDocument();
  });

  test('are removed without a question when there is only one, and that can be undone', async () => {
    vi.mocked(unassignTechnician).mockResolvedValue([changedResult(9, {})]);
    vi.mocked(undoChange).mockResolvedValue([changedResult(9, JOE, 3)]);
    render(<Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />);
    await act(async () => startAction(client, 'remove', 9));
    expect(unassignTechnician).toHaveBeenCalledWith({ roNumber: 9, version: 1 }, 4);
    expect(await screen.findByText('Technician unassigned successfully')).toBeInTheDocument();
    await user.click(button('Undo'));
    expect(undoChange).toHaveBeenCalledWith(9, 10);
    expect(await screen.findByText('Change undone')).toBeInTheDocument();
    expect(cachedOrders(client).open.get(9)?.order.technician).toBe('Joe Marsh');
  });
});
