import { expect, test } from 'vitest';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { nextJob } from './next-job.ts';

const now = Date.parse(NOW);
const HOUR = 3_600_000;
const job = (jobNumber: number) => ({
  jobNumber,
  opcode: 'LOF',
  description: '',
  concern: '',
  soldHours: null,
});
const car = (key: number, changes: Partial<RepairOrder> = {}): RepairOrder => ({
  ...toRepairOrder([row(key)]),
  status: 'Drop',
  priority: 'Low',
  promised: null,
  jobs: [job(1), job(2)],
  ...changes,
});

test('the first job that is not finished of the first order comes next', () => {
  const clock = technicianClock({
    finishedJobs: [{ roNumber: 5, jobNumber: 1, finishedAt: NOW, technicianId: 7 }],
  });
  expect(nextJob([car(5), car(6)], clock, now)).toMatchObject({
    order: { key: 5 },
    job: { jobNumber: 2 },
    reasons: [{ kind: 'first' }],
  });
  expect(nextJob([car(4, { jobs: [] }), car(6)], clock, now)).toMatchObject({ order: { key: 6 } });
  expect(nextJob([], clock, now)).toBeNull();
});

test('another job of the car in hand comes before other cars, and the running one is not next', () => {
  const clock = technicianClock({ running: running([6, 1]) });
  expect(nextJob([car(5), car(6)], clock, now)).toMatchObject({
    order: { key: 6 },
    job: { jobNumber: 2 },
    reasons: [{ kind: 'same-car' }],
  });
  const done = { roNumber: 6, jobNumber: 2, finishedAt: NOW, technicianId: 7 };
  expect(nextJob([car(5), car(6)], { ...clock, finishedJobs: [done] }, now)).toMatchObject({
    order: { key: 5 },
  });
});

test.each<[string, Partial<RepairOrder>, { kind: string }]>([
  ['whose customer waits', { status: 'Waiting', priority: 'Waiting' }, { kind: 'waiting' }],
  ['that is late', { promised: now - HOUR }, { kind: 'late' }],
  ['that is promised soon', { promised: now + HOUR }, { kind: 'promised' }],
])('a car before it %s comes before another job of the car in hand', (_, changes, reason) => {
  const clock = technicianClock({ running: running([6, 1]) });
  expect(nextJob([car(4), car(5, changes), car(6)], clock, now)).toMatchObject({
    order: { key: 5 },
    job: { jobNumber: 1 },
    reasons: [reason],
  });
  // Not one that is worked later, nor one of which nothing is left.
  expect(nextJob([car(6), car(7, changes)], clock, now)).toMatchObject({ order: { key: 6 } });
  expect(nextJob([car(5, { ...changes, jobs: [] }), car(6)], clock, now)).toMatchObject({
    order: { key: 6 },
  });
});

test('a car that is promised late in the day does not come before the car in hand', () => {
  const clock = technicianClock({ running: running([6, 1]) });
  expect(nextJob([car(5, { promised: now + 5 * HOUR }), car(6)], clock, now)).toMatchObject({
    order: { key: 6 },
    reasons: [{ kind: 'same-car' }],
  });
});

test('the reasons are that somebody waits, the priority, and a promise that is near or broken', () => {
  const reasons = (changes: Partial<RepairOrder>) =>
    nextJob([car(5, changes)], technicianClock(), now)?.reasons;
  expect(reasons({ status: 'Waiting', priority: 'Waiting' })).toEqual([{ kind: 'waiting' }]);
  expect(reasons({ priority: 'High', promised: now + HOUR })).toEqual([
    { kind: 'high' },
    { kind: 'promised', at: now + HOUR },
  ]);
  expect(reasons({ promised: now - 1 })).toEqual([{ kind: 'late', at: now - 1 }]);
  expect(reasons({ promised: now + 5 * HOUR })).toEqual([{ kind: 'first' }]);
});
