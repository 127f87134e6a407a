// Every tap of the portal and what takes it back, on the portal itself.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClockAction, fetchClock, type TechnicianClock } from '../api/clock.ts';
import { fetchReceipts, type Receipt, reportStage } from '../api/receipts.ts';
import { type Row, undoChange } from '../api/repair-orders.ts';
import { sessionState, type User } from '../api/session.ts';
import { fetchStages } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { type Mutation, submit } from '../offline/outbox.ts';
import { technicianKey } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { stage } from '../repair-order/stages.fixture.ts';
import { currentToast, dismissToast } from '../ui/toaster.ts';
import { Toasts } from '../ui/toasts.tsx';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { Portal } from './portal.tsx';
import type { StageTap } from './stage-taps.ts';
import { UNDO_MS } from './undoable-taps.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: vi.fn(),
}));
vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchClock: vi.fn(),
  fetchProposedEntries: vi.fn(async () => []),
}));
vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchClosedOrders: vi.fn(async () => []),
}));
vi.mock('../api/receipts.ts', async (original) => ({
  ...(await original<typeof import('../api/receipts.ts')>()),
  fetchReceipts: vi.fn(),
  reportStage: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  undoChange: vi.fn(),
  fetchDetails: vi.fn(async () => Promise.reject(new Error('Not looked at here'))),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  fetchStages: vi.fn(),
}));
vi.mock('../offline/outbox.ts', async (original) => ({
  ...(await original<typeof import('../offline/outbox.ts')>()),
  submit: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  isConnected: () => true,
  sendNotice: async () => undefined,
  sendPresence: async () => undefined,
  onSocketMessage: () => () => undefined,
}));

const maria: User = {
  uid: 'u7',
  email: 'maria@example.com',
  name: 'Maria Lopez',
  roles: ['Technician'],
  technicianId: 7,
  permissions: ['change-status', 'edit-jobs', 'change-stages'],
};
/** Ends a hold, which no technician does. */
const admin: User = { ...maria, roles: ['Technician', 'Admin'] };

const jobs = [1, 2].map((jobNumber) => ({
  jobNumber,
  concern: '',
  operations: [{ operationCode: 'LOF', operationDesciption: '', soldHours: null }],
}));
const mine = (changes: Partial<Row> = {}) =>
  row(1, { regularIdTechnician: 7, regularTechFullName: 'Maria Lopez', jobs, ...changes });
const oneJob = mine({ stage: 'in-work', jobs: jobs.slice(0, 1) });
const HOUR_MS = 3_600_000;
const parts = { id: 3, reason: 'parts', whoActs: 'parts', since: NOW } as const;
/** An hour of it: nothing is asked when it is finished. */
const onJob: Partial<TechnicianClock> = {
  running: running([1, 1]),
  clockedJobs: [{ roNumber: 1, jobNumber: 1, clockedMs: HOUR_MS }],
};

type Hands = ReturnType<typeof userEvent.setup>;

interface TapCase {
  /** Where there are several places for one tap. */
  where?: string;
  user?: User;
  rows?: Row[];
  clock?: Partial<TechnicianClock>;
  /** What is opened before. */
  prepare?(hands: Hands): Promise<unknown>;
  press(): HTMLElement;
  /** Of the toast. */
  said: string;
}

const button = (name: string) => screen.getByRole('button', { name });
const inRegion = (region: string, name: string) =>
  within(screen.getByRole('region', { name: region })).getByRole('button', { name });

const clockTaps: Record<ClockAction, TapCase[]> = {
  'clock-in': [{ press: () => button('Clock in'), said: 'Clocked in' }],
  start: [
    { press: () => button('Start job 2 of RO 1'), said: 'Job 2 of RO 1 is running' },
    {
      where: 'of what comes next',
      press: () => inRegion('Next', 'Next: start job 1 of RO 1'),
      said: 'Job 1 of RO 1 is running',
    },
  ],
  stop: [
    { clock: onJob, press: () => button('Stop'), said: 'Stopped: on the clock, no job' },
    {
      where: 'on an order that left',
      rows: [],
      clock: onJob,
      press: () => button('Stop the clock'),
      said: 'Stopped: on the clock, no job',
    },
  ],
  finish: [
    { clock: onJob, press: () => button('Finish job'), said: 'Job 1 of RO 1 is finished' },
    {
      where: 'once asked about',
      // It has just begun.
      get clock() {
        const now = new Date().toISOString();
        return { now, running: running([1, 1], { since: now }) };
      },
      prepare: (hands) => hands.click(button('Finish job')),
      press: () => within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Finish job' }),
      said: 'Job 1 of RO 1 is finished',
    },
    {
      where: 'after the order was closed',
      rows: [],
      clock: { stoppedByClosing: { entryId: 1, roNumber: 1, jobNumber: 2, stoppedAt: NOW } },
      press: () => button('Job 2 was finished'),
      said: 'Job 2 of RO 1 is finished',
    },
  ],
  reopen: [
    {
      clock: { finishedJobs: [{ roNumber: 1, jobNumber: 2, finishedAt: NOW, technicianId: 7 }] },
      press: () => button('Reopen job 2 of RO 1'),
      said: 'Job 2 of RO 1 is open again',
    },
  ],
  'clock-out': [{ clock: { running: running(null) }, press: () => button('Clock out'), said: 'Clocked out' }],
};

