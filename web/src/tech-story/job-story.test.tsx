import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { row } from '../repair-order/rows.fixture.ts';
import { requestStory } from '../repair-order/story-request.ts';
import { forgetDrafts, keepDraft } from './drafts.ts';
import { JobStory } from './job-story.tsx';
import { storyJob } from './story.fixture.ts';

function withheldDetails(...jobs: ReturnType<typeof storyJob>[]) {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  return { ...order, version: 3, closedDateTime: null, storiesWithheld: true, jobs };
}

test('a hidden story is not shown as missing and cannot be written', () => {
  const job = storyJob({ techStory: '' });
  const details = withheldDetails(job);
  render(<JobStory details={details} job={job} />);
  expect(
    screen.getByText('The stories of this order are for its own technicians and for the desk.'),
  ).toBeInTheDocument();
  expect(screen.queryByText('No technician story available yet')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('what was begun of a story that is hidden by now can still be copied', async () => {
  const job = storyJob({ techStory: '' });
  keepDraft(7, job.jobNumber, 'techStory', { text: 'Replaced the link.', base: '' });
  render(<JobStory details={withheldDetails(job)} job={job} />);
  expect(await screen.findByText('Replaced the link.')).toHaveTextContent('Not saved yet');
  act(forgetDrafts);
});

test('where the stories of an order were asked for, the first of them gets the focus, once', () => {
  const [first, second] = [storyJob({ jobNumber: 1 }), storyJob({ jobNumber: 2 })];
  const details = withheldDetails(first, second);
  requestStory(7);
  const { container, unmount } = render(
    <>
      <JobStory details={details} job={second} />
      <JobStory details={details} job={first} />
    </>,
  );
  expect(container.lastElementChild).toHaveFocus();
  unmount();
  const again = render(<JobStory details={details} job={first} />);
  expect(again.container.lastElementChild).not.toHaveFocus();
});
