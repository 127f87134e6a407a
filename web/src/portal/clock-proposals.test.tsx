// A correction that a technician proposes of their own clock, from the form to the owner's word.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ClockEntry,
  decideProposal,
  fetchEntries,
  proposeCorrection,
  withdrawProposal,
} from '../api/clock.ts';
import { ApiError } from '../api/http.ts';
import { wallTime } from '../shop/wall-time.ts';
import { ClockEntries } from './clock-entries.tsx';

vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchEntries: vi.fn(),
  fetchProposedEntries: vi.fn(async () => []),
  proposeCorrection: vi.fn(),
  withdrawProposal: vi.fn(),
  decideProposal: vi.fn(),
}));

const maria = { uid: 'u7', name: 'Maria Lopez' };
const olivia = { uid: 'u1', name: 'Olivia Owens' };
// The fields show no seconds.
const entry: ClockEntry = {
  entryId: 3,
  startedAt: '2026-03-03T14:00:17.250Z',
  endedAt: '2026-03-03T19:00:42.500Z',
  roNumber: null,
  jobNumber: null,
  forgotten: true,
  deleted: false,
  corrections: [],
  proposal: null,
};
const endedAt = '2026-03-03T17:30:00.000Z';
const times = { startedAt: entry.startedAt, endedAt, roNumber: 104, jobNumber: 2 };
const proposal = { at: '2026-03-04T08:00:00.000Z', by: maria, reason: 'Forgot it at lunch', times };

/** As the server has it. */
let kept: ClockEntry;
let hands: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  hands = userEvent.setup();
  kept = entry;
  vi.mocked(fetchEntries)
    .mockReset()
    .mockImplementation(async () => [structuredClone(kept)]);
  vi.mocked(proposeCorrection)
    .mockReset()
    .mockImplementation(async (_technician, _entry, { reason, ...of }) => {
      kept = { ...kept, proposal: { ...proposal, reason, times: of } };
    });
  vi.mocked(withdrawProposal)
    .mockReset()
    .mockImplementation(async () => {
      kept = { ...kept, proposal: null };
    });
  vi.mocked(decideProposal)
    .mockReset()
    .mockImplementation(async (_technician, _entry, declined) => {
      const { startedAt, endedAt: before, roNumber, jobNumber } = kept;
      const was = { startedAt, endedAt: before ?? '', roNumber, jobNumber };
      const after = declined === null ? (kept.proposal?.times ?? was) : was;
      const reason = declined ?? kept.proposal?.reason ?? '';
      const correction = { at: '2026-03-04T09:00:00.000Z', by: olivia, reason, before: was, after };
      kept = { ...kept, ...after, forgotten: false, proposal: null, corrections: [correction] };
    });
});

async function open(reader: { mayCorrect: boolean; isOwn: boolean }) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ClockEntries technician={7} name="Maria Lopez" {...reader} close={() => undefined} />
    </QueryClientProvider>,
  );
  return within(await screen.findByRole('listitem'));
}

const technician = { mayCorrect: false, isOwn: true };
const owner = { mayCorrect: true, isOwn: false };
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string | RegExp) => screen.getByLabelText(name);
/** Of the list as it is now; its corrections are items of its own. */
const line = () => screen.getAllByRole('listitem')[0];

