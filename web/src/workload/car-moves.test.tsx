import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { brakes, candidate } from '../api/candidate.fixture.ts';
import { type Candidate, fetchCandidates } from '../api/candidates.ts';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, reassignTechnician, undoChange } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { landRo } from '../repair-order/live-orders.ts';
import { closeDialog } from '../repair-order/open-dialog.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { currentToast } from '../ui/toaster.ts';
import { finishedJob, onJobSince, technician } from './workload.fixture.ts';
import { WorkloadScreen } from './workload-screen.tsx';

const server = vi.hoisted(() => ({ rows: [] as unknown[], technicians: [] as unknown[] }));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  openSocket: vi.fn(),
  isConnected: () => true,
  sendNotice: async () => undefined,
  sendPresence: async () => undefined,
}));
vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchWorkload: async () => server.technicians,
}));
vi.mock('../api/candidates.ts', () => ({ fetchCandidates: vi.fn() }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  listRepairOrders: async () => ({ rows: server.rows, seq: 1 }),
  fetchTechnicians: async () =>
    (server.technicians as Workload[]).map(({ technicianId, fullName, specialty }) => ({
      idTechnician: technicianId,
      displayName: fullName,
      specialty,
    })),
  reassignTechnician: vi.fn(),
  undoChange: vi.fn(),
}));
const session = vi.hoisted(() => ({ mayDispatch: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-all-technicians' || session.mayDispatch,
  useUser: () => ({ roles: ['Owner'], technicianId: null }),
}));

const [HANK, ANA, BO] = [1131, 1112, 1140];
const reassign = vi.mocked(reassignTechnician);
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

const by = (id: number, name: string): Partial<Row> => ({
  regularIdTechnician: id,
  regularTechFullName: name,
});
const hanks = by(HANK, 'Hank Mueller');
const NOW = Date.parse('2026-03-02T12:00:00Z');
const SOON = '2026-03-02T12:10:00Z';
const jobs = [{ jobNumber: 1, concern: '', operations: [{ operationCode: 'A', soldHours: 2.5 }] }];
const car = (number: number, changes: Partial<Row>) =>
  row(number, { jobs: jobs as unknown as Row['jobs'], promisedDateTime: SOON, ...changes });
