import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { row } from '../repair-order/rows.fixture.ts';
import { JobStory } from './job-story.tsx';
import { storyJob } from './story.fixture.ts';

test('a hidden story is not shown as missing and cannot be written', () => {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  const job = storyJob({ techStory: '' });
  const details = { ...order, version: 3, closedDateTime: null, storiesWithheld: true, jobs: [job] };
  render(<JobStory details={details} job={job} />);
  expect(
    screen.getByText('The stories of this order are for its own technicians and for the desk.'),
  ).toBeInTheDocument();
  expect(screen.queryByText('No technician story available yet')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