const orderTaps: Record<'status' | StageTap['kind'], TapCase[]> = {
  status: [
    {
      prepare: (hands) => hands.click(button('Status of RO 1: Drop')),
      press: () => screen.getByRole('option', { name: 'PDI' }),
      said: 'Status updated to PDI and priority set to Low',
    },
  ],
  hold: [
    { rows: [oneJob], press: () => button('RO 1 needs parts'), said: 'RO 1 waits for parts' },
    { rows: [oneJob], press: () => button('RO 1 needs approval'), said: 'RO 1 waits for approval' },
    {
      where: 'of one of several jobs',
      rows: [mine({ stage: 'in-work' })],
      prepare: async (hands) => {
        await hands.click(button('RO 1 needs parts'));
        await hands.click(await screen.findByRole('radio', { name: /^2\./ }));
      },
      press: () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Needs parts' }),
      said: 'RO 1 waits for parts',
    },
    {
      where: 'with a note that is written later',
      rows: [mine({ stage: 'waiting-for-parts', holds: [parts] })],
      prepare: async (hands) => {
        await hands.click(button('Write a note for RO 1: Waiting for parts'));
        await hands.type(await screen.findByRole('textbox', { name: 'Which parts?' }), 'Pads');
      },
      press: () => button('Save note'),
      said: 'RO 1 waits for parts',
    },
  ],
  check: [
    { rows: [oneJob], press: () => button('RO 1 is done, please check'), said: 'RO 1 is to be checked' },
  ],
  'end-hold': [
    {
      user: admin,
      rows: [mine({ stage: 'waiting-for-parts', holds: [parts] })],
      press: () => button('End the hold of RO 1: Waiting for parts'),
      said: 'RO 1 does not wait any more',
    },
  ],
};

const named = (taps: Record<string, TapCase[]>) =>
  Object.entries(taps).flatMap(([kind, cases]) =>
    cases.map((one): [string, TapCase] => [`${kind} ${one.where ?? ''}`.trim(), one]),
  );

const changed = { roNumber: 1, ok: true as const, version: 2, seq: 20 };

beforeEach(async () => {
  await loadTexts(stageTexts);
  dismissToast(currentToast()?.id ?? -1);
  vi.mocked(fetchReceipts).mockReset().mockResolvedValue([]);
  vi.mocked(reportStage).mockReset().mockResolvedValue();
  vi.mocked(fetchStages).mockResolvedValue({
    enabled: true,
    fileOwnsStage: false,
    stages: ['in-work', 'waiting-for-parts', 'quality-check'].map((id) => stage(id)),
  });
  vi.mocked(undoChange)
    .mockReset()
    .mockResolvedValue([{ ...changed, version: 3, seq: 21, rows: [mine({ version: 3 })] }]);
});

afterEach(() => vi.useRealTimers());

