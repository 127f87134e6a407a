import type { Workload } from '../api/technicians.ts';

/** A technician with what is not said left at nothing: off the clock, no orders, eight hours a day and all of them left. */
export function technician(
  technicianId: number,
  fullName: string,
  overrides: Partial<Workload> = {},
): Workload {
  return {
    technicianId,
    fullName,
    specialty: '',
    portalEnabled: false,
    idLevel: null,
    levelName: null,
    dailyHours: 8,
    assignedHours: 0,
    jobsWithoutHours: 0,
    dueTodayHours: 0,
    dueTodayJobsWithoutHours: 0,
    hoursLeftToday: 8,
    clock: { state: 'off', since: null, roNumber: null, jobNumber: null, forgotten: false },
    counts: { waiting: 0, drop: { total: 0, high: 0, medium: 0, low: 0 }, pdi: 0, used: 0, total: 0 },
    finishedJobs: [],
    ...overrides,
  };
}

/** A job that its technician has finished. */
export const finishedJob = (roNumber: number, jobNumber: number): Workload['finishedJobs'][number] => ({
  roNumber,
  jobNumber,
  finishedAt: '2026-03-02T11:00:00Z',
  technicianId: 1131,
});

export const idleSince = (since: string): Workload['clock'] => ({
  state: 'idle',
  since,
  roNumber: null,
  jobNumber: null,
  forgotten: false,
});

export const onJobSince = (since: string, roNumber: number, jobNumber: number): Workload['clock'] => ({
  state: 'on-job',
  since,
  roNumber,
  jobNumber,
  forgotten: false,
});
