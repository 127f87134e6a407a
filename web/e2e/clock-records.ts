// The job clock as the server has it.
import type { Api } from './server-api.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface ClockEntry {
  entryId: number;
  startedAt: string;
  endedAt: string | null;
  roNumber: number | null;
  jobNumber: number | null;
  forgotten: boolean;
  deleted: boolean;
}

export interface JobClock {
  running: { roNumber: number | null; jobNumber: number | null } | null;
  today: { soldHours: number };
  finishedJobs: { roNumber: number; jobNumber: number; technicianId: number }[];
}

interface OnJob {
  jobNumber: number;
  technicianId: number;
  clockedMs: number;
}

export function clockOf(api: Api, technician: number): Promise<JobClock> {
  return api.get(`/api/technicians/${technician}/clock`);
}

/** What counts of the last days, the oldest first. */
export async function entriesOf(api: Api, technician: number): Promise<ClockEntry[]> {
  const day = (before: number) => new Date(Date.now() - before * 24 * HOUR_MS).toISOString().slice(0, 10);
  const entries = await api.get<ClockEntry[]>(
    `/api/technicians/${technician}/clock/entries?from=${day(9)}&to=${day(-1)}`,
  );
  return entries
    .filter(({ deleted }) => !deleted)
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

/** Whatever the demo's days had them at: they are off the clock, and no entry of the last days is left. */
export async function clearClock(owner: Api, technician: number): Promise<void> {
  for (const { entryId } of await entriesOf(owner, technician)) {
    await owner.send('DELETE', `/api/technicians/${technician}/clock/entries/${entryId}`, {
      reason: 'A test begins',
    });
  }
}

/** A tap on a technician's clock, so many minutes ago. */
export function tapAgo(
  api: Api,
  technician: number,
  minutes: number,
  tap: { action: string; roNumber?: number; jobNumber?: number },
): Promise<void> {
  const at = new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  return api.post(`/api/technicians/${technician}/clock`, { ...tap, at });
}

/** The part (0 to 1) of the time clocked on a job that is this technician's. */
export async function partOf(
  api: Api,
  technician: number,
  job: { roNumber: number; jobNumber: number },
): Promise<number> {
  const all = await api.get<OnJob[]>(`/api/repair-orders/${job.roNumber}/clocked-time`);
  const times = all.filter(({ jobNumber }) => jobNumber === job.jobNumber);
  const own = times.find(({ technicianId }) => technicianId === technician)?.clockedMs ?? 0;
  return own / times.reduce((sum, { clockedMs }) => sum + clockedMs, 0);
}
