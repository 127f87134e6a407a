import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DetailsJob } from '../api/repair-orders.ts';
import { fetchInterviewers, fetchOpenStory, nextReply } from '../api/tech-stories.ts';
import { hear, said, stubRecognition } from './dictation.fixture.ts';
import { forgetDrafts, keepDraft } from './drafts.ts';
import { interviewers, question, storyJob } from './story.fixture.ts';
import { TechStoryDialog } from './tech-story-dialog.tsx';

vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  fetchInterviewers: vi.fn(),
  fetchOpenStory: vi.fn(),
  nextReply: vi.fn(),
}));

const next = vi.mocked(nextReply);

beforeEach(() => {
  next.mockReset().mockResolvedValue(question(1, 'Verified?'));
  vi.mocked(fetchInterviewers).mockReset().mockResolvedValue(interviewers());
  vi.mocked(fetchOpenStory).mockReset().mockResolvedValue(null);
});
afterEach(() => {
  act(forgetDrafts);
  vi.unstubAllGlobals();
});

function show(job: Partial<DetailsJob> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TechStoryDialog
        details={{ repairOrderNumber: 7, displayNumber: 'A007', vehicle: '2019 Kia Soul' }}
        job={storyJob(job)}
        saved={vi.fn()}
        close={vi.fn()}
      />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole('textbox', { name });
const FROM_JOB = 'Use the cause and notes of this job';

test('the cause and notes of the job are those on the screen, saved or not', async () => {
  keepDraft(7, 1, 'cause', { text: 'Link worn', base: 'Noise' });
  // Of other jobs.
  keepDraft(7, 2, 'briefTechNotes', { text: 'Of job 2', base: '' });
  keepDraft(8, 1, 'briefTechNotes', { text: 'Of order 8', base: '' });
  const user = show({ cause: 'Noise', briefTechNotes: 'Torqued to spec' });
  await user.click(button(FROM_JOB));
  expect(field('Cause')).toHaveValue('Link worn');
  expect(field('Brief Tech Notes')).toHaveValue('Torqued to spec');
  await user.click(button('Start Generation'));
  await screen.findByText('Verified?');
  expect(next.mock.calls[0]?.[0]).toMatchObject({ cause: 'Link worn', briefTechNotes: 'Torqued to spec' });
});

test('they are offered where nothing is saved yet', async () => {
  keepDraft(7, 1, 'briefTechNotes', { text: 'Typed just now', base: '' });
  const user = show();
  // What is typed while the dialog is open counts, too.
  act(() => keepDraft(7, 1, 'briefTechNotes', { text: 'Typed just now.', base: '' }));
  await user.click(button(FROM_JOB));
  expect(field('Cause')).toHaveValue('');
  expect(field('Brief Tech Notes')).toHaveValue('Typed just now.');
});

test('a text that has been removed on the screen is not offered, though it is still saved', () => {
  keepDraft(7, 1, 'cause', { text: '', base: 'Noise' });
  show({ cause: 'Noise' });
  expect(screen.queryByRole('button', { name: FROM_JOB })).toBeNull();
});

test('cause and notes can be dictated, and what was said is sent', async () => {
  stubRecognition();
  const user = show();
  await user.type(field('Cause'), 'Noise.');
  await user.click(button('Dictate: Cause'));
  hear([said(' Loose bolt ')]);
  hear([said(' Loose bolt '), said('on the left')], 1);
  expect(field('Cause')).toHaveValue('Noise. Loose bolt on the left');
  expect(field('Brief Tech Notes')).toHaveValue('');
  await user.click(button('Stop dictating'));
  await user.click(button('Dictate: Brief Tech Notes'));
  hear([said('Torqued it')]);
  expect(field('Brief Tech Notes')).toHaveValue('Torqued it');
  await user.click(button('Start Generation'));
  await screen.findByText('Verified?');
  expect(next.mock.calls[0]?.[0]).toMatchObject({
    cause: 'Noise. Loose bolt on the left',
    briefTechNotes: 'Torqued it',
  });
});

test('there is no microphone in a browser without speech recognition', () => {
  show();
  expect(field('Cause')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Dictate/ })).toBeNull();
});
