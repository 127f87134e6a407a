import { expect, test } from 'vitest';
import type { ClockAction, ClockTap } from '../api/clock.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { advanceClock, applyTap, applyTaps, clockedOn } from './clock-state.ts';

const MINUTE = 60_000;
const later = (minutes: number) => new Date(Date.parse(NOW) + minutes * MINUTE).toISOString();
const tap = (action: ClockAction, minutes = 10, job?: [number, number]): ClockTap => ({
  action,
  at: later(minutes),
  ...(job && { roNumber: job[0], jobNumber: job[1] }),
});

test('a running clock advances: on a job both figures grow, without a job only the attendance', () => {
  const onJob = technicianClock({
    running: running([1, 2]),
    today: { jobsMs: 5, attendedMs: 6, soldHours: 0 },
  });
  expect(advanceClock(onJob, Date.parse(later(1))).today).toEqual({
    jobsMs: 5 + MINUTE,
    attendedMs: 6 + MINUTE,
    soldHours: 0,
  });
  const idle = technicianClock({ running: running(null) });
  expect(advanceClock(idle, Date.parse(later(1))).week).toEqual({
    jobsMs: 0,
    attendedMs: MINUTE,
    soldHours: 0,
  });
  const off = technicianClock();
  expect(advanceClock(off, Date.parse(later(1)))).toBe(off);
});

test('clocking in starts without a job, and changes nothing for a technician on the clock', () => {
  expect(applyTap(technicianClock(), tap('clock-in')).running).toMatchObject({
    since: later(10),
    jobNumber: null,
  });
  const on = technicianClock({ running: running([1, 2]) });
  expect(applyTap(on, tap('clock-in')).running).toBe(on.running);
});

test('starting a job clocks in or switches, and changes nothing for the same job', () => {
  expect(applyTap(technicianClock(), tap('start', 10, [1, 2])).running).toMatchObject({
    since: later(10),
    roNumber: 1,
    jobNumber: 2,
  });
  const switched = applyTap(technicianClock({ running: running([1, 2]) }), tap('start', 10, [1, 3]));
  expect(switched.running).toMatchObject({ since: later(10), jobNumber: 3 });
  expect(switched.today.jobsMs).toBe(10 * MINUTE);
  const same = applyTap(technicianClock({ running: running([1, 2]) }), tap('start', 10, [1, 2]));
  expect(same.running?.since).toBe(NOW);
});

test('stopping a job leaves the technician on the clock', () => {
  const stopped = applyTap(technicianClock({ running: running([1, 2]) }), tap('stop'));
  expect(stopped.running).toMatchObject({ since: later(10), roNumber: null, jobNumber: null });
  expect(applyTap(technicianClock(), tap('stop')).running).toBeNull();
});

test('finishing ends the clock of that job alone, counts once, and can be reverted', () => {
  const on = technicianClock({ running: running([1, 2]), completedToday: 1, completedWeek: 4 });
  const done = applyTap(on, tap('finish', 10, [1, 2]));
  expect(done.running).toMatchObject({ jobNumber: null });
  expect(done).toMatchObject({ completedToday: 2, completedWeek: 5 });
  expect(done.finishedJobs).toMatchObject([{ roNumber: 1, jobNumber: 2 }]);
  expect(applyTap(done, tap('finish', 11, [1, 2])).completedToday).toBe(2);
  const reopened = applyTap(done, tap('reopen', 11, [1, 2]));
  expect(reopened).toMatchObject({ completedToday: 1, completedWeek: 4, finishedJobs: [] });
  const another = applyTap(on, tap('finish', 10, [1, 3]));
  expect(another.running).toEqual(on.running);
});

test('clocking out ends every clock, and the time until then counts', () => {
  const out = applyTap(technicianClock({ running: running([1, 2]) }), tap('clock-out', 90));
  expect(out.running).toBeNull();
  expect(out.today).toEqual({ jobsMs: 90 * MINUTE, attendedMs: 90 * MINUTE, soldHours: 0 });
});

test('what runs adds to the time on its job', () => {
  const clock = technicianClock({
    running: running([1, 2]),
    clockedJobs: [{ roNumber: 1, jobNumber: 2, clockedMs: 5 }],
  });
  expect(clockedOn(advanceClock(clock, Date.parse(later(1))), 1, 2)).toBe(5 + MINUTE);
  const other = applyTap(clock, tap('start', 1, [1, 3]));
  expect([2, 3].map((job) => clockedOn(advanceClock(other, Date.parse(later(3))), 1, job))).toEqual([
    5 + MINUTE,
    2 * MINUTE,
  ]);
});

test('an undo brings back the clock before the last tap, whether that was answered or not', () => {
  const before = technicianClock({ running: running(null) });
  const after = applyTap(before, tap('start', 10, [1, 2]));
  const undo = { action: 'undo' } as const;
  expect(applyTaps(before, [tap('start', 10, [1, 2]), undo], before)).toEqual(before);
  expect(applyTaps(after, [undo], before)).toEqual(before);
  // Nothing is known of what came before.
  expect(applyTaps(after, [undo], null)).toEqual(after);
  expect(applyTaps(before, [tap('start', 10, [1, 2]), tap('stop', 11), undo], before)).toEqual(after);
});
