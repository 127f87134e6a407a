// Predicts the clock after a tap, until the server answers. Pure.
import type { ClockTap, ClockUndo, RunningClock, TechnicianClock } from '../api/clock.ts';
import { fromWallTime, mondayOf, wallDay } from '../shop/wall-time.ts';

const NOTHING: TechnicianClock['today'] = { jobsMs: 0, attendedMs: 0, soldHours: 0 };
const NO_EFFICIENCY: TechnicianClock['efficiency'] = {
  percent: null,
  soldHours: 0,
  clockedHours: 0,
  jobsWithoutHours: 0,
};

/** Whether the shop's day has changed since the clock was read: what it says of today is of an earlier day. */
export function isDayOver(clock: TechnicianClock, at: number): boolean {
  return wallDay(at) > wallDay(Date.parse(clock.now));
}

/**
 * The clock at the time `to` (ms) if nothing is tapped: running times advance. At the shop's midnight the day's figures
 * begin anew, and on a Monday the week's.
 */
export function advanceClock(clock: TechnicianClock, to: number): TechnicianClock {
  const from = Date.parse(clock.now);
  const { running } = clock;
  if (to <= from || (running === null && !isDayOver(clock, to))) return clock;
  const day = wallDay(to);
  const [today, monday] = [startOf(day), startOf(mondayOf(day))];
  // A tap that was made offline may have begun it after the clock was read.
  const since = running === null ? to : Math.max(from, Date.parse(running.since));
  const further = (before: TechnicianClock['today'], begin: number) => {
    const { jobsMs, attendedMs, soldHours } = begin > from ? NOTHING : before;
    const attended = Math.max(0, to - Math.max(begin, since));
    const worked = running?.jobNumber == null ? 0 : attended;
    return { jobsMs: jobsMs + worked, attendedMs: attendedMs + attended, soldHours };
  };
  return {
    ...clock,
    now: new Date(to).toISOString(),
    today: further(clock.today, today),
    week: further(clock.week, monday),
    efficiency: monday > from ? NO_EFFICIENCY : clock.efficiency,
    completedToday: today > from ? 0 : clock.completedToday,
    completedWeek: monday > from ? 0 : clock.completedWeek,
    clockedJobs: withRunning(clock, Math.max(0, to - since)),
  };
}

const startOf = (day: string) => fromWallTime(`${day}T00:00`);

/** What was clocked on each job, with the time (ms) that has passed on the one that runs. */
function withRunning(clock: TechnicianClock, passed: number): TechnicianClock['clockedJobs'] {
  const { roNumber = null, jobNumber = null } = clock.running ?? {};
  if (roNumber === null || jobNumber === null) return clock.clockedJobs;
  return [
    ...clock.clockedJobs.filter((job) => !isSameJob(job, roNumber, jobNumber)),
    { roNumber, jobNumber, clockedMs: clockedOn(clock, roNumber, jobNumber) + passed },
  ];
}

/** The technician's own time on a job of their open orders (ms), up to the clock's `now`. */
export function clockedOn(clock: TechnicianClock, roNumber: number, jobNumber: number): number {
  return clock.clockedJobs.find((job) => isSameJob(job, roNumber, jobNumber))?.clockedMs ?? 0;
}

export function isJobFinished({ finishedJobs }: Finished, roNumber: number, jobNumber: number): boolean {
  return finishedJobs.some((job) => isSameJob(job, roNumber, jobNumber));
}

/** It has jobs, and each is finished. */
export function isCarFinished(clock: Finished, { key, jobs }: NumberedJobs): boolean {
  return jobs.length > 0 && jobs.every(({ jobNumber }) => isJobFinished(clock, key, jobNumber));
}

interface NumberedJobs {
  key: number;
  jobs: readonly { jobNumber: number }[];
}
type Finished = Pick<TechnicianClock, 'finishedJobs'>;

/** `beforeLast`: the clock before the last tap that the server has answered, which an undo brings back. */
export function applyTaps(
  clock: TechnicianClock,
  taps: readonly (ClockTap | ClockUndo)[],
  beforeLast: TechnicianClock | null,
): TechnicianClock {
  let states = beforeLast === null ? [clock] : [beforeLast, clock];
  for (const tap of taps) {
    const last = states.at(-1) ?? clock;
    if (tap.action !== 'undo') states = [...states, applyTap(last, tap)];
    else if (states.length > 1) states = states.slice(0, -1);
  }
  return states.at(-1) ?? clock;
}

export function applyTap(before: TechnicianClock, tap: ClockTap): TechnicianClock {
  const clock = advanceClock(before, Date.parse(tap.at));
  const { running } = clock;
  const { roNumber = null, jobNumber = null } = tap;
  switch (tap.action) {
    case 'clock-in':
      return running === null ? { ...clock, running: runningSince(tap.at) } : clock;
    case 'start':
      return isClockedOn(running, roNumber, jobNumber)
        ? clock
        : { ...clock, running: runningSince(tap.at, roNumber, jobNumber) };
    case 'stop':
      return running === null || running.jobNumber === null
        ? clock
        : { ...clock, running: runningSince(tap.at) };
    case 'clock-out':
      return { ...clock, running: null };
    case 'finish':
      return finished(clock, tap, roNumber, jobNumber);
    case 'reopen': {
      const left = clock.finishedJobs.filter((job) => !isSameJob(job, roNumber, jobNumber));
      const reopenedCount = clock.finishedJobs.length - left.length;
      return {
        ...clock,
        finishedJobs: left,
        completedToday: Math.max(0, clock.completedToday - reopenedCount),
        completedWeek: Math.max(0, clock.completedWeek - reopenedCount),
      };
    }
  }
}

function finished(
  clock: TechnicianClock,
  tap: ClockTap,
  roNumber: number | null,
  jobNumber: number | null,
): TechnicianClock {
  const running = isClockedOn(clock.running, roNumber, jobNumber) ? runningSince(tap.at) : clock.running;
  if (roNumber === null || jobNumber === null) return { ...clock, running };
  if (isJobFinished(clock, roNumber, jobNumber)) return { ...clock, running };
  const job = { roNumber, jobNumber, finishedAt: tap.at, technicianId: clock.technicianId };
  return {
    ...clock,
    running,
    finishedJobs: [...clock.finishedJobs, job],
    completedToday: clock.completedToday + 1,
    completedWeek: clock.completedWeek + 1,
  };
}

function runningSince(
  at: string,
  roNumber: number | null = null,
  jobNumber: number | null = null,
): RunningClock {
  return { entryId: 0, since: at, roNumber, jobNumber, forgotten: false };
}

export function isClockedOn(
  running: RunningClock | null,
  roNumber: number | null,
  jobNumber: number | null,
): boolean {
  return running !== null && jobNumber !== null && isSameJob(running, roNumber, jobNumber);
}

function isSameJob(
  job: { roNumber: number | null; jobNumber: number | null },
  roNumber: number | null,
  jobNumber: number | null,
): boolean {
  return job.roNumber === roNumber && job.jobNumber === jobNumber;
}
