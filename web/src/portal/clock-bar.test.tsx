import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RunningClock } from '../api/clock.ts';
import { running, technicianClock } from './clock.fixture.ts';
import { ClockBar } from './clock-bar.tsx';

const FORGOTTEN = 'This clock was forgotten';

function bar(runs: RunningClock | null) {
  render(
    <ClockBar clock={technicianClock({ running: runs })} order={undefined} hasLeft={false} tap={null} />,
  );
  return within(screen.getByRole('region', { name: 'Job clock' }));
}

test.each<[string, [number, number] | null, string]>([
  ['on a job', [1, 2], 'RO 1, job 2'],
  ['without a job', null, 'On the clock, no job'],
])('a clock that was forgotten %s says so below what it runs on', (_, job, state) => {
  const shown = bar(running(job, { forgotten: true }));
  expect(shown.getByRole('status')).toHaveTextContent(state);
  expect(shown.getByText(FORGOTTEN)).toHaveClass('text-stale');
});

test.each<[string, RunningClock | null]>([
  ['runs', running([1, 2])],
  ['does not run', null],
])('a clock that %s was not forgotten', (_, runs) => {
  const shown = bar(runs);
  expect(shown.getByRole('status')).toBeInTheDocument();
  expect(shown.queryByText(FORGOTTEN)).toBeNull();
});

test.each([
  ['is the technician’s', false, ['Finish job', 'Stop', 'Clock out']],
  ['was taken away', true, ['Stop', 'Finish job', 'Clock out']],
])(
  'of a car that %s the bar offers first what is likeliest, and that alone in colour',
  (_, hasLeft, names) => {
    const clock = technicianClock({ running: running([1, 2]) });
    render(<ClockBar clock={clock} order={undefined} hasLeft={hasLeft} tap={() => undefined} />);
    const buttons = within(screen.getByRole('region', { name: 'Job clock' })).getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual(names);
    expect(buttons.map((button) => button.classList.contains('bg-accent'))).toEqual([true, false, false]);
  },
);