/** The server's word on an order after a change. */
const changed = (roNumber: number, version: number, changes: Partial<Row>): ChangedResult => ({
  roNumber,
  ok: true,
  version,
  seq: version,
  rows: [car(roNumber, { version, ...changes })],
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  user = userEvent.setup();
  session.mayDispatch = true;
  server.rows = [
    car(501, {
      ...hanks,
      customerStatus: 'Waiting',
      priorityName: 'Waiting',
      vehicle: '2021 Honda Accord EX',
    }),
    car(502, { ...hanks, promisedDateTime: '2026-03-02T10:00:00Z' }),
    car(503, { ETLIdTechnician: HANK, ETLTechFullName: 'Hank Mueller' }),
    car(504, by(ANA, 'Ana Ruiz')),
  ];
  server.technicians = [
    technician(HANK, 'Hank Mueller', { clock: onJobSince('2026-03-02T08:00:00Z', 502, 1), dueTodayHours: 5 }),
    technician(ANA, 'Ana Ruiz', { dueTodayHours: 4.6, hoursLeftToday: 6, assignedHours: 4.6 }),
    technician(BO, 'Bo Li'),
  ];
  reassign.mockReset();
  vi.mocked(fetchCandidates)
    .mockReset()
    .mockResolvedValue([candidate(BO, 'Bo Li'), candidate(ANA, 'Ana Ruiz')]);
  closeDialog();
  await changeLanguage('en');
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function openScreen() {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={['/technicians?sort=name']}>
        <Routes>
          <Route path="/technicians" element={<WorkloadScreen />} />
          <Route path="*" element={<Address />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
async function open() {
  openScreen();
  await chip(501);
}
function Address() {
  const { pathname, search } = useLocation();
  return <p data-address>{pathname + search}</p>;
}
const lane = (name: string) => screen.getByRole('article', { name });
const chip = (number: number) => screen.findByRole('button', { name: new RegExp(`^Move RO ${number}`) });
const chips = (name: string) =>
  [...lane(name).querySelectorAll<HTMLElement>('[data-car]')].map(({ dataset }) => Number(dataset.car));
const option = (name: RegExp) => screen.findByRole('option', { name });

describe('a lane', () => {
  test('has the car of the clock first, then the others in the order of work, with when they are due', async () => {
    await open();
    expect(chips('Hank Mueller')).toEqual([502, 501, 503]);
    expect(await chip(502)).toHaveTextContent(/Overdue.*Now/);
    expect(await chip(501)).toHaveTextContent(/Due in.*Honda Accord EX.*Next/);
    const summary = within(lane('Hank Mueller')).getByText(/next promise/);
    expect(summary).toHaveTextContent(/^now RO 502 · next RO 501 · next promise .+ · 1 late$/);
    expect(lane('Bo Li')).toHaveTextContent('No cars');
  });

  test('has a car whose jobs are all finished as done, and neither as next nor as late', async () => {
    server.rows = [car(501, hanks), car(502, { ...hanks, promisedDateTime: '2026-03-02T10:00:00Z' })];
    server.technicians = [technician(HANK, 'Hank Mueller', { finishedJobs: [finishedJob(502, 1)] })];
    await open();
    expect(chips('Hank Mueller')).toEqual([501, 502]);
    expect(await chip(502)).toHaveTextContent('Done');
    expect(await chip(502)).not.toHaveTextContent('Overdue');
    expect(lane('Hank Mueller')).toHaveTextContent(/Next RO 501 · next promise/i);
    expect(lane('Hank Mueller')).not.toHaveTextContent('late');
  });

  test('in which everything is finished says so', async () => {
    server.technicians = [
      technician(HANK, 'Hank Mueller', { finishedJobs: [501, 502, 503].map((one) => finishedJob(one, 1)) }),
    ];
    await open();
    expect(lane('Hank Mueller')).toHaveTextContent('all done');
  });

  test('shows the rest on demand', async () => {
    server.rows = [501, 502, 503, 504, 505, 506, 507].map((number) => car(number, hanks));
    await open();
    expect(chips('Hank Mueller')).toHaveLength(4);
    await user.click(screen.getByRole('button', { name: 'Show 3 more cars of Hank Mueller' }));
    expect(chips('Hank Mueller')).toHaveLength(7);
    await user.click(screen.getByRole('button', { name: 'Show fewer cars of Hank Mueller' }));
    expect(chips('Hank Mueller')).toHaveLength(4);
  });

  test('follows what others change', async () => {
    await open();
    act(() => landRo(client, { ...changed(501, 2, by(ANA, 'Ana Ruiz')), seq: 2 }));
    await waitFor(() => expect(chips('Ana Ruiz')).toEqual([501, 504]));
    expect(chips('Hank Mueller')).toEqual([502, 503]);
  });
});

describe('with keys a car', () => {
  test.each(['{Enter}', ' ', 'm'])(
    'is moved by %o to the technician that is found by typing',
    async (key) => {
      await open();
      reassign.mockResolvedValueOnce([changed(501, 2, by(ANA, 'Ana Ruiz'))]);
      (await chip(501)).focus();
      await user.keyboard(key);
      expect(await screen.findByRole('dialog', { name: 'Move RO 501 to' })).toBeInTheDocument();
      const options = () =>
        within(screen.getByRole('listbox'))
          .getAllByRole('option')
          .map(({ textContent }) => textContent);
      await option(/^Bo Li/);
      expect(options()[0]).toMatch(/^Bo Li.*then 2\.5 of 8 h today/);
      expect(screen.queryByRole('option', { name: /^Hank/ })).not.toBeInTheDocument();
      await user.keyboard('ana');
      expect(options()[0]).toMatch(/^Ana Ruiz.*then 7\.1 of 6 h, 1\.1 h over today/);
      await user.keyboard('{Enter}');
      await waitFor(() => expect(chips('Ana Ruiz')).toEqual([501, 504]));
      expect(reassign.mock.calls).toEqual([[{ roNumber: 501, version: 1 }, HANK, ANA]]);
      expect(currentToast()).toMatchObject({
        text: 'Technician reassigned successfully',
        detail: 'Hank Mueller → Ana Ruiz · RO 501',
      });
      // One goes on with the car that took its place.
      await waitFor(() => expect(document.activeElement).toHaveAttribute('data-car', '503'));
      vi.mocked(undoChange).mockResolvedValueOnce([changed(501, 3, hanks)]);
      act(() => currentToast()?.action?.run());
      await waitFor(() => expect(chips('Hank Mueller')).toEqual([502, 501, 503]));
    },
  );

  test('stays where it is with Escape', async () => {
    await open();
    (await chip(501)).focus();
    await user.keyboard('{Enter}');
    await option(/^Bo Li/);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(await chip(501)).toHaveFocus();
    expect(reassign).not.toHaveBeenCalled();
  });

  test('is reached by Tab and the arrow keys, along the lane and from row to row', async () => {
    await open();
    const focused = () => document.activeElement?.getAttribute('data-car');
    within(lane('Ana Ruiz')).getByRole('link', { name: 'Ana Ruiz' }).focus();
    await user.tab();
    expect(focused()).toBe('504');
    // The row between has no cars.
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('502');
    await user.keyboard('{ArrowRight}');
    expect(focused()).toBe('501');
    expect(await chip(501)).toHaveAccessibleDescription(/^Press Enter or M to choose whom to move it to/);
    await user.keyboard('{End}');
    expect(focused()).toBe('503');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(focused()).toBe('504');
    await user.tab();
    expect(within(lane('Bo Li')).getByRole('link', { name: 'Bo Li' })).toHaveFocus();
  });

  test('shows who fits, who lacks a skill and who is free, in two lines without levels or portals', async () => {
    vi.mocked(fetchCandidates).mockResolvedValue([
      candidate(BO, 'Bo Li', { skills: [brakes(4)], portal: false }),
      candidate(ANA, 'Ana Ruiz', { skills: [brakes(null)], clock: 'on-job' }),
    ]);
    await open();
    await user.click(await chip(501));
    const bo = await option(/^Bo Li/);
    expect(bo).toHaveTextContent('Bo Li fits free then 2.5 of 8 h today · 0 open ROs');
    const ana = await option(/^Ana Ruiz/);
    expect(ana).toHaveTextContent(
      'Ana Ruiz lacks Brakes on a job then 7.1 of 6 h, 1.1 h over today · 0 open ROs',
    );
    expect(within(ana).getByText('lacks Brakes')).toHaveClass('text-stale');
    expect(within(bo).getByText('fits')).not.toHaveClass('text-stale');
    expect(screen.getByText('Move RO 501 to')).toBeInTheDocument();
  });

  test('that nobody matches is not opened by Enter, and is by the arrow and Enter', async () => {
    await open();
    (await chip(501)).focus();
    await user.keyboard('m');
    await option(/^Bo Li/);
    await user.keyboard('nobody{Enter}');
    expect(screen.getByRole('dialog', { name: 'Move RO 501 to' })).toBeInTheDocument();
    expect(document.querySelector('[data-address]')).not.toBeInTheDocument();
    expect(reassign).not.toHaveBeenCalled();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(document.querySelector('[data-address]')).toHaveTextContent('/?ro=501');
  });

  test('can be opened, too', async () => {
    await open();
    await user.click(await chip(501));
    await user.click(await option(/^Open repair order 501/));
    expect(document.querySelector('[data-address]')).toHaveTextContent('/?ro=501');
  });
});

describe('with a pointer a car', () => {
  /** There is no layout here: each row is 100 px high, below the one before it. */
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const rows = [...document.querySelectorAll('article')];
      const at = rows.findIndex((article) => article.contains(this));
      return new DOMRect(0, Math.max(at, 0) * 100, 400, this.matches('article') ? 90 : 40);
    });
  });
  const rowAt = { 'Ana Ruiz': 50, 'Bo Li': 150, 'Hank Mueller': 250 };
  const settled = () => act(() => new Promise((done) => setTimeout(done, 50)));

  async function hold(car: HTMLElement, over: keyof typeof rowAt) {
    fireEvent.mouseDown(car, { button: 0, clientX: 20, clientY: 220 });
    fireEvent.mouseMove(document, { clientX: 20, clientY: 235 });
    await settled();
    fireEvent.mouseMove(document, { clientX: 20, clientY: rowAt[over] });
    await settled();
  }
  async function drop() {
    fireEvent.mouseUp(document);
    await settled();
  }
  async function dropOnOwnRow() {
    fireEvent.mouseMove(document, { clientX: 20, clientY: rowAt['Hank Mueller'] });
    await settled();
    await drop();
    expect(reassign).not.toHaveBeenCalled();
  }
  const announced = (text: string) => expect(screen.getByText(text)).toBeInTheDocument();

  test('is dragged to another row, which says what its today would become', async () => {
    await open();
    reassign.mockResolvedValueOnce([changed(501, 2, by(ANA, 'Ana Ruiz'))]);
    await hold(await chip(501), 'Ana Ruiz');
    expect(lane('Ana Ruiz')).toHaveTextContent('With this car: 7.1 of 6 h, 1.1 h over');
    announced('RO 501 is over Ana Ruiz. With this car: 7.1 of 6 h, 1.1 h over');
    await drop();
    expect(lane('Ana Ruiz')).not.toHaveTextContent('With this car');
    await waitFor(() => expect(chips('Ana Ruiz')).toEqual([501, 504]));
    expect(reassign.mock.calls).toEqual([[{ roNumber: 501, version: 1 }, HANK, ANA]]);
    announced('RO 501 was dropped on Ana Ruiz.');
  });

  test('tells of the row below it which skills are lacking, once the ranking is there', async () => {
    let rank = (_: Candidate[]) => undefined as undefined;
    vi.mocked(fetchCandidates).mockImplementationOnce(
      () =>
        new Promise((done) => {
          rank = (all) => void done(all);
        }),
    );
    await open();
    await hold(await chip(501), 'Ana Ruiz');
    expect(fetchCandidates).toHaveBeenCalledExactlyOnceWith([501], expect.anything());
    expect(lane('Ana Ruiz')).not.toHaveTextContent('lacks');
    act(() => rank([candidate(ANA, 'Ana Ruiz', { skills: [brakes(null)] }), candidate(BO, 'Bo Li')]));
    await settled();
    expect(within(lane('Ana Ruiz')).getByText('lacks Brakes')).toHaveClass('text-stale');
    fireEvent.mouseMove(document, { clientX: 20, clientY: rowAt['Bo Li'] });
    await settled();
    expect(screen.queryByText('lacks Brakes')).not.toBeInTheDocument();
    await dropOnOwnRow();
  });

  test('without a promise adds to the backlog of the row below it', async () => {
    server.rows = [car(501, { ...hanks, promisedDateTime: null, createDateTime: '2026-02-20T08:00:00Z' })];
    await open();
    expect(await chip(501)).toHaveTextContent('No promise');
    expect(lane('Hank Mueller')).not.toHaveTextContent(/late|Overdue/);
    await hold(await chip(501), 'Ana Ruiz');
    expect(lane('Ana Ruiz')).toHaveTextContent('With this car: +2.5 h backlog');
    await dropOnOwnRow();
  });

  test('keeps the rows in their places while it is held, and has them sorted again afterwards', async () => {
    await open();
    reassign.mockResolvedValueOnce([changed(501, 2, by(ANA, 'Ana Ruiz'))]);
    await hold(await chip(501), 'Ana Ruiz');
    const names = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    act(() => {
      client.setQueryData<Workload[]>(['technician-assignments'], (all) =>
        all?.map((one) => (one.technicianId === BO ? { ...one, fullName: 'Aaron Li' } : one)),
      );
    });
    await settled();
    expect(names()).toEqual(['Ana Ruiz', 'Aaron Li', 'Hank Mueller']);
    await drop();
    expect(reassign.mock.calls).toEqual([[{ roNumber: 501, version: 1 }, HANK, ANA]]);
    await waitFor(() => expect(names()).toEqual(['Aaron Li', 'Ana Ruiz', 'Hank Mueller']));
  });

  test('that is dropped on its own row stays there', async () => {
    await open();
    await hold(await chip(501), 'Ana Ruiz');
    fireEvent.mouseMove(document, { clientX: 20, clientY: rowAt['Hank Mueller'] });
    await settled();
    await drop();
    announced('RO 501 stays where it was.');
    expect(reassign).not.toHaveBeenCalled();
  });

  test('that the receiver is on already stays where it is, and the row says why', async () => {
    server.rows = [car(501, hanks), car(501, by(ANA, 'Ana Ruiz'))];
    openScreen();
    await screen.findAllByRole('button', { name: /^Move RO 501/ });
    await waitFor(() => expect(chips('Hank Mueller')).toEqual([501]));
    const of = within(lane('Hank Mueller')).getByRole('button', { name: /^Move RO 501/ });
    await hold(of, 'Ana Ruiz');
    expect(lane('Ana Ruiz')).toHaveTextContent('Ana Ruiz is on this car already.');
    await drop();
    expect(reassign).not.toHaveBeenCalled();
  });
});

