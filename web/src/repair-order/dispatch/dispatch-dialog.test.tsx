import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { brakes, candidate } from '../../api/candidate.fixture.ts';
import { type Candidate, fetchCandidates } from '../../api/candidates.ts';
import { ApiError } from '../../api/http.ts';
import {
  assignTechnician,
  type ChangedResult,
  dispatchOrders,
  fetchTechnicians,
  undoChange,
} from '../../api/repair-orders.ts';
import { technician } from '../../api/technician.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { openOrders } from '../live-orders.ts';
import { emptyOrderCache, landList } from '../order-cache.ts';
import { row } from '../rows.fixture.ts';
import { RANKING_TIMEOUT_MS } from '../technician-ranking.ts';
import { undoLast } from '../undo.ts';
import { DispatchDialog } from './dispatch-dialog.tsx';

vi.mock('../../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  sendPresence: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../../api/candidates.ts', () => ({ fetchCandidates: vi.fn() }));
vi.mock('../../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
  assignTechnician: vi.fn(),
  dispatchOrders: vi.fn(),
  undoChange: vi.fn(),
}));

const JOE = 4;
const KIM = 5;
const technicians = [technician(JOE, 'Joe Marsh', 'Engine'), technician(KIM, 'Kim Ito', 'Diesel')];

const job = (jobNumber: number, operationCode: string, concern: string, soldHours: number | null) => ({
  jobNumber,
  concern,
  operations: [{ operationCode, operationDesciption: '', soldHours }],
});
/** Orders 7 and 8 are for brakes, order 9 is not; 7 has a waiting customer, and 8 is due first of the others. */
const rows = [
  row(7, {
    customerStatus: 'Waiting',
    promisedDateTime: '2026-03-02T16:30:00Z',
    jobs: [job(1, 'BRK001', 'Squeals', 1.5), job(2, 'LOF', 'Oil change', 0.25), job(3, '', 'Rattles', null)],
  }),
  row(8, { promisedDateTime: '2026-03-02T16:00:00Z', jobs: [job(1, 'BRK001', 'Soft pedal', 2)] }),
  row(9, { promisedDateTime: '2026-03-02T18:00:00Z', jobs: [job(1, 'LOF', 'Oil change', 0.5)] }),
];
const forBrakes = [
  candidate(JOE, 'Joe Marsh', { skills: [brakes(3)], assignedHours: 5.9 }),
  candidate(KIM, 'Kim Ito', { skills: [brakes(null)], clock: 'on-job', assignedHours: 9 }),
];
const forOil = [
  candidate(KIM, 'Kim Ito', { assignedHours: 9 }),
  candidate(JOE, 'Joe Marsh', { clock: 'off' }),
];

let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;
const close = vi.fn();

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  vi.mocked(fetchTechnicians).mockResolvedValue(technicians);
  vi.mocked(fetchCandidates)
    .mockReset()
    .mockImplementation(async (orders): Promise<Candidate[]> => (orders.join() === '9' ? forOil : forBrakes));
  for (const call of [assignTechnician, dispatchOrders, undoChange, close]) vi.mocked(call).mockReset();
  vi.mocked(dispatchOrders).mockImplementation(async (orders, id) =>
    orders.map(({ roNumber }) => changedResult(roNumber, id)),
  );
  vi.mocked(assignTechnician).mockImplementation(async ({ roNumber }, id) => [changedResult(roNumber, id)]);
});

const changedResult = (roNumber: number, technicianId: number | null, version = 2): ChangedResult => ({
  ok: true,
  roNumber,
  version,
  seq: 100 + roNumber,
  rows: [row(roNumber, { version, regularIdTechnician: technicianId })],
});

const open = (...orders: number[]) =>
  render(
    <QueryClientProvider client={client}>
      <DispatchDialog orders={orders} close={close} />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );

/** The ranking comes when the returned function is called. */
function lateRanking(): (ranked: Candidate[]) => void {
  let answer: (ranked: Candidate[]) => void = () => undefined;
  const ranking = new Promise<Candidate[]>((resolve) => {
    answer = resolve;
  });
  vi.mocked(fetchCandidates).mockReturnValue(ranking);
  return answer;
}

const verb = () => screen.getByRole('button', { name: 'Dispatch' });
const line = async (name: RegExp) =>
  within(await screen.findByRole('listbox', { name: 'Technician' })).findByRole('option', { name });
