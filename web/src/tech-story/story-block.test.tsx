import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type DetailsJob, fetchDetails } from '../api/repair-orders.ts';
import { type Permission, sessionState } from '../api/session.ts';
import {
  fetchVersions,
  restoreVersion,
  type StoryVersion,
  type UnsupportedFact,
  writeStory,
} from '../api/tech-stories.ts';
import { loadAnew, openOrders } from '../repair-order/live-orders.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { forgetDrafts, keepDraft } from './drafts.ts';
import { JobStory } from './job-story.tsx';
import { storyJob, storyVersion } from './story.fixture.ts';
import { StoryBlock } from './story-block.tsx';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: vi.fn(),
}));
vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  fetchVersions: vi.fn(),
  restoreVersion: vi.fn(),
  writeStory: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));

const versions = vi.mocked(fetchVersions);
const written = vi.mocked(writeStory);
const changed: ChangedResult = { ok: true, roNumber: 7, rows: [row(7, { version: 4 })], version: 4, seq: 9 };

beforeEach(() => {
  forgetDrafts();
  versions.mockReset().mockResolvedValue([]);
  written.mockReset().mockResolvedValue(changed);
  vi.mocked(restoreVersion).mockReset().mockResolvedValue(changed);
});

function detailsOf(job: DetailsJob, version: number) {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  return { ...order, version, closedDateTime: null, jobs: [job] };
}

function show(changes: Partial<DetailsJob>, permissions: Permission[] = ['edit-jobs']) {
  const user = { uid: 'u1', email: '', name: 'Joe', roles: [], technicianId: null, permissions };
  vi.mocked(sessionState).mockReturnValue({ status: 'signed-in', user });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  const drawn = (job: DetailsJob, version: number) => (
    <QueryClientProvider client={client}>
      <StoryBlock details={detailsOf(job, version)} job={job} />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>
  );
  const { rerender } = render(drawn(storyJob(changes), 3));
  return {
    client,
    user: userEvent.setup(),
    becomes: (techStory: string) => rerender(drawn(storyJob({ techStory }), 4)),
  };
}

const button = (name: string) => screen.getByRole('button', { name });

test('shows that there is no story, and offers to generate one', () => {
  show({});
  expect(screen.getByText('No technician story available yet')).toBeInTheDocument();
  expect(button('Tech Story Magic')).toBeInTheDocument();
  expect(versions).not.toHaveBeenCalled();
});

const provenances: [Partial<StoryVersion>, RegExp][] = [
  [{ kind: 'interview', interviewer: 'built-in' }, /^Interview by the built-in interviewer, Joe Wilson, .+$/],
  [
    { kind: 'interview', interviewer: 'gemini', model: 'gemini-2.5-flash' },
    /^Interview by gemini-2.5-flash, Joe Wilson, .+$/,
  ],
  [
    { kind: 'interview', interviewer: 'built-in', edited: true },
    /^Interview by the built-in interviewer, edited by hand, Joe Wilson, .+$/,
  ],
  [{ kind: 'edited' }, /^Edited by hand, Joe Wilson, .+$/],
  [{ kind: 'restored' }, /^Restored, Joe Wilson, .+$/],
  [{ kind: 'imported', by: null }, /^Came with the repair order, .+$/],
];
test.each(provenances)('shows the origin of the story: %o', async (made, text) => {
  versions.mockResolvedValue([storyVersion(5, { ...made, current: true }), storyVersion(4)]);
  show({ techStory: 'Verified and repaired.' });
  expect(await screen.findByText(text)).toBeInTheDocument();
});

test('is edited by hand on the shown version, and can be undone', async () => {
  const { user } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  const text = await screen.findByRole('textbox', { name: 'Story of job 1' });
  await user.clear(text);
  await user.type(text, 'New words');
  await user.click(button('Save'));
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(written).toHaveBeenCalledExactlyOnceWith({ roNumber: 7, jobNumber: 1 }, 'New words', 3, []);
  expect(screen.getByText('Story of job 1 saved')).toBeInTheDocument();
  expect(button('Undo')).toBeInTheDocument();
});

