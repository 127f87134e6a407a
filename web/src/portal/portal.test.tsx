// The portal as whoever has it in hand sees it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchClock, type TechnicianClock } from '../api/clock.ts';
import { ApiError } from '../api/http.ts';
import { fetchPromises, type OrderPromise } from '../api/promises.ts';
import { fetchReceipts, reportStage } from '../api/receipts.ts';
import { type Details, fetchDetails, type Row } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import { type Permission, type SessionState, sessionState, type User } from '../api/session.ts';
import type { SocketMessages } from '../api/socket.ts';
import { submit } from '../offline/outbox.ts';
import { technicianKey } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { hear, said, stubRecognition } from '../tech-story/dictation.fixture.ts';
import { forgetDrafts } from '../tech-story/drafts.ts';
import { doublePress, press, pressElsewhere } from '../ui/double-click.fixture.ts';
import { currentToast } from '../ui/toaster.ts';
import { chime } from './assignment-sound.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { Portal } from './portal.tsx';

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
  fetchDetails: vi.fn(),
}));
vi.mock('../api/promises.ts', async (original) => ({
  ...(await original<typeof import('../api/promises.ts')>()),
  fetchPromises: vi.fn(async () => []),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  fetchStages: vi.fn(async () => ({ enabled: false, fileOwnsStage: false, stages: [] })),
}));
vi.mock('../offline/outbox.ts', async (original) => ({
  ...(await original<typeof import('../offline/outbox.ts')>()),
  submit: vi.fn(),
}));
vi.mock('./assignment-sound.ts', async (original) => ({
  ...(await original<typeof import('./assignment-sound.ts')>()),
  chime: vi.fn(),
}));

type Listener = (message: SocketMessages[keyof SocketMessages] | null) => void;
const wire = vi.hoisted(() => ({ listeners: new Map<string, Set<Listener>>() }));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  sendPresence: async () => undefined,
  onSocketMessage: (name: string, listener: Listener) => {
    const all = wire.listeners.get(name) ?? new Set();
    wire.listeners.set(name, all.add(listener));
    return () => all.delete(listener);
  },
}));

function say<Name extends keyof SocketMessages>(name: Name, message: SocketMessages[Name]): void {
  act(() => {
    for (const listener of wire.listeners.get(name) ?? []) listener(message);
  });
}

const may: Permission[] = ['change-status', 'edit-jobs'];
const maria: User = {
  uid: 'u7',
  email: 'maria@example.com',
  name: 'Maria Lopez',
  roles: ['Technician'],
  technicianId: 7,
  permissions: may,
};
const owner: User = { ...maria, uid: 'u1', name: 'Olivia', roles: ['Owner'], technicianId: null };
const advisor: User = { ...owner, uid: 'u2', roles: ['Advisor'] };

const job = (jobNumber: number, code: string) => ({
  jobNumber,
  concern: '',
  operations: [{ operationCode: code, operationDesciption: '', soldHours: null }],
});
const mine = (roNumber: number, changes: Partial<Row> = {}) =>
  row(roNumber, { regularIdTechnician: 7, regularTechFullName: 'Maria Lopez', ...changes });

interface Scene {
  user?: User;
  at?: string;
  rows?: Row[];
  clock?: Partial<TechnicianClock>;
}

let answer: TechnicianClock;

