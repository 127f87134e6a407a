import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import type { Row } from '../api/repair-orders.ts';
import { onSocketMessage, onStaffChange, type SocketMessages } from '../api/socket.ts';
import { fetchWorkload, type Workload } from '../api/technicians.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { LOAD_INTERVAL_MS } from './batched-load.ts';
import { idleSince, onJobSince, technician } from './workload.fixture.ts';
import { WorkloadScreen } from './workload-screen.tsx';

vi.mock('../api/socket.ts', () => ({
  onSocketMessage: vi.fn(),
  onStaffChange: vi.fn(),
  openSocket: vi.fn(),
}));
vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchWorkload: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  listRepairOrders: async () => ({ rows, seq: 1 }),
}));
const session = vi.hoisted(() => ({
  maySeeAll: true,
  roles: ['Owner'],
  technicianId: null as number | null,
}));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-all-technicians' && session.maySeeAll,
  useUser: () => session,
}));

/** What the server has. */
let technicians: Workload[];
let rows: Row[] = [];
/** As the socket tells them. */
const listeners = new Map<string, Set<(message: unknown) => void>>();
const say = (name: string, message: unknown) => {
  for (const hear of listeners.get(name) ?? []) hear(message);
};
let staffChanged: () => void;
let user: ReturnType<typeof userEvent.setup>;

const someCounts = {
  waiting: 2,
  drop: { total: 6, high: 1, medium: 2, low: 3 },
  pdi: 4,
  used: 5,
  total: 17,
};