async function open({ user = maria, rows = [mine()], clock = {} }: Partial<TapCase>) {
  vi.mocked(sessionState).mockReturnValue({ status: 'signed-in', user });
  const answer = technicianClock(clock);
  vi.mocked(fetchClock).mockReset().mockResolvedValue(answer);
  const [shown = mine()] = rows;
  vi.mocked(submit)
    .mockReset()
    .mockImplementation(async ({ about: { kind } }) => ({
      ok: true,
      result:
        kind === 'clock'
          ? answer
          : [
              {
                ...changed,
                rows: [{ ...shown, version: 2, ...(kind === 'status' && { customerStatus: 'PDI' }) }],
              },
            ],
    }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(['repair-orders'], landList(emptyOrderCache, { rows, seq: 10 }, 0));
  client.setQueryData(technicianKey(7), { fullName: 'Maria Lopez', specialty: 'Engine' });
  window.history.replaceState(null, '', '/technicians/7');
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Routes>
          <Route path="/technicians/:id" element={<Portal />} />
        </Routes>
      </BrowserRouter>
      <Toasts region="Notifications ({hotkey})" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
}

/** The toast of the tap, one millisecond before it goes. */
async function tapped(one: TapCase) {
  await open(one);
  await one.prepare?.(userEvent.setup());
  const target = one.press();
  vi.useFakeTimers();
  fireEvent.click(target);
  await act(() => vi.advanceTimersByTimeAsync(0));
  const toast = screen.getByText(one.said).closest('li');
  if (toast === null) throw new Error('There is no toast.');
  await act(() => vi.advanceTimersByTimeAsync(UNDO_MS - 1));
  return within(toast);
}

const sent = () => vi.mocked(submit).mock.calls.map(([mutation]) => mutation);

test('what is undone is so for ten seconds', () => {
  expect(UNDO_MS).toBe(10_000);
});

describe('a tap on the clock is taken back by the server for ten seconds', () => {
  test.each(named(clockTaps))('%s', async (_, one) => {
    const toast = await tapped(one);
    expect(sent()).toHaveLength(1);
    fireEvent.click(toast.getByRole('button', { name: 'Undo' }));
    const [tap, undo] = sent();
    expect(undo).toMatchObject({
      method: 'POST',
      path: '/api/technicians/7/clock',
      body: { action: 'undo' },
      undoes: tap?.key,
    });
    expect(undo?.key).not.toBe(tap?.key);
    expect(undoChange).not.toHaveBeenCalled();
  });
});

describe('a tap on an order is taken back as its own event for ten seconds', () => {
  test.each(named(orderTaps))('%s', async (_, one) => {
    const toast = await tapped(one);
    fireEvent.click(toast.getByRole('button', { name: 'Undo' }));
    expect(undoChange).toHaveBeenCalledExactlyOnceWith(1, changed.seq);
    expect(sent()).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(screen.getByText('Change undone')).toBeInTheDocument();
    expect(screen.getByText(/^RO 1 · ./)).toBeInTheDocument();
  });
});

test.each<[string, TapCase | undefined]>([
  ['on the clock', clockTaps['clock-in'][0]],
  ['on an order', orderTaps.check[0]],
])('after ten seconds the toast of a tap %s goes', async (_, one) => {
  if (one === undefined) throw new Error('There is no such tap.');
  await tapped(one);
  expect(screen.getByText(one.said)).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.queryByText(one.said)).toBeNull();
});

const receipt: Receipt = {
  roNumber: 1,
  technicianId: 7,
  portalEnabled: true,
  assignedAt: NOW,
  assignedBy: { uid: 'u9', name: 'Dana Whitfield' },
  seq: 10,
  sentAt: NOW,
  deliveredAt: NOW,
  seenAt: NOW,
  acceptedAt: null,
  handedBackAt: null,
  reason: null,
};

/** The changes that have no Undo, and what there is in its place. A kind that is missing here does not compile. */
type NotUndone = Exclude<Mutation['about']['kind'], 'status' | 'clock' | 'hold' | 'hold-end' | 'stage'>;
const inPlaceOfUndo: Record<Exclude<NotUndone, 'notes'>, (hands: Hands) => Promise<void>> = {
  receipt: async (hands) => {
    await hands.click(button('Got it'));
    expect(sent().map(({ about }) => about.kind)).toEqual(['receipt']);
    await hands.click(screen.getByRole('link', { name: 'Open repair order 1' }));
    const details = await screen.findByRole('dialog', { name: 'Repair Order #1 Details' });
    await hands.click(within(details).getByRole('button', { name: 'Hand back' }));
    expect(await screen.findByRole('dialog', { name: 'Hand back RO 1' })).toBeInTheDocument();
  },
  'hand-back': async (hands) => {
    await hands.click(button('Hand back'));
    const question = within(await screen.findByRole('dialog', { name: 'Hand back RO 1' }));
    await hands.click(question.getByRole('radio', { name: 'Parts are missing' }));
    await hands.click(question.getByText('Cancel'));
    expect(sent()).toEqual([]);
    expect(button('Hand back')).toBeInTheDocument();
  },
};

test.each([
  ['an accepted order can still be handed back', inPlaceOfUndo.receipt],
  ['handing back asks first, and can be left at that', inPlaceOfUndo['hand-back']],
])('%s', async (_, leavesAWayBack) => {
  vi.mocked(fetchReceipts).mockResolvedValue([receipt]);
  await open({});
  await leavesAWayBack(userEvent.setup());
});