describe('a move that crosses somebody’s change', () => {
  const stale = (changes: Partial<Row>) => {
    const current = {
      rows: [car(501, { version: 2, ...changes })],
      version: 2,
      changedBy: { uid: 'u2', name: 'Ben' },
      changedAt: '2026-03-02T15:00:00Z',
    };
    const refused = { ok: false, code: 'stale-version', error: 'x', roNumber: 501, current } as const;
    return new ApiError(409, 'stale-version', 'x', refused);
  };
  const moveToAna = async () => {
    (await chip(501)).focus();
    await user.keyboard('m');
    await option(/^Ana/);
    await user.keyboard('ana{Enter}');
  };

  test('of another field is sent again on the newer version', async () => {
    await open();
    reassign.mockRejectedValueOnce(stale({ ...hanks, appCustomerStatus: 'PDI' }));
    reassign.mockResolvedValueOnce([changed(501, 3, by(ANA, 'Ana Ruiz'))]);
    await moveToAna();
    await waitFor(() => expect(chips('Ana Ruiz')).toContain(501));
    expect(reassign.mock.calls.map(([{ version }]) => version)).toEqual([1, 2]);
  });

  test('of the technicians is the user’s to decide, and kept replaces the one who has it now', async () => {
    await open();
    reassign.mockRejectedValueOnce(stale(by(BO, 'Bo Li')));
    await moveToAna();
    const dialog = within(await screen.findByRole('dialog', { name: 'Reassign Technician' }));
    expect(dialog.getByText('Hank Mueller → Ana Ruiz')).toBeInTheDocument();
    expect(dialog.getByRole('alert')).toHaveTextContent('Ben changed RO 501');
    reassign.mockResolvedValueOnce([changed(501, 3, by(ANA, 'Ana Ruiz'))]);
    await user.click(dialog.getByRole('button', { name: 'Keep my choice' }));
    await user.click(dialog.getByRole('button', { name: 'Reassign' }));
    await waitFor(() => expect(chips('Ana Ruiz')).toContain(501));
    expect(reassign.mock.calls.at(-1)).toEqual([{ roNumber: 501, version: 2 }, BO, ANA]);
  });
});

describe('a car that cannot be moved', () => {
  test('because only the dealer system assigned it says so, and leads to the order', async () => {
    await open();
    const etl = within(lane('Hank Mueller')).getByRole('link', { name: /^Open repair order 503/ });
    expect(etl).toHaveTextContent('From the DMS');
    expect(etl).toHaveAttribute('href', '/?ro=503');
    expect(screen.queryByRole('button', { name: /RO 503/ })).not.toBeInTheDocument();
  });

  test('by somebody who may not dispatch is a link to the order', async () => {
    session.mayDispatch = false;
    openScreen();
    await screen.findByRole('link', { name: /^Open repair order 501/ });
    await waitFor(() => expect(chips('Hank Mueller')).toEqual([502, 501, 503]));
    expect(screen.getByRole('link', { name: /^Open repair order 501/ })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Move RO/ })).not.toBeInTheDocument();
  });
});
