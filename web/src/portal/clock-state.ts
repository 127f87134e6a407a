// What a tap on the clock makes of it, before the server has said so. Pure: the answer takes its place.
import type { ClockTap, RunningClock, TechnicianClock } from '../api/clock.ts';

/** The same clock as it will be at `to` (ms) if nothing is tapped: what runs has run on. */
export function advanceClock(clock: TechnicianClock, to: number): TechnicianClock {
  const passed = to - Date.parse(clock.now);
  if (clock.running === null || passed <= 0) return clock;
  const worked = clock.running.jobNumber === null ? 0 : passed;
  const further = ({ jobsMs, attendedMs }: TechnicianClock['today']) => ({
    jobsMs: jobsMs + worked,
    attendedMs: attendedMs + passed,
  });
  const now = new Date(to).toISOString();
  return { ...clock, now, today: further(clock.today), week: further(clock.week) };
}

export function applyTap(before: TechnicianClock, tap: ClockTap): TechnicianClock {
  const clock = advanceClock(before, Date.parse(tap.at));
  const { running } = clock;
  const { roNumber = null, jobNumber = null } = tap;
  switch (tap.action) {
    case 'clock-in':
      return running === null ? { ...clock, running: since(tap.at) } : clock;
    case 'start':
      return isOn(running, roNumber, jobNumber)
        ? clock
        : { ...clock, running: since(tap.at, roNumber, jobNumber) };
    case 'stop':
      return running === null || running.jobNumber === null ? clock : { ...clock, running: since(tap.at) };
    case 'clock-out':
      return { ...clock, running: null };
    case 'finish':
      return finished(clock, tap, roNumber, jobNumber);
    case 'reopen': {
      const left = clock.finishedJobs.filter((job) => !isThat(job, roNumber, jobNumber));
      const taken = clock.finishedJobs.length - left.length;
      return {
        ...clock,
        finishedJobs: left,
        completedToday: Math.max(0, clock.completedToday - taken),
        completedWeek: Math.max(0, clock.completedWeek - taken),
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
  const running = isOn(clock.running, roNumber, jobNumber) ? since(tap.at) : clock.running;
  if (roNumber === null || jobNumber === null) return { ...clock, running };
  if (clock.finishedJobs.some((job) => isThat(job, roNumber, jobNumber))) return { ...clock, running };
  const job = { roNumber, jobNumber, finishedAt: tap.at, technicianId: clock.technicianId };
  return {
    ...clock,
    running,
    finishedJobs: [...clock.finishedJobs, job],
    completedToday: clock.completedToday + 1,
    completedWeek: clock.completedWeek + 1,
  };
}

function since(at: string, roNumber: number | null = null, jobNumber: number | null = null): RunningClock {
  return { entryId: 0, since: at, roNumber, jobNumber, forgotten: false };
}

export function isOn(
  running: RunningClock | null,
  roNumber: number | null,
  jobNumber: number | null,
): boolean {
  return running !== null && jobNumber !== null && isThat(running, roNumber, jobNumber);
}

function isThat(
  job: { roNumber: number | null; jobNumber: number | null },
  roNumber: number | null,
  jobNumber: number | null,
): boolean {
  return job.roNumber === roNumber && job.jobNumber === jobNumber;
}