async function open({ user = maria, at = '/technicians/7', rows = [mine(1)], clock = {} }: Scene = {}) {
  const session: SessionState = { status: 'signed-in', user };
  vi.mocked(sessionState).mockReturnValue(session);
  answer = technicianClock(clock);
  vi.mocked(fetchClock).mockImplementation(async () => answer);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(['repair-orders'], landList(emptyOrderCache, { rows, seq: 10 }, 0));
  client.setQueryData(technicianKey(7), { fullName: 'Maria Lopez', specialty: 'Engine' });
  window.history.replaceState(null, '', at);
  const Path = () => <output>{useLocation().pathname}</output>;
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Path />
        <Routes>
          <Route path="/technicians/:id" element={<Portal />} />
          <Route path="*" element={null} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  return { client, user: userEvent.setup() };
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const mutations = () => vi.mocked(submit).mock.calls.map(([mutation]) => mutation);
const taps = () => mutations().flatMap(({ about, body }) => (about.kind === 'clock' ? [body] : []));
const assigned = (roNumber: number, seq: number): SocketMessages['RO_MODIFIED'] => ({
  roNumber,
  seq,
  rows: [mine(roNumber)],
  by: { uid: 'u9', name: 'Dana Whitfield' },
  action: 'TECH_ASSIGNED',
  techId: 7,
});

/** What nobody has answered yet. */
let unanswered: ((answer: unknown) => void)[] = [];

afterEach(async () => {
  for (const answered of unanswered) answered(null);
  unanswered = [];
  await new Promise((done) => setTimeout(done));
});

/** A wide screen; the rest of the page asks for others. */
function showWide(wide: boolean): void {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: wide && media === '(min-width: 1280px)',
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
}

beforeEach(() => {
  // Details are not waited for where the server is silent.
  noteServerTime(new Date().toISOString());
  showWide(true);
  wire.listeners.clear();
  forgetDrafts();
  vi.mocked(chime).mockReset();
  vi.mocked(submit)
    .mockReset()
    .mockImplementation(() => new Promise((answered) => unanswered.push(answered)));
  vi.mocked(fetchReceipts).mockReset().mockResolvedValue([]);
  vi.mocked(reportStage).mockReset().mockResolvedValue();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('the title has the first name, with the specialty below', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("Maria's Dashboard");
  expect(screen.getByText('Engine')).toBeInTheDocument();
});

test('what comes next says when to begin for its promised time, and nothing of one without', async () => {
  await open({ rows: [mine(1, { jobs: [job(1, 'LOF')] })] });
  expect(fetchPromises).not.toHaveBeenCalled();
  cleanup();
  const promisedDateTime = '2026-03-02T23:00:00Z';
  const risk = { roNumber: 2, promisedDateTime, state: 'on-time', beginBy: '2026-03-02T22:00:00Z' };
  vi.mocked(fetchPromises).mockResolvedValueOnce([risk as OrderPromise]);
  await open({ rows: [mine(2, { jobs: [job(1, 'LOF')], promisedDateTime })] });
  const next = screen.getByRole('region', { name: 'Next' });
  await waitFor(() => expect(next).toHaveTextContent(/Begin by .+ to be ready by /));
});

test('a car is late only while it has a job that is not finished', async () => {
  const rows = [1, 2].map((roNumber) =>
    mine(roNumber, { jobs: [job(1, 'LOF')], promisedDateTime: '2026-03-02T10:00:00Z' }),
  );
  const finishedJobs = [{ roNumber: 2, jobNumber: 1, finishedAt: NOW, technicianId: 7 }];
  await open({ rows, clock: { finishedJobs } });
  const late = await screen.findByTitle(/^Overdue/);
  expect(late.closest('[data-key]')).toHaveAttribute('data-key', '1');
});

test('the table has the columns, and each row their values', async () => {
  await open({
    rows: [
      mine(1, { tagNumber: 'T118', jobs: [job(1, 'LOF'), job(2, '')] }),
      row(2, { ETLIdTechnician: 7, ETLTechFullName: 'Maria Lopez', source: 'ETL' }),
    ],
  });
  const table = screen.getByRole('table', { name: 'Repair orders' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['RO Details', 'Vehicle Info', 'Status', 'Priority', 'Advisor', 'Jobs', 'Timeline']);
  const [, first, second] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent('1Tag T118Smith, Jo');
  expect(first).toHaveTextContent('1HGCM82633A004352');
  expect(first).toHaveTextContent('1. LOF');
  expect(first).toHaveTextContent('2. No opcode');
  expect(first).toHaveTextContent('Opened');
  expect(first).not.toHaveTextContent('ETL Assignment');
  expect(second).toHaveTextContent('Dana WhitfieldETL Assignment');
  expect(second).toHaveTextContent('No jobs assigned');
});

test('a narrow screen shows the same orders as cards', async () => {
  showWide(false);
  await open({ rows: [mine(1, { tagNumber: 'T118', jobs: [job(1, 'LOF')] })] });
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByTitle('Tag T118')).toBeInTheDocument();
  const card = within(screen.getByRole('list', { name: 'Repair orders' })).getByRole('article');
  for (const text of ['Smith, Jo', '2021 Honda Accord EX', '1HGCM82633A004352', 'Low', 'Dana Whitfield'])
    expect(card).toHaveTextContent(text);
  expect(within(card).getByRole('button', { name: 'Status of RO 1: Drop' })).toBeInTheDocument();
  expect(within(card).getByRole('button', { name: 'Start job 1 of RO 1' })).toBeInTheDocument();
});

test('the most urgent order comes first, and other technicians’ orders are not listed', async () => {
  await open({
    rows: [
      mine(1, { customerStatus: 'PDI' }),
      mine(2),
      mine(3, { priorityName: 'High' }),
      mine(4, { customerStatus: 'Waiting' }),
      row(5, { regularIdTechnician: 8 }),
    ],
  });
  const links = screen.getAllByRole('link', { name: /^Open repair order/ });
  expect(links.map((link) => link.textContent)).toEqual(['4', '3', '2', '1']);
});

test('a column’s head sorts the table, and the third press brings the order of work back', async () => {
  await open({
    rows: [mine(1), mine(2), mine(3, { customerStatus: 'Waiting' })],
  });
  const head = screen.getByRole('columnheader', { name: 'RO Details' });
  const numbers = () =>
    screen.getAllByRole('link', { name: /^Open repair order/ }).map((link) => link.textContent);
  expect(numbers()).toEqual(['3', '1', '2']);
  await userEvent.click(within(head).getByRole('button'));
  expect(head).toHaveAttribute('aria-sort', 'ascending');
  expect(numbers()).toEqual(['1', '2', '3']);
  await userEvent.click(within(head).getByRole('button'));
  expect(head).toHaveAttribute('aria-sort', 'descending');
  expect(numbers()).toEqual(['3', '2', '1']);
  await userEvent.click(within(head).getByRole('button'));
  expect(head).toHaveAttribute('aria-sort', 'none');
  expect(numbers()).toEqual(['3', '1', '2']);
});

describe('the guard', () => {
  test.each(['/technicians/8', '/technicians/nobody'])(
    'redirects a technician from %s to their own portal',
    async (at) => {
      await open({ at });
      expect(document.querySelector('output')).toHaveTextContent('/technicians/7');
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("Maria's Dashboard");
    },
  );

  test('tells a technician without a linked account what to ask an owner for', async () => {
    await open({ user: { ...maria, technicianId: null } });
    expect(screen.getByRole('heading')).toHaveTextContent('Your account is not linked to a technician yet');
    expect(screen.getByText(/Ask an owner/)).toBeInTheDocument();
  });

  test('says that there is no such technician, with a way back', async () => {
    await open({ user: owner, at: '/technicians/nobody' });
    expect(screen.getByRole('heading')).toHaveTextContent('There is no technician nobody');
    expect(screen.getByRole('link', { name: 'To the repair orders' })).toHaveAttribute('href', '/');
  });

  test('shows an advisor the portal without clock and banner', async () => {
    await open({
      user: advisor,
      rows: [mine(1, { jobs: [job(1, 'LOF')] })],
      clock: { running: running(null) },
    });
    expect(screen.getByText('On the clock, no job')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Clock out' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Start job/ })).toBeNull();
    say('RO_MODIFIED', assigned(2, 20));
    expect(screen.queryByText('New repair order for you')).toBeNull();
    expect(mutations()).toEqual([]);
  });
});

describe('the cards', () => {
  // Of a day that is over they would show nothing.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
  });
  afterEach(() => vi.useRealTimers());
  const figures = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('definition')
      .map((one) => one.textContent);

  test('show a dash where nothing is counted', async () => {
    await open();
    expect(figures('Hours')).toEqual(['–Nothing counted yet', '–Nothing counted yet']);
    expect(figures('Performance')).toEqual(['–Nothing counted yet', '1', '0']);
  });

  test('show the hours on jobs and on the clock, the efficiency and what was finished', async () => {
    await open({
      clock: {
        today: { jobsMs: 4_800_000, attendedMs: 5_400_000, soldHours: 0 },
        week: { jobsMs: 36_000_000, attendedMs: 39_600_000, soldHours: 0 },
        efficiency: { percent: 91.7, soldHours: 5.5, clockedHours: 6, jobsWithoutHours: 0 },
        completedToday: 2,
        completedWeek: 9,
      },
    });
    expect(figures('Hours')).toEqual([
      '1 h 20 min on jobs',
      '1 h 30 min on the clock',
      '10 h on jobs',
      '11 h on the clock',
    ]);
    expect(figures('Performance')).toEqual(['92 %', '1', '2', '9 this week']);
  });

  test('are folded on a phone, and open with a tap', async () => {
    const { user } = await open();
    const fold = button('Hours and performance in full');
    expect(fold).toHaveAttribute('aria-expanded', 'false');
    await user.click(fold);
    expect(fold).toHaveAttribute('aria-expanded', 'true');
  });

  test('forgotten clocks are shown, with who corrects them', async () => {
    await open({ clock: { flagged: 2 } });
    expect(screen.getByText(/2 clocks of this week were forgotten/)).toHaveTextContent(
      'An owner or admin corrects it.',
    );
  });
});

describe('the clock', () => {
  const jobs = [mine(1, { jobs: [job(1, 'LOF'), job(2, 'BRKR')] })];

  test('is started, switched, finished and stopped with one tap each, which shows at once', async () => {
    const { user } = await open({ rows: jobs });
    await user.click(button('Clock in'));
    expect(screen.getByText('On the clock, no job')).toBeInTheDocument();
    await user.click(button('Start job 1 of RO 1'));
    expect(screen.getByText('RO 1, job 1')).toBeInTheDocument();
    await user.click(button('Start job 2 of RO 1'));
    expect(screen.getByText('RO 1, job 2')).toBeInTheDocument();
    await user.click(button('Finish job'));
    // It was hardly begun.
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Finish job' }));
    expect(screen.getByText('On the clock, no job')).toBeInTheDocument();
    expect(button('Reopen job 2 of RO 1')).toBeInTheDocument();
    expect(currentToast()?.detail).toBe('Its story is best written now: open the RO.');
    await user.click(button('Clock out'));
    expect(screen.getByText('Off the clock')).toBeInTheDocument();
    expect(taps()).toMatchObject([
      { action: 'clock-in' },
      { action: 'start', roNumber: 1, jobNumber: 1 },
      { action: 'start', roNumber: 1, jobNumber: 2 },
      { action: 'finish', roNumber: 1, jobNumber: 2 },
      { action: 'clock-out' },
    ]);
    expect(new Set(mutations().map(({ key }) => key)).size).toBe(5);
  });

  test('adopts the server’s answer', async () => {
    const answered = technicianClock({ running: running([1, 2]) });
    vi.mocked(submit).mockResolvedValue({ ok: true, result: answered });
    const { user } = await open({ rows: jobs });
    answer = answered;
    await user.click(button('Clock in'));
    expect(await screen.findByText('RO 1, job 2')).toBeInTheDocument();
  });

  test('reverts a refused tap and shows the reason', async () => {
    vi.mocked(submit).mockRejectedValue(new ApiError(409, 'not-assigned', 'It is not yours.'));
    const { user } = await open({ rows: jobs });
    await user.click(button('Start job 1 of RO 1'));
    expect(await screen.findByText('Off the clock')).toBeInTheDocument();
    const message = 'Refused: Clock: start, RO 1, job 1. It is not yours.';
    expect(screen.getByText(message)).toBeInTheDocument();
    expect(currentToast()).toMatchObject({ tone: 'destructive', text: 'It is not yours.' });
    await user.click(button('Dismiss: Clock: start, RO 1, job 1'));
    expect(screen.queryByText(message)).toBeNull();
  });

  test('follows taps on another device', async () => {
    await open({ rows: jobs });
    answer = technicianClock({ running: running([1, 1]) });
    say('CLOCK_CHANGED', { type: 'CLOCK_CHANGED', technicianId: 8, running: null, timestamp: NOW });
    say('CLOCK_CHANGED', {
      type: 'CLOCK_CHANGED',
      technicianId: 7,
      running: answer.running,
      timestamp: NOW,
    });
    expect(await screen.findByText('RO 1, job 1')).toBeInTheDocument();
  });
});

describe('a double tap', () => {
  const hour = 3_600_000;
  const twoJobs = [mine(1, { jobs: [job(1, 'LOF'), job(2, 'BRKR')] })];
  const onJob = {
    running: running([1, 1]),
    clockedJobs: [{ roNumber: 1, jobNumber: 1, clockedMs: hour }],
  };
  const isFinished = { finishedJobs: [{ roNumber: 1, jobNumber: 2, finishedAt: NOW, technicianId: 7 }] };
  const next = () => within(screen.getByRole('region', { name: 'Next' })).getByRole('button');

  test.each<[string, Partial<TechnicianClock>, () => HTMLElement, () => HTMLElement, string]>([
    ['Clock in', {}, () => button('Clock in'), () => button('Clock out'), 'clock-in'],
    ['Stop', onJob, () => button('Stop'), () => button('Clock out'), 'stop'],
    ['Finish job', onJob, () => button('Finish job'), () => button('Clock out'), 'finish'],
    ['what comes next', onJob, next, next, 'start'],
    [
      'Reopen',
      isFinished,
      () => button('Reopen job 2 of RO 1'),
      () => button('Start job 2 of RO 1'),
      'reopen',
    ],
  ])('on %s is one tap, whatever comes under the thumb', async (_, clock, first, second, action) => {
    await open({ rows: twoJobs, clock });
    doublePress(first(), second);
    expect(taps()).toMatchObject([{ action }]);
  });

  test('on an assignment accepts no other one', async () => {
    await open();
    for (const seq of [20, 21, 22]) say('RO_MODIFIED', assigned(seq, seq));
    doublePress(button('Got it: RO 20'), () => button('Got it: RO 21'));
    expect(screen.getByText('2 new repair orders for you')).toBeInTheDocument();
    expect(mutations().map(({ about }) => about.roNumber)).toEqual([20]);
  });

  test('is two taps at two places', async () => {
    await open({ rows: twoJobs });
    pressElsewhere();
    press(button('Clock in'), 'touch', 1);
    press(button('Start job 2 of RO 1'), 'touch', 1, { x: 200, y: 300 });
    expect(taps()).toMatchObject([{ action: 'clock-in' }, { action: 'start' }]);
  });

  test('is one of the Enter key that is held', async () => {
    await open();
    expect(fireEvent.keyDown(button('Clock in'), { key: 'Enter' })).toBe(true);
    expect(fireEvent.keyDown(button('Clock in'), { key: 'Enter', repeat: true })).toBe(false);
  });
});

describe('an order that leaves while the clock runs on it', () => {
  const listed = mine(1, { jobs: [job(1, 'LOF')] });
  const scene = { rows: [listed], clock: { running: running([1, 1]) } };
  const rachel = { regularIdTechnician: 8, regularTechFullName: 'Rachel Goldberg', jobs: listed.jobs };
  const leave = async (client: QueryClient, rows: Row[]) => {
    say('RO_MODIFIED', { ...assigned(1, 20), action: 'TECH_UNASSIGNED', rows });
    client.setQueryData(['repair-orders'], landList(emptyOrderCache, { rows: [], seq: 20 }, 0));
    await screen.findByText('Nothing is assigned to you');
  };
  const runsOn = () => screen.queryByText(/Your clock still runs on it/)?.textContent ?? null;

  test('stays the one in hand, with who has it now and one tap that stops the clock', async () => {
    const { client, user } = await open(scene);
    expect(runsOn()).toBeNull();
    expect(button('Finish job')).toHaveClass('bg-accent');
    await leave(client, [row(1, rachel)]);
    expect(button('Stop')).toHaveClass('bg-accent');
    expect(button('Finish job')).not.toHaveClass('bg-accent');
    expect(runsOn()).toBe('RO 1 was given to Rachel Goldberg. Your clock still runs on it.');
    expect(screen.getByRole('region', { name: 'Now' })).toHaveTextContent('1. LOF');
    expect(screen.getByText('LOF · 2021 Honda Accord EX')).toBeInTheDocument();
    expect(screen.queryByText(/RO 1 (was taken )?off your list/)).toBeNull();
    await user.click(button('Stop the clock'));
    expect(taps()).toMatchObject([{ action: 'stop' }]);
    expect(runsOn()).toBeNull();
    expect(screen.queryByRole('region', { name: 'Now' })).toBeNull();
  });

  test('was taken when nobody has it', async () => {
    const { client } = await open(scene);
    await leave(client, [row(1)]);
    expect(runsOn()).toBe('RO 1 was taken from you. Your clock still runs on it.');
  });

  test('is not mentioned when it was closed: the server stops the clock', async () => {
    const { client } = await open(scene);
    await leave(client, []);
    expect(runsOn()).toBeNull();
  });

  test('is named without a holder when it left before the page was opened', async () => {
    const details: unknown = {
      repairOrderNumber: 9,
      displayNumber: 'C9',
      vehicle: '2019 Kia Soul',
      jobs: [],
    };
    vi.mocked(fetchDetails).mockResolvedValueOnce(details as Details);
    await open({ ...scene, clock: { running: running([9, 2], { displayNumber: 'C9' }) } });
    expect(runsOn()).toBe('RO C9 is not on your list any more. Your clock still runs on it.');
    const now = screen.getByRole('region', { name: 'Now' });
    expect(now).toHaveTextContent('2019 Kia Soul');
    expect(now).toHaveTextContent('This order was taken off your list: stop the clock.');
    expect(now).toHaveTextContent('RO C9, job 2');
  });
});

describe('an assignment', () => {
  test('is announced in a banner with a sound, and accepted with a tap', async () => {
    const { user } = await open({ clock: { running: running(null) } });
    say('RO_MODIFIED', assigned(2, 20));
    const banner = screen.getByRole('region', { name: 'New assignments' });
    expect(within(banner).getByRole('alert')).toHaveTextContent('New repair order for you');
    expect(banner).toHaveTextContent('2021 Honda Accord EX');
    expect(banner).toHaveTextContent('from Dana Whitfield');
    expect(chime).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(reportStage).toHaveBeenCalledExactlyOnceWith(7, 2, 'seen'));
    await user.click(button('Got it'));
    expect(screen.queryByRole('region', { name: 'New assignments' })).toBeNull();
    expect(mutations().map(({ about }) => about.detail)).toEqual(['accepted']);
  });

  test('is silent off the clock', async () => {
    await open();
    say('RO_MODIFIED', assigned(2, 20));
    expect(screen.getByText('New repair order for you')).toBeInTheDocument();
    expect(chime).not.toHaveBeenCalled();
  });

  test('of several the banner counts, and one tap accepts all', async () => {
    const { user } = await open();
    for (const seq of [20, 21, 22]) say('RO_MODIFIED', assigned(seq, seq));
    expect(screen.getByText('3 new repair orders for you')).toBeInTheDocument();
    await user.click(button('Got it: RO 21'));
    expect(screen.getByText('2 new repair orders for you')).toBeInTheDocument();
    await user.click(button('Got it, all 2'));
    expect(screen.queryByRole('region', { name: 'New assignments' })).toBeNull();
    const accepted = mutations().filter(({ about }) => about.detail === 'accepted');
    expect(accepted.map(({ about }) => about.roNumber)).toEqual([21, 20, 22]);
  });

  test('of several says how late it is, and how many jobs it has beside the first', async () => {
    await open();
    const jobs = [job(1, 'LOF'), job(2, 'BRKR'), job(3, 'MPI')];
    say('RO_MODIFIED', { ...assigned(20, 20), rows: [mine(20, { jobs })] });
    say('RO_MODIFIED', assigned(21, 21));
    const [first] = within(screen.getByRole('region', { name: 'New assignments' })).getAllByRole('listitem');
    expect(first).toHaveTextContent(
      /LOF \+ 2 jobs.*Overdue.*Smith, Jo · from Dana Whitfield.*Got it.*Hand back$/,
    );
  });

  test('is handed back with a preset reason, or in the technician’s own words', async () => {
    const { user } = await open();
    say('RO_MODIFIED', assigned(2, 20));
    await user.click(button('Hand back'));
    const dialog = await screen.findByRole('dialog', { name: 'Hand back RO 2' });
    const give = within(dialog).getByRole('button', { name: 'Hand back' });
    expect(give).toBeDisabled();
    await user.click(within(dialog).getByRole('radio', { name: 'Another reason' }));
    expect(give).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox'), ' The lift is broken ');
    await user.click(give);
    const sent = mutations().find(({ about }) => about.kind === 'hand-back');
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/api/technicians/7/assignments/2/hand-back',
      body: { reason: 'The lift is broken' },
    });
    expect(screen.queryByRole('region', { name: 'New assignments' })).toBeNull();
  });

  test('that is removed leaves a line that says who removed it', async () => {
    await open();
    say('RO_MODIFIED', { ...assigned(1, 20), action: 'TECH_UNASSIGNED', rows: [row(1)] });
    expect(screen.getByText('Dana Whitfield took RO 1 off your list.')).toBeInTheDocument();
  });
});