beforeEach(async () => {
  user = userEvent.setup();
  session.maySeeAll = true;
  session.roles = ['Owner'];
  session.technicianId = null;
  technicians = [
    technician(1131, 'Hank Mueller', {
      specialty: 'Diesel',
      levelName: 'Master',
      portalEnabled: true,
      counts: someCounts,
      assignedHours: 10.5,
      jobsWithoutHours: 2,
      dueTodayHours: 7.1,
      hoursLeftToday: 6,
      clock: onJobSince('2026-03-02T08:00:00Z', 438_912, 2),
    }),
    technician(1112, 'Ana Ruiz', {
      assignedHours: 3,
      dueTodayHours: 3,
      clock: idleSince('2026-03-02T09:30:00Z'),
    }),
  ];
  vi.mocked(fetchWorkload)
    .mockReset()
    .mockImplementation(async () => technicians);
  rows = [];
  listeners.clear();
  vi.mocked(onSocketMessage).mockImplementation(
    (name: keyof SocketMessages, listener: (message: never) => void) => {
      const all = listeners.get(name) ?? new Set();
      const hear = (message: unknown) => listener(message as never);
      listeners.set(name, all.add(hear));
      return () => all.delete(hear);
    },
  );
  vi.mocked(onStaffChange).mockImplementation((listener) => {
    staffChanged = listener;
    return () => undefined;
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await changeLanguage('en');
});

afterEach(() => void vi.useRealTimers());

function open(at = '/technicians') {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route path="/technicians" element={<WorkloadScreen />} />
          <Route path="*" element={null} />
        </Routes>
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
function Address() {
  const { pathname, search } = useLocation();
  return <p data-address>{pathname + search}</p>;
}
const card = (name: string) => screen.findByRole('article', { name });
const expectCardText = async (name: string, text: string) =>
  waitFor(async () => expect((await card(name)).textContent).toContain(text));
const cards = () => screen.getAllByRole('article').map((one) => within(one).getByRole('heading').textContent);

describe('a row', () => {
  test('links to its technician’s portal, and names specialty and portal', async () => {
    open();
    const hank = await card('Hank Mueller');
    expect(within(hank).getByRole('link', { name: 'Hank Mueller' })).toHaveAttribute(
      'href',
      '/technicians/1131',
    );
    expect(within(hank).getByText('Diesel')).not.toHaveClass('truncate');
    expect(within(hank).getByText('Master')).toBeInTheDocument();
    expect(within(hank).getByText('Portal Enabled')).toBeInTheDocument();
    expect(within(await card('Ana Ruiz')).queryByText('Portal Enabled')).not.toBeInTheDocument();
  });

  test('shows every count with its name', async () => {
    open();
    const hank = await card('Hank Mueller');
    const terms = within(hank).getAllByRole('term');
    const counts = terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(Object.fromEntries(counts)).toEqual({
      Waiting: '2',
      Drop: '6',
      PDI: '4',
      Used: '5',
      'Drop High': '1',
      'Drop Medium': '2',
      'Drop Low': '3',
      'Total Active ROs': '17',
    });
  });

  test('shows in words how full the rest of today is, the backlog, and which jobs are not counted', async () => {
    open();
    const hank = await card('Hank Mueller');
    expect(hank).toHaveTextContent('Promised today: 7.1 of 6 h, 1.1 h over');
    expect(hank).toHaveTextContent('backlog at least 1.3 days');
    expect(hank).toHaveTextContent('2 jobs without hours are not counted');
    expect(await card('Ana Ruiz')).toHaveTextContent('3 of 8 h');
    expect(await card('Ana Ruiz')).toHaveTextContent('backlog 0.4 days');
  });

  test('nobody is over capacity because of what is promised for later', async () => {
    technicians = [technician(1131, 'Hank Mueller', { assignedHours: 30, dueTodayHours: 2 })];
    open();
    expect(await card('Hank Mueller')).toHaveTextContent('2 of 8 h');
    expect(await card('Hank Mueller')).not.toHaveTextContent('over');
    expect(screen.getByText('1 technician · 0 free · 0 over capacity')).toBeInTheDocument();
  });

  test('shows no number where no hours are known, and a bound where some are', async () => {
    technicians = [
      technician(1131, 'Hank Mueller', { jobsWithoutHours: 3, dueTodayJobsWithoutHours: 3 }),
      technician(1112, 'Ana Ruiz', {
        assignedHours: 3,
        jobsWithoutHours: 1,
        dueTodayHours: 3,
        dueTodayJobsWithoutHours: 1,
      }),
    ];
    open();
    const hank = await card('Hank Mueller');
    expect(hank).toHaveTextContent('hours not known');
    expect(hank).toHaveTextContent('backlog not known');
    expect(hank).toHaveTextContent('3 jobs without hours are not counted');
    expect(hank).not.toHaveTextContent('of 8 h');
    expect(await card('Ana Ruiz')).toHaveTextContent('at least 3 of 8 h');
  });

  test('has a bar on the scale of all rows, on which the hours left end at their mark', async () => {
    technicians = [
      technician(1131, 'Hank Mueller', { dueTodayHours: 10, hoursLeftToday: 5 }),
      technician(1112, 'Ana Ruiz', { dueTodayHours: 2, hoursLeftToday: 2.5 }),
    ];
    open();
    const bar = async (name: string) => {
      const drawn = (await card(name)).querySelector('[data-load]');
      return [drawn?.getAttribute('data-load'), drawn?.querySelector('.bg-accent')?.getAttribute('style')];
    };
    expect(await bar('Hank Mueller')).toEqual(['over', 'width: 50%;']);
    expect(await bar('Ana Ruiz')).toEqual(['within', 'width: 20%;']);
  });

  test('shows what the technician is doing now', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-03T10:30:00Z') });
    open();
    expect(await card('Hank Mueller')).toHaveTextContent('RO 438912 job 2 · 1 d 2 h');
    expect(await card('Ana Ruiz')).toHaveTextContent(/Free since/);
  });
});

describe('what needs a hand', () => {
  const lines = () =>
    within(screen.getByRole('region', { name: /^Needs a hand/ }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);

  test('is listed with the way to where it is put right', async () => {
    const forgotten = { ...onJobSince('2026-03-01T08:00:00Z', 438_912, 2), forgotten: true };
    technicians = [...technicians, technician(1, 'Bo Li', { clock: forgotten })];
    open();
    await card('Ana Ruiz');
    expect(screen.getByRole('heading', { name: 'Needs a hand (2)' })).toBeInTheDocument();
    expect(lines()).toEqual([
      [expect.stringMatching(/^Bo Li may have forgotten the clock, on since /), '/technicians/1'],
      [expect.stringMatching(/^Ana Ruiz free since /), '/technicians/1112'],
    ]);
  });

  test('says by when an order that nobody has was promised, and of one without a promise no more than its ETA', async () => {
    const now = Date.now();
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    rows = [
      row(501, { promisedDateTime: at(10), createDateTime: at(-10) }),
      row(502, { promisedDateTime: at(-20), createDateTime: at(-300) }),
      row(503, { createDateTime: at(-300) }),
      row(504, { createDateTime: at(-170) }),
    ];
    technicians = technicians.slice(0, 1);
    open();
    await screen.findByRole('heading', { name: 'Needs a hand (4)' });
    expect(lines().map(([text]) => text)).toEqual([
      expect.stringMatching(/^501 No technician · promised /),
      expect.stringMatching(/^502 No technician · overdue since /),
      expect.stringMatching(/^504 No technician · ETA /),
      expect.stringMatching(/^503 No technician · no promise, ETA was /),
    ]);
  });

  test('is cut after six lines, and shown whole on demand', async () => {
    technicians = Array.from({ length: 8 }, (_, place) =>
      technician(place + 1, `Tech ${place}`, { clock: idleSince('2026-03-02T09:30:00Z') }),
    );
    open();
    await card('Tech 0');
    expect(lines()).toHaveLength(6);
    await user.click(screen.getByRole('button', { name: '2 more' }));
    expect(lines()).toHaveLength(8);
    await user.click(screen.getByRole('button', { name: 'Show fewer' }));
    expect(lines()).toHaveLength(6);
  });

  test('is not there where nothing does', async () => {
    technicians = technicians.slice(0, 1);
    open();
    await card('Hank Mueller');
    expect(screen.queryByRole('region', { name: /^Needs a hand/ })).not.toBeInTheDocument();
  });
});

test('names its page and counts its technicians', async () => {
  open();
  await card('Ana Ruiz');
  expect(document.title).toBe('Technician Dashboard');
  expect(screen.getByText('2 technicians · 1 free · 1 over capacity')).toBeInTheDocument();
});

test('shows a spinner while it loads', async () => {
  vi.mocked(fetchWorkload).mockReturnValue(new Promise(() => undefined));
  open();
  expect(await screen.findByRole('status')).toHaveTextContent('Loading technicians...');
});

describe('a failed load', () => {
  test.each([
    ['a refusal', new ApiError(500, 'unavailable', 'The database is away.'), 'Failed to fetch assignments'],
    ['a lost connection', new ApiError(0, 'network', 'x'), 'The server could not be reached.'],
    ['another failure', new Error('The answer could not be read.'), 'The answer could not be read.'],
    ['one that says nothing', new Error(''), 'An error occurred'],
  ])('of %s is shown in red', async (_, failure, text) => {
    vi.mocked(fetchWorkload).mockRejectedValue(failure);
    open();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(text);
    expect(alert).toHaveClass('text-danger');
  });

  test('can be tried again', async () => {
    vi.mocked(fetchWorkload).mockRejectedValueOnce(new ApiError(500, 'unavailable', 'x'));
    open();
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await card('Ana Ruiz');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('after a successful one keeps the rows, marked as possibly old', async () => {
    open();
    await card('Ana Ruiz');
    vi.mocked(fetchWorkload).mockRejectedValue(new ApiError(500, 'unavailable', 'x'));
    act(() => say('RO_MODIFIED', { roNumber: 1 }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch assignments');
    expect(await card('Ana Ruiz')).toBeInTheDocument();
  });
});

describe('live', () => {
  test.each(['RO_MODIFIED', 'TECHNICIANS_CHANGED'] as const)('%s brings the new counts', async (name) => {
    open();
    await card('Ana Ruiz');
    technicians = technicians.map((one) => ({ ...one, counts: { ...someCounts, total: 99 } }));
    act(() => say(name, { roNumber: 7, timestamp: '' }));
    await expectCardText('Ana Ruiz', 'Total Active ROs99');
  });

  test('a new connection and changed staff load them, too', async () => {
    open();
    await card('Ana Ruiz');
    technicians = technicians.map((one) => ({ ...one, portalEnabled: true }));
    act(() => staffChanged());
    await expectCardText('Ana Ruiz', 'Portal Enabled');
    technicians = technicians.map((one) => ({ ...one, specialty: 'Brakes' }));
    act(() => say('RO_MODIFIED', null));
    await expectCardText('Ana Ruiz', 'Brakes');
  });

  test('a burst of messages is fetched at once and then twice a second, and nothing without them', async () => {
    open();
    await card('Ana Ruiz');
    vi.mocked(fetchWorkload).mockClear();
    act(() => {
      for (let roNumber = 0; roNumber < 100; roNumber++) say('RO_MODIFIED', { roNumber });
    });
    expect(fetchWorkload).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(fetchWorkload).toHaveBeenCalledTimes(2));
    await new Promise((done) => setTimeout(done, 3 * LOAD_INTERVAL_MS));
    expect(fetchWorkload).toHaveBeenCalledTimes(2);
  });

  test('a clock message sets the clock before anything is fetched', async () => {
    open();
    await card('Ana Ruiz');
    vi.mocked(fetchWorkload).mockReturnValue(new Promise(() => undefined));
    const running = {
      entryId: 'e',
      since: '2026-03-02T10:00:00Z',
      roNumber: 55,
      jobNumber: 3,
      forgotten: false,
    };
    act(() => say('CLOCK_CHANGED', { technicianId: 1112, running }));
    await expectCardText('Ana Ruiz', 'RO 55 job 3 · ');
    act(() =>
      say('CLOCK_CHANGED', {
        technicianId: 1112,
        running: { ...running, roNumber: null, jobNumber: null },
      }),
    );
    await expectCardText('Ana Ruiz', 'Free since');
    act(() => say('CLOCK_CHANGED', { technicianId: 1112, running: null }));
    await expectCardText('Ana Ruiz', 'Off the clock');
    expect(await card('Hank Mueller')).toHaveTextContent('RO 438912 job 2');
  });

  test('a clock message brings the hours that a finished job leaves', async () => {
    open();
    await card('Ana Ruiz');
    technicians = technicians.map((one) => ({ ...one, dueTodayHours: 1.5 }));
    act(() => say('CLOCK_CHANGED', { technicianId: 1131, running: null }));
    await expectCardText('Ana Ruiz', '1.5 of 8 h');
  });

  test('a fetch that began before a clock changed is repeated', async () => {
    open();
    await card('Ana Ruiz');
    let answer = (_: Workload[]) => undefined as undefined;
    vi.mocked(fetchWorkload).mockImplementationOnce(
      () =>
        new Promise((done) => {
          answer = (all) => void done(all);
        }),
    );
    act(() => say('RO_MODIFIED', { roNumber: 1 }));
    const before = technicians;
    technicians = technicians.map((one) => ({ ...one, clock: idleSince('2026-03-02T11:00:00Z') }));
    act(() => say('CLOCK_CHANGED', { technicianId: 1131, running: null }));
    act(() => void answer(before));
    await expectCardText('Hank Mueller', 'Free since');
  });
});

describe('what is shown', () => {
  test('is searched, filtered and sorted, and kept in the address', async () => {
    open();
    await card('Ana Ruiz');
    expect(cards()).toEqual(['Ana Ruiz', 'Hank Mueller']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Load');
    expect(cards()).toEqual(['Hank Mueller', 'Ana Ruiz']);
    await user.click(screen.getByRole('radio', { name: /^Free/ }));
    expect(cards()).toEqual(['Ana Ruiz']);
    await user.type(screen.getByRole('textbox', { name: 'Find a technician' }), 'han');
    expect(screen.getByText('No technician matches')).toBeInTheDocument();
    expect(document.querySelector('[data-address]')).toHaveTextContent(
      '/technicians?q=han&sort=load&show=idle',
    );
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(cards()).toEqual(['Hank Mueller', 'Ana Ruiz']);
  });

  test('comes from the address', async () => {
    open('/technicians?show=over');
    await card('Hank Mueller');
    expect(cards()).toEqual(['Hank Mueller']);
    expect(screen.getByRole('radio', { name: /^Over capacity/ })).toBeChecked();
  });

  test('is a link to the organisation when there are no technicians', async () => {
    technicians = [];
    open();
    expect(await screen.findByText('There are no technicians yet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Technician Management' })).toHaveAttribute(
      'href',
      '/technician-management',
    );
  });
});

describe('a user who may not see all technicians', () => {
  test('is redirected to their own portal as a technician', () => {
    Object.assign(session, { maySeeAll: false, roles: ['Technician', 'Used'], technicianId: 1112 });
    open();
    expect(document.querySelector('[data-address]')).toHaveTextContent('/technicians/1112');
    expect(fetchWorkload).not.toHaveBeenCalled();
  });

  test.each([
    ['a technician without a number', ['Technician'], null],
    ['an advisor', ['Advisor'], null],
    ['a manager with a number', ['Service_Manager'], 1112],
  ])('is followed on the message %s', (_, roles, technicianId) => {
    Object.assign(session, { maySeeAll: false, roles, technicianId });
    open();
    expect(screen.getByText('You do not see all technicians')).toBeInTheDocument();
    expect(fetchWorkload).not.toHaveBeenCalled();
  });
});

test('an owner who is a technician, too, sees everybody', async () => {
  Object.assign(session, { roles: ['Technician', 'Owner'], technicianId: 1112 });
  open();
  await card('Hank Mueller');
});

test('speaks German and Spanish', async () => {
  await changeLanguage('de');
  open();
  expect(await screen.findByRole('heading', { name: 'Technikerübersicht' })).toBeInTheDocument();
  await expectCardText('Hank Mueller', 'Portal aktiv');
  await act(() => changeLanguage('es'));
  expect(screen.getByRole('heading', { name: 'Panel de técnicos' })).toBeInTheDocument();
});
