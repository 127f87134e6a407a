// A story whose code cannot be loaded at once.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { loadTexts } from '../i18n/i18n.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { onPartFailed } from '../ui/part.ts';
import { JobStory } from './job-story.tsx';
import { storyJob } from './story.fixture.ts';
// It is there at once when it is asked for: what it takes to transform it is not waited for.
import './story-block.tsx';

const session = vi.hoisted(() => ({
  status: 'signed-in',
  user: { uid: 'u1', email: '', name: 'Joe', roles: [], technicianId: null, permissions: ['edit-jobs'] },
}));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => session,
}));
vi.mock('../i18n/i18n.ts', async (original) => {
  const i18n = await original<typeof import('../i18n/i18n.ts')>();
  return { ...i18n, loadTexts: vi.fn(i18n.loadTexts) };
});

const chunk = vi.hoisted(() => ({ attempts: 0 }));
vi.mock('./versions-sheet.tsx', () => ({
  get VersionsSheet() {
    chunk.attempts++;
    if (chunk.attempts === 1) throw new TypeError('Failed to fetch');
    return () => 'The versions';
  },
}));

function show() {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  const jobs = [1, 2].map((jobNumber) => storyJob({ jobNumber, techStory: `Story ${jobNumber}` }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      {jobs.map((job) => (
        <JobStory
          key={job.jobNumber}
          details={{ ...order, version: 3, closedDateTime: null, jobs }}
          job={job}
        />
      ))}
    </QueryClientProvider>,
  );
}

test('a story whose code could not be loaded says so, and its actions come with another try', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.mocked(loadTexts).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  show();
  expect(await screen.findAllByText('Not everything about this story could be loaded.')).toHaveLength(2);
  expect(screen.getByText('Story 1')).toBeInTheDocument();
  const [again] = screen.getAllByRole('button', { name: 'Try again' });
  if (again !== undefined) await userEvent.click(again);
  expect(await screen.findAllByRole('button', { name: 'Tech Story Magic' })).toHaveLength(2);
  expect(screen.queryByText('Not everything about this story could be loaded.')).toBeNull();
});

test('a sheet whose code could not be loaded is reported, and opens at the next press', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const failed = vi.fn();
  onPartFailed(failed);
  show();
  const open = () => screen.findByRole('button', { name: 'Versions of the story of job 1' });
  await userEvent.click(await open());
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
  expect(screen.queryByText('The versions')).toBeNull();
  await userEvent.click(await open());
  expect(await screen.findByText('The versions')).toBeInTheDocument();
  expect(failed).toHaveBeenCalledTimes(1);
});
