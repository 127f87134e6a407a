import { expect, test, vi } from 'vitest';
import type { ClockAction, ClockTap } from '../api/clock.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { advanceClock, applyTap, applyTaps, clockedOn, isDayOver } from './clock-state.ts';

vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
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

const worked = {
  today: { jobsMs: 5 * HOUR, attendedMs: 6 * HOUR, soldHours: 7 },
  week: { jobsMs: 25 * HOUR, attendedMs: 26 * HOUR, soldHours: 27 },
  efficiency: { percent: 110, soldHours: 27, clockedHours: 25, jobsWithoutHours: 1 },
  completedToday: 3,
  completedWeek: 9,
};
/** The evening of a Wednesday and of a Sunday at the shop. */
const [wednesday, sunday] = ['2026-03-05T02:00:00.000Z', '2026-03-09T01:00:00.000Z'];

test('the figures of a day begin anew at the shop’s midnight, and those of a week on Monday', () => {
  const off = technicianClock({ ...worked, now: wednesday });
  expect(isDayOver(off, Date.parse(wednesday) + 2 * HOUR)).toBe(false);
  const thursday = Date.parse(wednesday) + 12 * HOUR;
  expect(isDayOver(off, thursday)).toBe(true);
  const none = { jobsMs: 0, attendedMs: 0, soldHours: 0 };
  expect(advanceClock(off, thursday)).toMatchObject({
    today: none,
    completedToday: 0,
    week: worked.week,
    efficiency: worked.efficiency,
    completedWeek: 9,
  });
  const monday = advanceClock({ ...off, now: sunday }, Date.parse(sunday) + 12 * HOUR);
  expect(monday).toMatchObject({ today: none, week: none, completedToday: 0, completedWeek: 0 });
  expect(monday.efficiency.percent).toBeNull();
});

test('what runs through the midnight counts since then, and in whole on its job', () => {
  const on = technicianClock({ ...worked, now: wednesday, running: running([1, 2], { since: wednesday }) });
  // Of five hours the first three were Wednesday's.
  const night = advanceClock(on, Date.parse(wednesday) + 5 * HOUR);
  expect(night.today).toEqual({ jobsMs: 2 * HOUR, attendedMs: 2 * HOUR, soldHours: 0 });
  expect(night.week).toEqual({ jobsMs: 30 * HOUR, attendedMs: 31 * HOUR, soldHours: 27 });
  expect(clockedOn(night, 1, 2)).toBe(5 * HOUR);
});

test('a tap of the next day that waits for the connection does not add to yesterday', () => {
  const off = technicianClock({ ...worked, now: wednesday });
  const at = (hours: number) => new Date(Date.parse(wednesday) + hours * HOUR).toISOString();
  const taps = [
    { action: 'start', roNumber: 1, jobNumber: 2, at: at(10) },
    { action: 'finish', roNumber: 1, jobNumber: 2, at: at(11) },
  ] as const;
  expect(applyTaps(off, taps, null)).toMatchObject({
    today: { jobsMs: HOUR, attendedMs: HOUR, soldHours: 0 },
    completedToday: 1,
    completedWeek: 10,
  });
});

test('the time before an offline clock-in is not counted, on the clock or on the job', () => {
  const today = { jobsMs: 2 * HOUR, attendedMs: 3 * HOUR, soldHours: 0 };
  const off = technicianClock({ today, clockedJobs: [{ roNumber: 1, jobNumber: 2, clockedMs: 2 * HOUR }] });
  const twoHoursLater = Date.parse(later(120));
  const clockedIn = advanceClock(applyTap(off, tap('clock-in', 60)), twoHoursLater);
  expect(clockedIn.today).toEqual({ ...today, attendedMs: 4 * HOUR });
  const started = advanceClock(applyTap(off, tap('start', 60, [1, 2])), twoHoursLater);
  expect(started.today).toEqual({ ...today, jobsMs: 3 * HOUR, attendedMs: 4 * HOUR });
  expect(clockedOn(started, 1, 2)).toBe(3 * HOUR);
  // Nor is it while a device's clock is behind the tap's.
  const early = advanceClock(applyTap(off, tap('start', 60, [1, 2])), Date.parse(later(30)));
  expect([early.today, clockedOn(early, 1, 2)]).toEqual([today, 2 * HOUR]);
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