describe('a technician’s proposal', () => {
  async function fillIn() {
    await open(technician);
    await hands.click(button(/^Propose a correction of /));
    expect(field('Begins')).toHaveValue(wallTime(Date.parse(entry.startedAt)));
    expect(field('Ends')).toHaveValue(wallTime(Date.parse(entry.endedAt ?? '')));
    fireEvent.change(field('Ends'), { target: { value: wallTime(Date.parse(endedAt)) } });
    await hands.type(field(/^Reason/), ' Forgot it at lunch ');
  }

  test('is filled in, sent, and shown as proposed beside what the entry still says', async () => {
    await fillIn();
    await hands.type(field('RO number'), '104');
    // An order without its job says nothing.
    expect(button('Propose')).toBeDisabled();
    await hands.type(field('Job'), '2');
    await hands.click(button('Propose'));
    // A time that was not touched keeps its seconds.
    expect(proposeCorrection).toHaveBeenCalledExactlyOnceWith(7, 3, {
      ...times,
      reason: 'Forgot it at lunch',
    });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Propose' })).toBeNull());
    await waitFor(() => expect(line()).toHaveTextContent('Maria Lopez says that it was:'));
    expect(line()).toHaveTextContent('RO 104, job 2');
    expect(line()).toHaveTextContent('Forgot it at lunch');
    expect(line()).toHaveTextContent('An owner or admin decides.');
    expect(line()).toHaveTextContent('On the clock, no job · 5 h');
    for (const name of ['Accept', 'Decline']) expect(screen.queryByRole('button', { name })).toBeNull();
  });

  test('needs a reason, and nothing is sent of one that is given up', async () => {
    await open(technician);
    await hands.click(button(/^Propose a correction of /));
    expect(button('Propose')).toBeDisabled();
    await hands.type(field(/^Reason/), '  ');
    expect(button('Propose')).toBeDisabled();
    await hands.type(field(/^Reason/), 'Lunch');
    expect(button('Propose')).toBeEnabled();
    await hands.click(button('Cancel'));
    expect(proposeCorrection).not.toHaveBeenCalled();
    expect(screen.queryByLabelText('Ends')).toBeNull();
  });

  test('that the server refuses stays in the form, with why', async () => {
    vi.mocked(proposeCorrection).mockRejectedValueOnce(new ApiError(403, 'forbidden', 'No.'));
    await fillIn();
    await hands.click(button('Propose'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Your roles do not permit this');
    expect(field(/^Reason/)).toHaveValue(' Forgot it at lunch ');
    await hands.click(button('Propose'));
    await waitFor(() => expect(line()).toHaveTextContent('An owner or admin decides.'));
  });

  test('is taken back by who made it, and the entry is as before', async () => {
    kept = { ...entry, proposal };
    await open(technician);
    await hands.click(button('Take back'));
    expect(withdrawProposal).toHaveBeenCalledExactlyOnceWith(7, 3);
    await waitFor(() => expect(line()).not.toHaveTextContent('says that it was'));
    expect(line()).toHaveTextContent('On the clock, no job · 5 h');
  });

  test('can be made anew while nobody has decided', async () => {
    kept = { ...entry, proposal };
    await fillIn();
    await hands.click(button('Propose'));
    expect(proposeCorrection).toHaveBeenCalledTimes(1);
  });
});

describe('who corrects clocks', () => {
  beforeEach(() => {
    kept = { ...entry, proposal };
  });

  test('sees what is proposed and why, and accepts it: the entry is so', async () => {
    const shown = await open(owner);
    expect(shown.getByText('Maria Lopez says that it was:')).toBeInTheDocument();
    expect(shown.getByText('Forgot it at lunch')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
    await hands.click(button('Accept'));
    expect(decideProposal).toHaveBeenCalledExactlyOnceWith(7, 3, null);
    await waitFor(() => expect(line()).toHaveTextContent('RO 104, job 2 · 3 h 30 min'));
    expect(line()).toHaveTextContent(/Olivia Owens, .*: Forgot it at lunch/);
    expect(line()).not.toHaveTextContent('says that it was');
  });

  test('refuses it with a reason, and the entry stays', async () => {
    await open(owner);
    await hands.click(button('Decline'));
    expect(button('Decline')).toBeDisabled();
    await hands.type(field('Why not?'), ' The lift was in use until seven ');
    await hands.click(button('Decline'));
    expect(decideProposal).toHaveBeenCalledExactlyOnceWith(7, 3, 'The lift was in use until seven');
    await waitFor(() => expect(line()).toHaveTextContent('not accepted'));
    expect(line()).toHaveTextContent(/Olivia Owens, .*: The lift was in use until seven/);
    expect(line()).toHaveTextContent('On the clock, no job · 5 h');
  });

  test('and nobody else decides', async () => {
    const shown = await open({ mayCorrect: false, isOwn: false });
    expect(shown.getByText('Maria Lopez says that it was:')).toBeInTheDocument();
    expect(shown.queryAllByRole('button')).toEqual([]);
  });
});