test('an unsupported fact is confirmed before the story is saved', async () => {
  const facts: UnsupportedFact[] = [{ kind: 'number', text: '0.35 mm', start: 0, end: 7 }];
  const refusal = {
    ok: false,
    roNumber: 7,
    error: 'Confirm it.',
    code: 'unconfirmed' as const,
    doubts: facts,
  };
  written.mockRejectedValueOnce(new ApiError(422, 'unconfirmed', 'Confirm it.', refusal));
  const { user } = show({ techStory: '' });
  await user.click(button('Write by hand: story of job 1'));
  await user.type(await screen.findByRole('textbox'), '0.35 mm');
  await user.click(button('Save'));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('0.35 mm')).toBeInTheDocument();
  await user.click(within(alert).getByRole('button', { name: 'This is right: save' }));
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(written).toHaveBeenLastCalledWith({ roNumber: 7, jobNumber: 1 }, '0.35 mm', 3, ['0.35 mm']);
});

const stale = new ApiError(409, 'stale-version', 'It has changed.', {
  ok: false,
  error: 'It has changed.',
  code: 'stale-version',
  roNumber: 7,
  current: { rows: [row(7, { version: 4 })], version: 4, changedBy: null, changedAt: null },
});

test('a change outside the story does not block the edit', async () => {
  written.mockRejectedValueOnce(stale);
  vi.mocked(fetchDetails).mockResolvedValue(detailsOf(storyJob({ techStory: 'Old words' }), 4));
  const { user } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!');
  await user.click(button('Save'));
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(written).toHaveBeenLastCalledWith({ roNumber: 7, jobNumber: 1 }, 'Old words!', 4, []);
});

test('a story that somebody else wrote meanwhile is not overwritten silently', async () => {
  const { user, becomes } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!');
  becomes('Their words');
  expect(screen.getByText('Meanwhile somebody else changed this story.')).toBeInTheDocument();
  expect(button('Save')).toBeDisabled();
  expect(screen.getByRole('textbox')).toHaveValue('Old words!');
  await user.click(button('Keep mine'));
  await user.click(button('Save'));
  await waitFor(() =>
    expect(written).toHaveBeenCalledWith({ roNumber: 7, jobNumber: 1 }, 'Old words!', 4, []),
  );
});

test('an unfinished edit is restored until it is discarded', async () => {
  const { user, becomes } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!{Escape}');
  expect(screen.queryByRole('textbox')).toBeNull();
  await user.click(button('Edit the story of job 1'));
  expect(await screen.findByRole('textbox')).toHaveValue('Old words!');
  becomes('Their words');
  await user.click(button('Take theirs'));
  expect(screen.getByRole('textbox')).toHaveValue('Their words');
  await user.click(button('Cancel'));
  expect(screen.getByText('Their words')).toBeInTheDocument();
});

test('an unfinished edit outlasts a connection after which everything is loaded anew', async () => {
  const { client, user } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!{Escape}');
  act(() => loadAnew(client, null, false));
  await user.click(button('Edit the story of job 1'));
  expect(await screen.findByRole('textbox')).toHaveValue('Old words!');
});

test('a save that is answered after the editor was closed is told, and closes nothing else', async () => {
  let answer: (saved: ChangedResult) => void = () => undefined;
  written.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const { user } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!');
  await user.click(button('Save'));
  await user.type(screen.getByRole('textbox'), '{Escape}');
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '?');
  await act(async () => answer(changed));
  expect(screen.getByRole('textbox')).toHaveValue('Old words!?');
  await user.click(button('Cancel'));
  expect(await screen.findByText('Story of job 1 saved')).toBeInTheDocument();
});