test('the sound can be turned off, which this device remembers', async () => {
  const { user } = await open();
  await user.click(button('Alerts'));
  const sound = await screen.findByRole('switch', { name: 'Sound' });
  expect(sound).toBeChecked();
  await user.click(sound);
  expect(sound).not.toBeChecked();
  expect(localStorage.getItem('dispatch.portal-sound')).toBe('off');
  await user.click(sound);
  expect(localStorage.getItem('dispatch.portal-sound')).toBe('on');
});

describe('a status', () => {
  const pick = async (user: ReturnType<typeof userEvent.setup>, status: string) => {
    await user.click(button('Status of RO 1: Drop'));
    await user.click(screen.getByRole('option', { name: status }));
  };

  test('is one of four, and goes through the outbox', async () => {
    const { user } = await open();
    await user.click(button('Status of RO 1: Drop'));
    const offered = screen.getAllByRole('option').map((item) => item.textContent);
    expect(offered.toSorted()).toEqual(['Drop', 'PDI', 'Used', 'Waiting']);
    await user.click(screen.getByRole('option', { name: 'PDI' }));
    expect(mutations()).toMatchObject([
      {
        path: '/api/repair-orders/update-status',
        body: { data: [{ repairOrderNumber: '1', idStatus: '13' }] },
        about: { kind: 'status', roNumber: 1 },
      },
    ]);
    expect(button('Status of RO 1: Updating...')).toBeDisabled();
  });

  test('that the server refuses is explained in place and can be retried', async () => {
    vi.mocked(submit).mockRejectedValueOnce(new ApiError(403, 'forbidden', 'No.'));
    const { user } = await open();
    await pick(user, 'PDI');
    const message = 'Refused: Status of RO 1 to PDI. Your roles do not permit this.';
    expect(await screen.findByText(message)).toBeInTheDocument();
    await user.click(button('Try again'));
    expect(screen.queryByText(message)).toBeNull();
    expect(mutations()).toHaveLength(2);
  });
});

