import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import { loadSavedScreen } from '../offline/saved-screens.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { forgetDrafts, keepDraft } from '../tech-story/drafts.ts';
import { DetailsDialog } from './details-dialog.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));
vi.mock('../offline/saved-screens.ts', async (original) => ({
  ...(await original<typeof import('../offline/saved-screens.ts')>()),
  loadSavedScreen: vi.fn(),
  saveScreen: vi.fn(),
}));
const rights = vi.hoisted(() => ({ mayWrite: false }));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => rights.mayWrite }));
const wire = vi.hoisted(() => ({ listeners: new Set<(message: null) => void>() }));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  onSocketMessage: (name: string, listener: (message: null) => void) => {
    if (name === 'RO_MODIFIED') wire.listeners.add(listener);
    return () => wire.listeners.delete(listener);
  },
}));

function detailsOf(concern: string, changes: Partial<Details> = {}): Details {
  // The rest of the answer is nothing that is looked at here.
  const partial: unknown = {
    repairOrderNumber: 7,
    version: 2,
    vehicleVIN: '',
    vehicle: '',
    customer: '',
    advisor: '',
    createDateTime: '2026-03-02T14:00:00Z',
    promisedDateTime: null,
    closedDateTime: null,
    jobs: [{ jobNumber: 1, concern, cause: '', briefTechNotes: '', techStory: 'Tightened.', operations: [] }],
    ...changes,
  };
  return partial as Details;
}

const away = new ApiError(0, 'network', 'Away.');

// What is saved is shown at once where the server is silent.
beforeEach(() => noteServerTime(new Date().toISOString()));

function show({ isOthers = false } = {}) {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  const close = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <DetailsDialog
        roNumber={7}
        cached={undefined}
        clocked={{ clock: null, tap: null }}
        handBack={null}
        isOthers={isOthers}
        close={close}
      />
    </QueryClientProvider>,
  );
  return close;
}

test('saved details say that they are the last known, and give way to the server’s', async () => {
  vi.mocked(fetchDetails).mockRejectedValueOnce(away);
  vi.mocked(loadSavedScreen).mockResolvedValue({ value: detailsOf('Rattles'), at: Date.now() });
  show();
  expect(await screen.findByText(/Rattles/)).toBeInTheDocument();
  expect(screen.getByText(/^Last known, of /)).toBeInTheDocument();
  vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Squeaks'));
  act(() => {
    for (const listener of wire.listeners) listener(null);
  });
  expect(await screen.findByText(/Squeaks/, {}, { timeout: 10_000 })).toBeInTheDocument();
  expect(screen.queryByText(/^Last known, of /)).toBeNull();
});

test('an order that is not on this device says that it needs the network, and comes by itself with it', async () => {
  vi.mocked(fetchDetails).mockRejectedValueOnce(away);
  vi.mocked(loadSavedScreen).mockResolvedValue(undefined);
  const close = show();
  expect(await screen.findByRole('alert')).toHaveTextContent('it needs the network');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(close).toHaveBeenCalled();
  vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Squeaks'));
  act(() => noteServerTime(new Date().toISOString()));
  expect(await screen.findByText(/Squeaks/)).toBeInTheDocument();
});

describe('the promise and the sold hours', () => {
  const promisedDateTime = new Date(Date.now() - 5 * 60_000).toISOString();
  const jobs = detailsOf('Rattles').jobs.map((job) => ({
    ...job,
    operations: [0.8, 0.5].map((hours) => ({
      operationCode: 'BRK',
      operationDesciption: 'Brakes',
      soldHours: hours,
    })),
  }));
  const factOf = (name: string) => screen.getByText(name).nextElementSibling;

  test('are told of an order, with how late it is', async () => {
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Rattles', { promisedDateTime, jobs }));
    show();
    expect(await screen.findByText('sold 1.3 h')).toBeInTheDocument();
    expect(factOf('Promised')).toHaveTextContent(/\d.*Overdue.*[56] min|\d.*[56] min.*Overdue/);
  });

  test('of a closed order nothing is late, and of one without them nothing is told', async () => {
    const closedDateTime = '2026-03-02T16:00:00Z';
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Rattles', { promisedDateTime, closedDateTime }));
    show();
    expect(await screen.findByText(/Rattles/)).toBeInTheDocument();
    expect(factOf('Promised')).not.toHaveTextContent('Overdue');
    expect(screen.queryByText(/^sold/)).toBeNull();
    cleanup();
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Squeaks'));
    show();
    expect(await screen.findByText(/Squeaks/)).toBeInTheDocument();
    expect(screen.queryByText('Promised')).toBeNull();
  });
});

describe('an order that is not the reader’s', () => {
  const notYours = /is not assigned to you/;
  afterEach(() => {
    rights.mayWrite = false;
    forgetDrafts();
  });

  test('is only read, with why, and what was begun before can still be copied', async () => {
    rights.mayWrite = true;
    keepDraft(7, 1, 'cause', { text: 'Loose clip', base: '' });
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Rattles', { storiesWithheld: true }));
    show();
    expect(await screen.findByText(notYours)).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByText('Loose clip')).toBeInTheDocument();
  });

  test('is so too where the device saved it while it was still theirs', async () => {
    rights.mayWrite = true;
    vi.mocked(fetchDetails).mockRejectedValue(away);
    vi.mocked(loadSavedScreen).mockResolvedValue({ value: detailsOf('Rattles'), at: Date.now() });
    show({ isOthers: true });
    expect(await screen.findByText(notYours)).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByText('Tightened.')).toBeNull();
  });

  test('is written on by who may: the server says whose it is, and of a closed one only it does', async () => {
    rights.mayWrite = true;
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf('Rattles'));
    show({ isOthers: true });
    expect(await screen.findByRole('textbox', { name: /Cause of job 1/ })).toBeInTheDocument();
    cleanup();
    vi.mocked(fetchDetails).mockRejectedValue(away);
    const closed = detailsOf('Rattles', { closedDateTime: '2026-03-02T16:00:00Z' });
    vi.mocked(loadSavedScreen).mockResolvedValue({ value: closed, at: Date.now() });
    show({ isOthers: true });
    expect(await screen.findByRole('textbox', { name: /Cause of job 1/ })).toBeInTheDocument();
    expect(screen.queryByText(notYours)).toBeNull();
  });
});
