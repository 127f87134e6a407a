// The calls about a technician's clock: what is running, the clocked hours, and the clock entries.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The running clock; without a job its technician is clocked in and works on none. */
export type RunningClock = Schemas['RunningClock'];
/** Up to `now`, the server's time; days and weeks are the shop's. `running` null: off the clock. */
export type TechnicianClock = Schemas['TechnicianClock'];
/** A clock that the server stopped because its order was closed. */
export type StoppedByClosing = Schemas['StoppedByClosing'];
export type ClockEntry = Schemas['ClockEntry'];
export type ClockTimes = Schemas['ClockTimes'];
export type ClockProposal = Schemas['ClockProposal'];
export type ProposedEntry = Schemas['ProposedEntry'];
export type ClockCorrection = Schemas['ClockCorrection'];

export type ClockAction = 'clock-in' | 'start' | 'stop' | 'finish' | 'reopen' | 'clock-out';

/** Everything is as before the last tap. */
export interface ClockUndo {
  action: 'undo';
}

/** A tap on the clock. `at`: the time of the tap by the server's clock. */
export interface ClockTap {
  action: ClockAction;
  roNumber?: number;
  jobNumber?: number;
  at: string;
}

/** The new values of an entry; `reason` is stored with it. */
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

/** The entries between two days of the shop's calendar, the newest first. */
/** A technician's time on a job of an order. */
export type ClockedOnJob = Schemas['ClockedOnJob'];

/** Who worked how long on an order's jobs; a technician gets their own time only. */
export async function fetchTimeOnOrder(roNumber: number, signal?: AbortSignal): Promise<ClockedOnJob[]> {
  const params = { path: { roNumber: String(roNumber) } };
  return (await unwrapAnswer(http.GET('/api/repair-orders/{roNumber}/clocked-time', { params, signal })))
    .result;
}

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

/** Nothing is corrected until an owner or admin accepts it. */
export async function proposeCorrection(
  technician: number,
  entryId: number,
  body: EntryChange,
): Promise<void> {
  const params = { path: pathTo(technician, entryId) };
  await unwrapAnswer(http.PUT('/api/technicians/{id}/clock/entries/{entryId}/proposal', { params, body }));
}

export async function withdrawProposal(technician: number, entryId: number): Promise<void> {
  const params = { path: pathTo(technician, entryId) };
  await unwrapAnswer(http.DELETE('/api/technicians/{id}/clock/entries/{entryId}/proposal', { params }));
}

/** `declined`: why; null: it is accepted. */
export async function decideProposal(
  technician: number,
  entryId: number,
  declined: string | null,
): Promise<void> {
  const params = { path: pathTo(technician, entryId) };
  const body: Schemas['ProposalDecision'] =
    declined === null ? { decision: 'accept' } : { decision: 'decline', reason: declined };
  await unwrapAnswer(
    http.POST('/api/technicians/{id}/clock/entries/{entryId}/proposal/decision', { params, body }),
  );
}

/** The entries of all technicians for which a correction is proposed. */
export async function fetchProposedEntries(signal?: AbortSignal): Promise<ProposedEntry[]> {
  return (await unwrapAnswer(http.GET('/api/clock-proposals', { signal }))).result;
}
