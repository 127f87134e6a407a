// The calls about a technician's clock: what runs, the hours it comes to, and the entries they are made of.
import { call } from './not-typed-yet.ts';
import type { RunningClock } from './socket.ts';

interface Worked {
  jobsMs: number;
  attendedMs: number;
}

/** Up to `now`, the server's time; days and weeks are the shop's. */
export interface TechnicianClock {
  technicianId: number;
  now: string;
  /** Null: off the clock. */
  running: RunningClock | null;
  today: Worked;
  week: Worked;
  /** `percent` null: nothing was clocked on a finished job this week. */
  efficiency: { percent: number | null; soldHours: number; clockedHours: number; jobsWithoutHours: number };
  completedToday: number;
  completedWeek: number;
  /** Of the open orders the technician is on, whoever finished them. */
  finishedJobs: { roNumber: number; jobNumber: number; finishedAt: string; technicianId: number }[];
  /** Entries of this week that somebody forgot to end, and that are not corrected yet. */
  flagged: number;
}

export type ClockAction = 'clock-in' | 'start' | 'stop' | 'finish' | 'reopen' | 'clock-out';

/** What was tapped. `at`: when, as the server reckons. */
export interface ClockTap {
  action: ClockAction;
  roNumber?: number;
  jobNumber?: number;
  at: string;
}

export interface ClockTimes {
  startedAt: string;
  endedAt: string | null;
  roNumber: number | null;
  jobNumber: number | null;
}

export interface ClockCorrection {
  at: string;
  by: { uid: string; name: string };
  reason: string;
  /** Null: there was no entry before. */
  before: ClockTimes | null;
  /** Null: it was deleted. */
  after: ClockTimes | null;
}

export interface ClockEntry extends ClockTimes {
  entryId: string;
  displayNumber?: string;
  forgotten: boolean;
  deleted: boolean;
  corrections: ClockCorrection[];
}

interface Answer<T> {
  ok: true;
  result: T;
}

export const clockPath = (technician: number) => `/api/technicians/${technician}/clock`;

export async function fetchClock(technician: number, signal?: AbortSignal): Promise<TechnicianClock> {
  return (await call<Answer<TechnicianClock>>('GET', clockPath(technician), undefined, signal)).result;
}

/** Of the shop's days from the one to the other, newest first. */
export async function fetchEntries(
  technician: number,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<ClockEntry[]> {
  const path = `${clockPath(technician)}/entries?from=${from}&to=${to}`;
  return (await call<Answer<ClockEntry[]>>('GET', path, undefined, signal)).result;
}

/** What an entry is to be; `reason` is kept with it. */
export interface EntryChange {
  startedAt: string;
  endedAt: string;
  roNumber: number | null;
  jobNumber: number | null;
  reason: string;
}

export async function addEntry(technician: number, entry: EntryChange): Promise<void> {
  await call('POST', `${clockPath(technician)}/entries`, entry);
}

export async function correctEntry(technician: number, entryId: string, entry: EntryChange): Promise<void> {
  await call('PATCH', `${clockPath(technician)}/entries/${entryId}`, entry);
}

export async function deleteEntry(technician: number, entryId: string, reason: string): Promise<void> {
  await call('DELETE', `${clockPath(technician)}/entries/${entryId}`, { reason });
}
