import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TechnicianClock } from '../api/clock.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { technicianClock } from './clock.fixture.ts';
import { JobLines } from './job-lines.tsx';

const MINUTE = 60_000;

const job = (jobNumber: number, operationCode: string, ...hours: (number | null)[]) => ({
  jobNumber,
  concern: '',
  operations: hours.map((soldHours) => ({ operationCode, operationDesciption: '', soldHours })),
});
const order = toRepairOrder([
  row(1, { jobs: [job(1, 'LOF', 0.3), job(2, 'BRKF', 1.5, 0.75), job(3, 'DIAG', null)] }),
]);

function lines(clock: TechnicianClock | null): (string | null)[] {
  render(<JobLines order={order} clocked={{ clock, tap: null }} />);
  return screen.getAllByRole('listitem').map((line) => line.textContent);
}

const clocked = (roNumber: number, jobNumber: number, minutes: number) => ({
  roNumber,
  jobNumber,
  clockedMs: minutes * MINUTE,
});

test('each job shows the hours that it is sold for, where they are known', () => {
  expect(lines(technicianClock())).toEqual(['1. LOF sold 0.3 h', '2. BRKF sold 2.25 h', '3. DIAG ']);
});

test('each job shows the time that was clocked on it, beside the sold hours', () => {
  const clockedJobs = [clocked(1, 2, 80), clocked(1, 3, 20), clocked(2, 1, 45)];
  expect(lines(technicianClock({ clockedJobs }))).toEqual([
    // Another order's job 1 is another job.
    '1. LOF sold 0.3 h',
    '2. BRKF sold 2.25 h · clocked 1 h 20 min',
    '3. DIAG clocked 20 min',
  ]);
});

test('less than a minute is no time, and a whole one is', () => {
  const clockedJobs = [clocked(1, 1, 0.99), clocked(1, 3, 1)];
  expect(lines(technicianClock({ clockedJobs }))).toEqual([
    '1. LOF sold 0.3 h',
    '2. BRKF sold 2.25 h',
    '3. DIAG clocked 1 min',
  ]);
});

test('the sold hours do not wait for the clock', () => {
  expect(lines(null)).toEqual(['1. LOF sold 0.3 h', '2. BRKF sold 2.25 h', '3. DIAG ']);
});
