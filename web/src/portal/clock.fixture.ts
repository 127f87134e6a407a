// A technician's clock for tests, as the server sends it.
import type { RunningClock, TechnicianClock } from '../api/clock.ts';

export const NOW = '2026-03-02T14:00:00.000Z';

export function technicianClock(changes: Partial<TechnicianClock> = {}): TechnicianClock {
  return {
    technicianId: 7,
    now: NOW,
    running: null,
    today: { jobsMs: 0, attendedMs: 0, soldHours: 0 },
    week: { jobsMs: 0, attendedMs: 0, soldHours: 0 },
    efficiency: { percent: null, soldHours: 0, clockedHours: 0, jobsWithoutHours: 0 },
    completedToday: 0,
    completedWeek: 0,
    finishedJobs: [],
    clockedJobs: [],
    stoppedByClosing: null,
    flagged: 0,
    ...changes,
  };
}

export function running(job: [number, number] | null, changes: Partial<RunningClock> = {}): RunningClock {
  const [roNumber, jobNumber] = job ?? [null, null];
  return { entryId: 1, since: NOW, roNumber, jobNumber, forgotten: false, ...changes };
}