const choice = (order: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Technician for RO ${order}` });
const versions = (...orders: number[]) => orders.map((roNumber) => ({ roNumber, version: 1 }));

describe('the dialog for one order', () => {
  test('shows who waits, what was promised apart from the ETA, and each job with its hours', async () => {
    open(7);
    const work = within(screen.getByRole('region', { name: 'The work' }));
    expect(work.getByText('The customer is waiting')).toBeInTheDocument();
    expect(work.getByText(/^Promised /)).toBeInTheDocument();
    expect(work.getByText(/^ETA /)).toBeInTheDocument();
    expect(work.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'BRK001Squeals1.5 h',
      'LOFOil change0.25 h',
      'No opcodeRattleshours not known',
    ]);
    expect(work.getByText('at least 1.75 h sold')).toBeInTheDocument();
    await line(/^Joe Marsh/);
  });

  test('has chosen the best fit and says why, so that Enter dispatches', async () => {
    open(8);
    expect(await line(/^Joe Marsh/)).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText('Best fit: Joe Marsh')).toBeInTheDocument();
    expect(screen.getByText('Brakes level 3, free, 5.9 of 8 h promised today.')).toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 8, version: 1 }, JOE);
    await waitFor(() => expect(close).toHaveBeenCalled());
  });

  test('says so when nobody who fits has room, and first what speaks for the choice', async () => {
    vi.mocked(fetchCandidates).mockResolvedValue([
      candidate(JOE, 'Joe Marsh', { skills: [brakes(3)], clock: 'on-job', assignedHours: 9.5 }),
    ]);
    open(8);
    expect(
      await screen.findByText('Nobody who fits has room today. First choice: Joe Marsh'),
    ).toBeInTheDocument();
    expect(screen.getByText('Brakes level 3, on a job, 1.5 h over today (8 h left).')).toBeInTheDocument();
  });

  test.each([
    ['lacks the skill', brakes(null), 'free, 5.9 of 8 h promised today, no Brakes.'],
    ['has it at a lower level', brakes(1), 'free, 5.9 of 8 h promised today, Brakes level 1 of 3.'],
  ])('does not call somebody the best fit who %s', async (_, skill, why) => {
    vi.mocked(fetchCandidates).mockResolvedValue([
      candidate(JOE, 'Joe Marsh', { skills: [skill], assignedHours: 5.9 }),
    ]);
    open(8);
    expect(await screen.findByText('Nobody has all the skills. First choice: Joe Marsh')).toBeInTheDocument();
    expect(screen.getByText(why)).toBeInTheDocument();
    expect(screen.queryByText(/Best fit: /)).not.toBeInTheDocument();
  });

  test('says what is to be known of somebody else who is chosen', async () => {
    open(8);
    await user.click(await line(/^Kim Ito/));
    expect(screen.getByText('Your choice: Kim Ito')).toBeInTheDocument();
    expect(screen.getByText('no Brakes, on a job, 1 h over today (8 h left).')).toBeInTheDocument();
    await user.click(verb());
    expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 8, version: 1 }, KIM);
  });

  test('does not count work of another day', async () => {
    const ofTomorrow = { assignedHours: 30, dueTodayHours: 7, skills: [brakes(3)] };
    vi.mocked(fetchCandidates).mockResolvedValue([candidate(JOE, 'Joe Marsh', ofTomorrow)]);
    const promisedDateTime = new Date(Date.now() + 48 * 3_600_000).toISOString();
    const later = [row(8, { promisedDateTime, jobs: [job(1, 'BRK001', 'Soft pedal', 2)] })];
    client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: later, seq: 2 }, 0));
    open(8);
    expect(await line(/^Joe Marsh/)).toHaveTextContent('7 of 8 h promised today');
    expect(screen.getByText('Best fit: Joe Marsh')).toBeInTheDocument();
    expect(screen.getByText('Brakes level 3, free, 7 of 8 h promised today.')).toBeInTheDocument();
  });

  test('shows in words whose day the work would overfill', async () => {
    vi.mocked(fetchCandidates).mockResolvedValue([candidate(JOE, 'Joe Marsh', { assignedHours: 7 })]);
    open(8);
    expect(await line(/^Joe Marsh/)).toHaveTextContent('with this work 1 h over today (8 h left)');
  });

  test('chooses nobody without a ranking, and shows no hours then', async () => {
    vi.mocked(fetchCandidates).mockRejectedValue(new ApiError(503, 'unavailable', 'not now'));
    open(8);
    expect(await line(/^Joe Marsh/)).toHaveTextContent('hours not known');
    expect(screen.getByText('There is no proposal. Choose a technician.')).toBeInTheDocument();
    expect(verb()).toBeDisabled();
  });

  test('says that it looks for the best fit, and proposes it however late the ranking is', async () => {
    vi.useFakeTimers();
    const answer = lateRanking();
    open(8);
    // The technicians are listed by name by now.
    await act(() => vi.advanceTimersByTimeAsync(RANKING_TIMEOUT_MS));
    expect(screen.getAllByRole('option')).toHaveLength(technicians.length);
    expect(screen.getByText('Finding the best fit...')).toBeInTheDocument();
    expect(screen.queryByText(/There is no proposal/)).not.toBeInTheDocument();
    expect(verb()).toBeDisabled();

    answer(forBrakes);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByText('Best fit: Joe Marsh')).toBeInTheDocument();
    expect(screen.getByRole('option', { name: /^Joe Marsh/ })).toHaveAttribute('aria-selected', 'true');
    vi.useRealTimers();
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Technician' }), { key: 'Enter' });
    await waitFor(() => expect(assignTechnician).toHaveBeenCalledWith({ roNumber: 8, version: 1 }, JOE));
  });

  test('keeps what was chosen before a late proposal', async () => {
    vi.useFakeTimers();
    const answer = lateRanking();
    open(8);
    await act(() => vi.advanceTimersByTimeAsync(RANKING_TIMEOUT_MS));
    fireEvent.click(screen.getByRole('option', { name: /^Kim Ito/ }));
    answer(forBrakes);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByText('Your choice: Kim Ito')).toBeInTheDocument();
    expect(screen.getByRole('option', { name: /^Kim Ito/ })).toHaveAttribute('aria-selected', 'true');
  });

  test('ignores Enter that is still held from opening it', async () => {
    open(8);
    await line(/^Joe Marsh/);
    const search = screen.getByRole('combobox', { name: 'Technician' });
    expect(search).toHaveFocus();
    fireEvent.keyDown(search, { key: 'Enter', repeat: true });
    expect(assignTechnician).not.toHaveBeenCalled();
    fireEvent.keyDown(search, { key: 'Enter' });
    await waitFor(() => expect(assignTechnician).toHaveBeenCalled());
  });
});

describe('the dialog for a batch', () => {
  test('has a technician for each order, the most urgent first, and one Enter dispatches them all', async () => {
    open(9, 8, 7);
    await waitFor(() => expect(verb()).toBeEnabled());
    const orders = within(screen.getByRole('list', { name: 'Repair orders' }));
    expect(orders.getAllByRole('combobox').map((one) => one.ariaLabel)).toEqual(
      [7, 8, 9].map((order) => `Technician for RO ${order}`),
    );
    expect([7, 8, 9].map((order) => Number(choice(order).value))).toEqual([JOE, JOE, KIM]);
    expect(screen.getByText('3 ROs for 2 technicians')).toBeInTheDocument();
    expect(verb()).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([
      [versions(9), KIM],
      [versions(8, 7), JOE],
    ]);
    expect(await screen.findByText('Technician assigned successfully')).toBeInTheDocument();
    expect(screen.getByText(`#${KIM}, #${JOE} · 3 ROs`)).toBeInTheDocument();
    expect(close).toHaveBeenCalled();
  });

  test('is undone as one', async () => {
    vi.mocked(undoChange).mockImplementation(async (roNumber) => [changedResult(roNumber, null, 3)]);
    open(8, 9);
    await waitFor(() => expect(verb()).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument();
    await act(() => undoLast(client));
    expect(vi.mocked(undoChange).mock.calls).toEqual([
      [8, 108],
      [9, 109],
    ]);
    expect(await screen.findByText('Change undone')).toBeInTheDocument();
  });

  test('is undone as far as it can be', async () => {
    vi.mocked(undoChange).mockImplementation(async (roNumber) => {
      if (roNumber === 9) throw new ApiError(409, 'refused', 'No.');
      return [changedResult(roNumber, null, 3)];
    });
    open(8, 9);
    await waitFor(() => expect(verb()).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument();
    await act(() => undoLast(client));
    expect(await screen.findByText('1 of 2 ROs undone')).toBeInTheDocument();
  });

  test('lets an order be changed in place, and proposes again on demand', async () => {
    open(8, 9);
    await waitFor(() => expect(verb()).toBeEnabled());
    await user.selectOptions(choice(8), String(KIM));
    expect(screen.getByText('2 ROs for 1 technician')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Best fit for each' }));
    expect([8, 9].map((order) => Number(choice(order).value))).toEqual([JOE, KIM]);
  });

  test('gives all to one in one request', async () => {
    open(8, 9);
    await waitFor(() => expect(verb()).toBeEnabled());
    await user.click(await line(/^Kim Ito/));
    await user.click(verb());
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions(8, 9), KIM]]);
  });

  test('names the technicians whose day it overfills', async () => {
    open(8, 9);
    expect(await screen.findByText('Kim Ito: 1.5 h over today (8 h left)')).toBeInTheDocument();
    await user.click(await line(/^Joe Marsh/));
    expect(await screen.findByText('Joe Marsh: 0.4 h over today (8 h left)')).toBeInTheDocument();
    expect(screen.queryByText(/^Kim Ito: /)).not.toBeInTheDocument();
  });

  test('keeps the orders of a request that failed, and shows both results in one message', async () => {
    vi.mocked(dispatchOrders).mockImplementation(async (orders, id) => {
      if (id === KIM) throw new ApiError(0, 'network', 'gone');
      return orders.map(({ roNumber }) => changedResult(roNumber, id));
    });
    open(8, 9);
    await waitFor(() => expect(verb()).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Failed to assign technician')).toBeInTheDocument();
    expect(screen.getByText('1 of 2 ROs: The server could not be reached.')).toBeInTheDocument();
    expect(screen.getByRole('dialog', { name: 'Batch Dispatch 1 ROs' })).toBeInTheDocument();
    expect(Number(choice(9).value)).toBe(KIM);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
    expect(close).not.toHaveBeenCalled();
  });

  test('a name typed before there are proposals is searched for, and stays', async () => {
    const answer = lateRanking();
    open(8, 7);
    await line(/^Kim Ito/);
    await user.keyboard('kim');
    const search = screen.getByRole('combobox', { name: 'Technician' });
    expect(search).toHaveValue('kim');
    answer(forBrakes);
    await waitFor(() => expect(verb()).toBeEnabled());
    expect(search).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions(8, 7), KIM]]);
  });

  test('a name typed while the technicians are loading dispatches nothing, and is searched for', async () => {
    let loaded: (all: typeof technicians) => void = () => undefined;
    vi.mocked(fetchTechnicians).mockReturnValue(
      new Promise((resolve) => {
        loaded = resolve;
      }),
    );
    open(8, 7);
    await waitFor(() => expect(screen.getByRole('dialog')).toHaveFocus());
    await user.keyboard('kim i');
    loaded(technicians);
    const search = await screen.findByRole('combobox', { name: 'Technician' });
    expect(search).toHaveValue('kim i');
    expect(search).toHaveFocus();
    await user.keyboard('to{Enter}');
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions(8, 7), KIM]]);
  });

  test('proposes nobody before the technicians are there, and nobody who is not among them', async () => {
    let loaded: (all: typeof technicians) => void = () => undefined;
    vi.mocked(fetchTechnicians).mockReturnValue(
      new Promise((resolve) => {
        loaded = resolve;
      }),
    );
    vi.mocked(fetchCandidates).mockResolvedValue([candidate(6, 'Lee Park'), ...forBrakes]);
    open(8, 7);
    await waitFor(() => expect(fetchCandidates).toHaveBeenCalledTimes(3));
    await act(() => vi.mocked(fetchCandidates).mock.results[0]?.value);
    expect(verb()).toBeDisabled();
    loaded(technicians);
    await waitFor(() => expect(verb()).toBeEnabled());
    expect([8, 7].map((order) => Number(choice(order).value))).toEqual([JOE, JOE]);
    await user.click(verb());
    expect(vi.mocked(dispatchOrders).mock.calls).toEqual([[versions(8, 7), JOE]]);
  });

  test('waits for a choice where an order has no proposal', async () => {
    vi.mocked(fetchCandidates).mockImplementation(async (orders) => (orders.join() === '9' ? [] : forBrakes));
    open(8, 9);
    await waitFor(() => expect(choice(9)).toBeEnabled());
    expect(verb()).toBeDisabled();
    await user.selectOptions(choice(9), String(KIM));
    expect(verb()).toBeEnabled();
  });
});