describe('the details', () => {
  const details = (changes: object = {}) => ({
    repairOrderNumber: 1,
    vehicleVIN: '1HGCM82633A004352',
    vehicle: '2021 Honda Accord EX',
    customer: 'SMITH,JO',
    advisor: 'Dana Whitfield',
    createDateTime: NOW,
    promisedDateTime: null,
    closedDateTime: null,
    jobs: [
      {
        jobNumber: 2,
        concern: 'Rattles',
        cause: 'Loose shield',
        briefTechNotes: '',
        techStory: 'It rattled.',
        operations: [{ operationCode: 'DIAG', operationDesciption: 'Diagnose', soldHours: null }],
        assignments: [],
      },
      {
        jobNumber: 1,
        concern: '',
        cause: '',
        briefTechNotes: '',
        techStory: '',
        operations: [],
        assignments: [],
      },
    ],
    ...changes,
  });
  const answerDetails = (changes: object = {}) => {
    // The rest of the answer is nothing the dialog shows.
    const partialDetails: unknown = details(changes);
    vi.mocked(fetchDetails).mockResolvedValue(partialDetails as Awaited<ReturnType<typeof fetchDetails>>);
  };
  const openDetails = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('link', { name: 'Open repair order 1' }));
    return screen.findByRole('dialog', { name: 'Repair Order #1 Details' });
  };

  test('show the tag of a car that has one', async () => {
    answerDetails({ tagNumber: 'T118' });
    const { user } = await open();
    const dialog = await openDetails(user);
    expect((await within(dialog).findByText('Tag')).nextElementSibling).toHaveTextContent(/^T118$/);
  });

  test('list each job in order, with the specified texts for missing values', async () => {
    answerDetails();
    const { user } = await open({ user: { ...maria, permissions: ['change-status'] } });
    const dialog = await openDetails(user);
    const [first, second] = await within(dialog).findAllByRole('listitem');
    expect(first).toHaveTextContent('1. No OpCode');
    expect(first).toHaveTextContent('No concern noted');
    expect(first).toHaveTextContent('CauseNothing written yet');
    expect(first).toHaveTextContent('NotesNothing written yet');
    expect(first).toHaveTextContent('Technician StoryNo technician story available yet');
    expect(second).toHaveTextContent('2. DIAG');
    expect(second).toHaveTextContent('Concern: Rattles');
    expect(second).toHaveTextContent('CauseLoose shield');
    expect(second).toHaveTextContent('Technician StoryIt rattled.');
    expect(within(dialog).queryByRole('textbox')).toBeNull();
  });

  test('show a message without jobs', async () => {
    answerDetails({ jobs: [] });
    const { user } = await open();
    expect(await within(await openDetails(user)).findByText('No job details available')).toBeInTheDocument();
  });

  test('save cause and notes, keep them when the dialog closes, and send only the changed ones', async () => {
    answerDetails();
    const { user } = await open();
    let dialog = await openDetails(user);
    await user.type(await within(dialog).findByRole('textbox', { name: /Notes on job 2/ }), 'Torqued');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    dialog = await openDetails(user);
    expect(await within(dialog).findByRole('textbox', { name: /Notes on job 2/ })).toHaveValue('Torqued');
    await user.click(within(dialog).getByRole('button', { name: 'Save job 2' }));
    expect(mutations()).toMatchObject([
      {
        method: 'PATCH',
        path: '/api/repair-orders/1/jobs/2',
        body: { briefTechNotes: 'Torqued' },
        about: { kind: 'notes', roNumber: 1, jobNumber: 2 },
      },
    ]);
  });

  test('keep the texts as a draft until the server has them, and can discard it', async () => {
    answerDetails();
    const { user } = await open();
    const dialog = await openDetails(user);
    const cause = await within(dialog).findByRole('textbox', { name: /Cause of job 2/ });
    await user.clear(cause);
    await user.type(cause, 'Missing clip');
    await user.click(within(dialog).getByRole('button', { name: /^Discard/ }));
    expect(cause).toHaveValue('Loose shield');
    expect(within(dialog).queryByRole('button', { name: 'Save job 2' })).toBeNull();
  });

  test('save again what was saved before, when somebody else has changed it since', async () => {
    const answerCause = (cause: string) => answerDetails({ jobs: [{ ...details({}).jobs[0], cause }] });
    answerCause('Loose shield');
    const { client, user } = await open();
    const dialog = within(await openDetails(user));
    const cause = await dialog.findByRole('textbox', { name: /Cause of job 2/ });
    const lands = (version: number) =>
      act(() => {
        client.setQueryData(
          ['repair-orders'],
          landList(emptyOrderCache, { rows: [mine(1, { version })], seq: 10 + version }, 0),
        );
      });
    const type = async (text: string) => {
      await user.clear(cause);
      await user.type(cause, text);
    };
    await type('Pads worn');
    await user.click(dialog.getByRole('button', { name: 'Save job 2' }));
    answerCause('Pads worn');
    await act(async () => {
      for (const answered of unanswered.splice(0)) answered(null);
    });
    lands(2);
    const draftMark = { name: 'Something you wrote is not saved yet', hidden: true };
    await waitFor(() => expect(screen.queryByRole('img', draftMark)).toBeNull());
    answerCause('Pads worn, 2 mm');
    lands(3);
    await waitFor(() => expect(cause).toHaveValue('Pads worn, 2 mm'));
    await type('Pads worn');
    expect(dialog.getByRole('button', { name: 'Save job 2' })).toBeEnabled();
  });

  test('show nobody’s change where it is the reader’s own, saved while they went on typing', async () => {
    const answerJob = (briefTechNotes: string, concern: string) =>
      answerDetails({ jobs: [{ ...details({}).jobs[0], briefTechNotes, concern }] });
    answerJob('', 'Rattles');
    const { client, user } = await open();
    const dialog = within(await openDetails(user));
    const notes = await dialog.findByRole('textbox', { name: /Notes on job 2/ });
    const lands = (version: number) =>
      act(() => {
        client.setQueryData(
          ['repair-orders'],
          landList(emptyOrderCache, { rows: [mine(1, { version })], seq: 10 + version }, 0),
        );
      });
    await user.type(notes, 'Torqued');
    await user.click(dialog.getByRole('button', { name: 'Save job 2' }));
    await user.type(notes, ' to spec');
    answerJob('Torqued', 'Rattles when cold');
    await act(async () => {
      for (const answered of unanswered.splice(0)) answered(null);
    });
    lands(2);
    await dialog.findByText(/Rattles when cold/);
    expect(dialog.queryByText(/^Meanwhile/)).toBeNull();
    expect(notes).toHaveValue('Torqued to spec');
    await user.type(notes, ', twice');
    expect(dialog.queryByText(/^Meanwhile/)).toBeNull();

    answerJob('Replaced', 'Rattles always');
    lands(3);
    await dialog.findByText(/Rattles always/);
    expect(dialog.getByText('Meanwhile it was changed to: Replaced')).toBeInTheDocument();
    expect(notes).toHaveValue('Torqued to spec, twice');
  });

  test('offer dictation only where the browser supports it, and append the dictated text', async () => {
    answerDetails();
    const { user } = await open();
    let dialog = await openDetails(user);
    await within(dialog).findByRole('textbox', { name: /Cause of job 2/ });
    expect(within(dialog).queryByRole('button', { name: /^Dictate/ })).toBeNull();
    await user.keyboard('{Escape}');

    stubRecognition('webkitSpeechRecognition');
    dialog = await openDetails(user);
    await user.click(await within(dialog).findByRole('button', { name: 'Dictate: Cause of job 2' }));
    expect(within(dialog).getByText(/maker of your browser may hear/)).toBeInTheDocument();
    hear([said(' on the left ')]);
    expect(within(dialog).getByRole('textbox', { name: /Cause of job 2/ })).toHaveValue(
      'Loose shield on the left',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Stop dictating' }));
    expect(within(dialog).getByRole('button', { name: 'Dictate: Cause of job 2' })).toBeInTheDocument();
    vi.unstubAllGlobals();
  });
});
