// The calls about a technician's clock: what runs, the hours it comes to, and the entries they are made of.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The clock that runs; without a job its technician is on the clock and works on none. */
export type RunningClock = Schemas['RunningClock'];
/** Up to `now`, the server's time; days and weeks are the shop's. `running` null: off the clock. */
export type TechnicianClock = Schemas['TechnicianClock'];
export type ClockEntry = Schemas['ClockEntry'];
export type ClockCorrection = Schemas['ClockCorrection'];

export type ClockAction = 'clock-in' | 'start' | 'stop' | 'finish' | 'reopen' | 'clock-out';

/** What was tapped. `at`: when, as the server reckons. */
export interface ClockTap {
  action: ClockAction;
  roNumber?: number;
  jobNumber?: number;
  at: string;
}

/** What an entry is to be; `reason` is kept with it. */
export interface EntryChange {
  startedAt: string;
  endedAt: string;
  roNumber: number | null;
  jobNumber: number | null;
  reason: string;
}

export const clockPath = (technician: number) => `/api/technicians/${technician}/clock`;

const pathOf = (technician: number) => ({ id: String(technician) });
const pathTo = (technician: number, entryId: number) => ({ ...pathOf(technician), entryId: String(entryId) });

export async function fetchClock(technician: number, signal?: AbortSignal): Promise<TechnicianClock> {
  const params = { path: pathOf(technician) };
  return (await unwrapAnswer(http.GET('/api/technicians/{id}/clock', { params, signal }))).result;
}

/** Of the shop's days from the one to the other, newest first. */
export async function fetchEntries(
  technician: number,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<ClockEntry[]> {
  const params = { path: pathOf(technician), query: { from, to } };
  return (await unwrapAnswer(http.GET('/api/technicians/{id}/clock/entries', { params, signal }))).result;
}

export async function addEntry(technician: number, body: EntryChange): Promise<void> {
  const params = { path: pathOf(technician) };
  await unwrapAnswer(http.POST('/api/technicians/{id}/clock/entries', { params, body }));
}

export async function correctEntry(technician: number, entryId: number, body: EntryChange): Promise<void> {
  const params = { path: pathTo(technician, entryId) };
  await unwrapAnswer(http.PATCH('/api/technicians/{id}/clock/entries/{entryId}', { params, body }));
}

export async function deleteEntry(technician: number, entryId: number, reason: string): Promise<void> {
  const params = { path: pathTo(technician, entryId) };
  await unwrapAnswer(
    http.DELETE('/api/technicians/{id}/clock/entries/{entryId}', { params, body: { reason } }),
  );
}