test('a story that could not be saved after its details were closed is told, and leads back to its text', async () => {
  let refuse: (failure: ApiError) => void = () => undefined;
  written.mockReturnValueOnce(
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  const openDetails = vi.fn();
  vi.mocked(sessionState).mockReturnValue({
    status: 'signed-in',
    user: { uid: 'u1', email: '', name: 'Joe', roles: [], technicianId: null, permissions: ['edit-jobs'] },
  });
  const jobs = [storyJob({ jobNumber: 1 }), storyJob({ jobNumber: 2 })];
  const drawn = (isOpen: boolean) => (
    <QueryClientProvider client={new QueryClient()}>
      <OpenDetailsContext value={openDetails}>
        {isOpen &&
          jobs.map((job) => (
            <JobStory
              key={job.jobNumber}
              details={{ ...detailsOf(job, 3), displayNumber: 'A7', jobs }}
              job={job}
            />
          ))}
      </OpenDetailsContext>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>
  );
  const { rerender } = render(drawn(true));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Write by hand: story of job 2' }));
  await user.type(await screen.findByRole('textbox'), 'Replaced the link.');
  await user.click(button('Save'));
  rerender(drawn(false));
  await act(async () => refuse(new ApiError(0, 'network', 'Away.')));
  expect(screen.getByText('The story could not be saved')).toBeInTheDocument();
  expect(screen.getByText('RO A7, job 2 · The server could not be reached.')).toBeInTheDocument();
  await user.click(button('Show text'));
  expect(openDetails).toHaveBeenCalledExactlyOnceWith(7);
  rerender(drawn(true));
  const text = await screen.findByText('Replaced the link.');
  expect(text).toHaveTextContent('Not saved yet');
  expect(document.activeElement).toContainElement(text);
});

test('a story that could not be saved while its editor is open is told there alone', async () => {
  written.mockRejectedValueOnce(new ApiError(0, 'network', 'Away.'));
  const { user } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!');
  await user.click(button('Save'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The story could not be saved.');
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
});

test('an unfinished edit outlasts the page, and is shown until the order has it', async () => {
  localStorage.setItem(
    'dispatch.draft.7.1',
    JSON.stringify({ techStory: { text: 'Old words!', base: 'Old words' } }),
  );
  // As a new page does, and another tab tells: what is stored is read.
  window.dispatchEvent(new StorageEvent('storage', { key: 'dispatch.draft.7.1' }));
  const { user, becomes } = show({ techStory: 'Old words' });
  expect(screen.getByText('Old words!')).toHaveTextContent('Not saved yet');
  await user.click(button('Edit the story of job 1'));
  expect(await screen.findByRole('textbox')).toHaveValue('Old words!');
  await user.type(screen.getByRole('textbox'), ' More{Escape}');
  expect(localStorage.getItem('dispatch.draft.7.1')).toContain('Old words! More');
  becomes('Old words! More');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect(localStorage.getItem('dispatch.draft.7.1')).toBeNull();
});

test('an edited story of an interview that was closed can be read and copied until the order has it', () => {
  keepDraft(7, 1, 'interviewStory', { text: 'Replaced the link.', base: 'Replaced it.' });
  const { becomes } = show({ techStory: 'Old words' });
  expect(screen.getByText('Replaced the link.')).toHaveTextContent('Not saved yet');
  becomes('Replaced the link.');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect(localStorage.getItem('dispatch.draft.7.1')).toBeNull();
});

test('what is written while a story is being saved stays', async () => {
  let answer: (saved: ChangedResult) => void = () => undefined;
  written.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const { user, becomes } = show({ techStory: 'Old words' });
  await user.click(button('Edit the story of job 1'));
  await user.type(await screen.findByRole('textbox'), '!');
  await user.click(button('Save'));
  await user.type(screen.getByRole('textbox'), ' More');
  await act(async () => answer(changed));
  expect(screen.getByRole('textbox')).toHaveValue('Old words! More');
  becomes('Old words!');
  expect(screen.queryByRole('button', { name: 'Take theirs' })).toBeNull();
  await user.click(button('Save'));
  expect(written).toHaveBeenLastCalledWith({ roNumber: 7, jobNumber: 1 }, 'Old words! More', 4, []);
});

test('a user who may not write sees no edit actions', () => {
  show({ techStory: 'Words' }, []);
  expect(screen.queryByRole('button', { name: 'Edit the story of job 1' })).toBeNull();
});

test('an older version is shown with its answers and restored', async () => {
  versions.mockResolvedValue([
    storyVersion(6, { current: true, story: 'Now' }),
    storyVersion(5, {
      kind: 'interview',
      interviewer: 'built-in',
      story: 'Before',
      cause: 'Loose bolt',
      briefTechNotes: 'Torqued it',
      confirmed: ['74 Nm'],
      answers: [{ question: 'Verified?', answer: 'N/A' }],
    }),
  ]);
  const { user } = show({ techStory: 'Now' });
  await user.click(button('Versions of the story of job 1'));
  const sheet = await screen.findByRole('dialog', { name: 'Versions of the story, job 1' });
  expect(await within(sheet).findByText('Before')).toBeInTheDocument();
  expect(within(sheet).getByText('Entries and answers').closest('details')).toHaveTextContent(
    /Loose bolt.*Torqued it.*Confirmed by hand.*74 Nm.*Verified\?.*N\/A/,
  );
  expect(within(sheet).getAllByText('Current')).toHaveLength(1);
  await user.click(within(sheet).getByRole('button', { name: /^Restore the version of/ }));
  expect(restoreVersion).toHaveBeenCalledExactlyOnceWith({ roNumber: 7, jobNumber: 1 }, 5);
  expect(await screen.findByText('Story of job 1 restored')).toBeInTheDocument();
});
