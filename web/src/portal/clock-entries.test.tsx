import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type ClockEntry,
  correctEntry,
  decideProposal,
  fetchEntries,
  proposeCorrection,
} from '../api/clock.ts';
import { ApiError } from '../api/http.ts';
import { noteServerTime } from '../api/server-time.ts';
import { loadSavedScreen } from '../offline/saved-screens.ts';
import { ClockEntries } from './clock-entries.tsx';

vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchEntries: vi.fn(),
  fetchProposedEntries: vi.fn(async () => []),
  correctEntry: vi.fn(),
  decideProposal: vi.fn(),
  proposeCorrection: vi.fn(),
}));
vi.mock('../offline/saved-screens.ts', async (original) => ({
  ...(await original<typeof import('../offline/saved-screens.ts')>()),
  loadSavedScreen: vi.fn(),
  saveScreen: vi.fn(),
}));

function entry(entryId: number, changes: Partial<ClockEntry> = {}): ClockEntry {
  return {
    entryId,
    startedAt: `2026-03-0${entryId}T14:00:00.000Z`,
    endedAt: `2026-03-0${entryId}T15:00:00.000Z`,
    roNumber: null,
    jobNumber: null,
    forgotten: false,
    deleted: false,
    corrections: [],
    proposal: null,
    ...changes,
  };
}

const first = entry(2);
const second = entry(3, {
  proposal: {
    at: '2026-03-03T16:00:00.000Z',
    by: { uid: 'u7', name: 'Maria Lopez' },
    reason: 'Forgot it',
    times: { startedAt: first.startedAt, endedAt: first.endedAt, roNumber: null, jobNumber: null },
  },
});

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  // What is saved is shown at once where the server is silent.
  noteServerTime(new Date().toISOString());
  vi.mocked(fetchEntries).mockReset().mockResolvedValue([second, first]);
});

/** An answer that comes when the test says so. */
function later(call: (...args: never[]) => Promise<void>): () => Promise<void> {
  const answers: (() => void)[] = [];
  vi.mocked(call)
    .mockReset()
    .mockImplementation(() => new Promise<void>((resolve) => answers.push(resolve)));
  return () =>
    act(async () => {
      for (const answer of answers.splice(0)) answer();
    });
}

function show({ isOwn }: { isOwn: boolean }) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ClockEntries technician={7} name="Maria" mayCorrect={!isOwn} isOwn={isOwn} close={() => undefined} />
    </QueryClientProvider>,
  );
}

async function open() {
  show({ isOwn: false });
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Correct the entry/ })).toHaveLength(2));
}

async function correct(place: number, reason: string) {
  const pencil = screen.getAllByRole('button', { name: /^Correct the entry/ })[place];
  if (pencil === undefined) throw new Error('There is no such entry.');
  await user.click(pencil);
  await user.type(screen.getByRole('textbox', { name: /^Reason/ }), reason);
}

test('a decision that is answered late leaves the form of another entry open', async () => {
  const answer = later(decideProposal);
  await open();
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await correct(1, 'Lunch');
  await answer();
  await waitFor(() => expect(fetchEntries).toHaveBeenCalledTimes(2));
  expect(screen.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Lunch');
});

test('a correction that is answered late closes its own form alone', async () => {
  const answer = later(correctEntry);
  await open();
  await correct(0, 'Lunch');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await correct(1, 'Training');
  await answer();
  await waitFor(() => expect(fetchEntries).toHaveBeenCalledTimes(2));
  expect(screen.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Training');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(vi.mocked(correctEntry).mock.calls.map(([, entryId]) => entryId)).toEqual([3, 2]);
  await answer();
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Reason/ })).not.toBeInTheDocument());
});

test('without a connection the week is the last known one, and a tap takes nothing of it away', async () => {
  const away = new ApiError(0, 'network', 'Away.');
  vi.mocked(fetchEntries).mockRejectedValue(away);
  vi.mocked(proposeCorrection).mockRejectedValue(away);
  vi.mocked(loadSavedScreen).mockResolvedValueOnce({ value: [second, first], at: Date.now() });
  show({ isOwn: true });
  expect(await screen.findByText(/^Last known, of /)).toBeInTheDocument();
  const pencils = () => screen.getAllByRole('button', { name: /^Propose a correction of/ });
  expect(pencils()).toHaveLength(2);
  await user.click(pencils()[1] ?? document.body);
  await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Lunch');
  await user.click(screen.getByRole('button', { name: 'Propose' }));
  expect(await screen.findByText('The server could not be reached.')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Lunch');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(pencils()).toHaveLength(2);

  // A week that nobody has looked at.
  vi.mocked(loadSavedScreen).mockResolvedValueOnce(undefined);
  await user.click(screen.getByRole('button', { name: 'Earlier week' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('it needs the network');
  vi.mocked(loadSavedScreen).mockResolvedValueOnce({ value: [second, first], at: Date.now() });
  await user.click(screen.getByRole('button', { name: 'Later week' }));
  expect(await screen.findByText(/^Last known, of /)).toBeInTheDocument();
});

test('entries of others are not read from this device', async () => {
  vi.mocked(fetchEntries).mockRejectedValue(new ApiError(0, 'network', 'Away.'));
  vi.mocked(loadSavedScreen)
    .mockReset()
    .mockResolvedValue({ value: [first], at: Date.now() });
  show({ isOwn: false });
  expect(await screen.findByRole('alert')).toHaveTextContent('The server could not be reached.');
  expect(loadSavedScreen).not.toHaveBeenCalled();
});

test('each day has a heading and its time, which is the sum of the entries as they are shown', async () => {
  const at = (time: string) => `2026-03-02T${time}.000Z`;
  const entries = [
    entry(4, { startedAt: '2026-03-03T14:00:00.000Z', endedAt: '2026-03-03T14:30:00.000Z' }),
    entry(3, { startedAt: at('14:40:50'), endedAt: at('15:10:10') }),
    entry(2, { startedAt: at('14:20:50'), endedAt: at('14:40:50') }),
    // It lasted 18 minutes and 55 seconds; between the times that are shown are 19.
    entry(1, { startedAt: at('14:01:55'), endedAt: at('14:20:50') }),
    entry(5, { startedAt: at('13:00:00'), endedAt: at('14:00:00'), deleted: true }),
  ];
  vi.mocked(fetchEntries).mockResolvedValue(entries);
  show({ isOwn: true });
  await screen.findAllByRole('listitem');
  const days = screen.getAllByRole('region').map((day) => {
    const texts = within(day).getAllByRole('listitem');
    return [
      within(day).getByRole('heading').textContent,
      within(day).getByText(/on the clock$/).textContent,
      ...texts.map((text) => / · (.+ min|1 h)/.exec(text.textContent ?? '')?.[1]),
    ];
  });
  expect(days).toEqual([
    ['Tue 3 Mar', '30 min on the clock', '30 min'],
    ['Mon 2 Mar', '1 h 9 min on the clock', '30 min', '20 min', '19 min', '1 h'],
  ]);
});

test('an entry that runs says how long so far, and counts in its day', async () => {
  const startedAt = new Date(Date.now() - 25 * 60_000).toISOString();
  vi.mocked(fetchEntries).mockResolvedValue([entry(2, { startedAt, endedAt: null })]);
  show({ isOwn: true });
  const item = await screen.findByRole('listitem');
  const [, soFar = ''] = / · (\d+ min) so far/.exec(item.textContent ?? '') ?? [];
  expect(soFar).not.toBe('');
  expect(screen.getByText(`${soFar} on the clock`)).toBeInTheDocument();
});
