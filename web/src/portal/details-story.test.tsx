import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Details, type DetailsJob, fetchDetails, type Row } from '../api/repair-orders.ts';
import { fetchInterviewers, fetchOpenStory, fetchVersions, writeStory } from '../api/tech-stories.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { forgetDrafts } from '../tech-story/drafts.ts';
import { interviewers, storyJob } from '../tech-story/story.fixture.ts';
import { DetailsDialog } from './details-dialog.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));
vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  fetchInterviewers: vi.fn(),
  fetchOpenStory: vi.fn(),
  fetchVersions: vi.fn(),
  writeStory: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  sendPresence: async () => undefined,
}));
vi.mock('../offline/saved-screens.ts', async (original) => ({
  ...(await original<typeof import('../offline/saved-screens.ts')>()),
  saveScreen: vi.fn(),
}));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));

beforeEach(() => {
  act(forgetDrafts);
  vi.mocked(fetchInterviewers).mockResolvedValue(interviewers());
  vi.mocked(fetchOpenStory).mockResolvedValue(null);
  vi.mocked(fetchVersions).mockResolvedValue([]);
});

function detailsOf(job: Partial<DetailsJob>, changes: Partial<Details> = {}): Details {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  return { ...order, closedDateTime: null, jobs: [storyJob(job)], ...changes };
}

/** `rows`: the open orders. */
function show(rows: Row[]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <DetailsDialog
        roNumber={7}
        cached={undefined}
        clocked={{ clock: null, tap: null }}
        handBack={null}
        isOthers={false}
        close={() => undefined}
      />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test('a story of a closed order is shown as soon as it is saved', async () => {
  const closed = { closedDateTime: '2026-03-03T14:00:00Z' };
  vi.mocked(fetchDetails).mockResolvedValue(detailsOf({}, { ...closed, version: 4 }));
  vi.mocked(writeStory).mockImplementation(async (_, techStory) => {
    vi.mocked(fetchDetails).mockResolvedValue(detailsOf({ techStory }, { ...closed, version: 5 }));
    // Of a closed order there are no rows.
    return { ok: true, roNumber: 7, rows: [], version: 5, seq: 9 };
  });
  const user = show([]);
  await user.click(await screen.findByRole('button', { name: 'Write by hand: story of job 1' }));
  await user.type(await screen.findByRole('textbox', { name: 'Story of job 1' }), 'Replaced the link.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('button', { name: 'Edit the story of job 1' })).toBeInTheDocument();
  expect(screen.getByText('Replaced the link.')).toBeInTheDocument();
  expect(screen.queryByText('No technician story available yet')).toBeNull();
});

test('the story dialog takes over what is typed here and not saved', async () => {
  vi.mocked(fetchDetails).mockResolvedValue(detailsOf({ cause: 'Noise', briefTechNotes: 'Torqued to spec' }));
  const user = show([row(7)]);
  const cause = await screen.findByRole('textbox', { name: /Cause of job 1/ });
  await user.clear(cause);
  await user.type(cause, 'Link worn');
  await user.click(await screen.findByRole('button', { name: 'Tech Story Magic' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Tech Story Generation/ }));
  await user.click(await dialog.findByRole('button', { name: 'Use the cause and notes of this job' }));
  expect(dialog.getByRole('textbox', { name: 'Cause' })).toHaveValue('Link worn');
  expect(dialog.getByRole('textbox', { name: 'Brief Tech Notes' })).toHaveValue('Torqued to spec');
});
