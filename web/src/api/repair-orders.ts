// The calls about repair orders, as the server's document has them.
import { takeEarlyList } from './early-answers.ts';
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';
import type { WithGeneration } from './stream-state.ts';

type Schemas = components['schemas'];

/** One technician's line of a repair order; an order has as many as it has technicians, and at least one. */
export type Row = Schemas['RepairOrderRow'];
export type Status = Schemas['Status'];
export type Priority = Schemas['Priority'];
export type Details = Schemas['RepairOrderDetails'];
export type DetailsJob = Schemas['JobDetails'];
export type ChangedResult = Schemas['Changed'];
export type RefusedResult = Schemas['Refused'];
/** The result of one entry of a change. */
export type EntryResult = Schemas['EntryResult'];
export type Person = Schemas['By'];
export type Technician = Schemas['Technician'];
/** One that a search found, open or closed. */
export type FoundOrder = Schemas['FoundRepairOrder'];
/** A page of them, the newest first; `next`: the cursor of the one behind it. */
export type FoundOrders = Schemas['FoundRepairOrders'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type FieldChange = Schemas['FieldChange'];
type ActivityMetrics = Schemas['ActivityMetrics'];
/** Rows and the event number they are current at. */
export type RowsWithSeq = { rows: Row[]; seq: number };

export async function listRepairOrders(signal?: AbortSignal): Promise<RowsWithSeq & WithGeneration> {
  const answer = (await takeEarlyList()) ?? (await unwrapAnswer(http.GET('/api/repair-orders', { signal })));
  return { rows: answer.result, seq: answer.seq, generation: answer.generation };
}

/** A technician's open orders, and the technician. 404 `unknown-technician`. */
export async function fetchTechnicianRows(
  technician: number,
  signal?: AbortSignal,
): Promise<RowsWithSeq & WithGeneration & { fullName: string; specialty: string }> {
  const params = { path: { id: String(technician) } };
  const answer = await unwrapAnswer(http.GET('/api/technicians/{id}', { params, signal }));
  const { assignments, fullName, specialty } = answer.result;
  return { rows: assignments, seq: answer.seq, generation: answer.generation, fullName, specialty };
}

export async function fetchRows(roNumber: number): Promise<RowsWithSeq> {
  const answer = await unwrapAnswer(
    http.GET('/api/repair-orders/specific/{roNumber}', { params: { path: { roNumber: String(roNumber) } } }),
  );
  return { rows: answer.result, seq: answer.seq };
}

export async function fetchDetails(roNumber: number, signal?: AbortSignal): Promise<Details> {
  const answer = await unwrapAnswer(
    http.GET('/api/repair-orders/{roNumber}', { params: { path: { roNumber: String(roNumber) } }, signal }),
  );
  return answer.result;
}

/** Orders that have all these words, open and closed ones. */
export async function searchRepairOrders(
  query: { q: string; closed: boolean; cursor?: string; limit: number },
  signal?: AbortSignal,
): Promise<FoundOrders> {
  const answer = await unwrapAnswer(http.GET('/api/repair-orders/search', { params: { query }, signal }));
  return answer.result;
}

/** The orders with that number and above. Given up after 5 s: the next poll comes soon enough. */
export async function fetchNextBatch(from: number): Promise<RowsWithSeq> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), NEXT_BATCH_TIMEOUT_MS);
  try {
    const answer = await unwrapAnswer(
      http.GET('/api/repair-orders/next-batch/{roNumber}', {
        params: { path: { roNumber: String(from) } },
        signal: timeout.signal,
      }),
    );
    return { rows: answer.result, seq: answer.seq };
  } finally {
    clearTimeout(timer);
  }
}

const NEXT_BATCH_TIMEOUT_MS = 5_000;

export async function fetchActivity(): Promise<ActivityMetrics> {
  return (await unwrapAnswer(http.GET('/api/repair-orders/activity-metrics'))).result;
}

/** Entries of a full page of an order's history. */
export const HISTORY_PAGE_SIZE = 100;

/** Newest first; `before`: the version of the last entry of the page before. */
export async function fetchHistory(
  roNumber: number,
  before?: number,
  signal?: AbortSignal,
): Promise<HistoryEntry[]> {
  const query = before === undefined ? { limit: HISTORY_PAGE_SIZE } : { limit: HISTORY_PAGE_SIZE, before };
  const answer = await unwrapAnswer(
    http.GET('/api/repair-orders/{roNumber}/history', {
      params: { path: { roNumber: String(roNumber) }, query },
      signal,
    }),
  );
  return answer.result;
}

export async function fetchTechnicians(signal?: AbortSignal): Promise<Technician[]> {
  return (await unwrapAnswer(http.GET('/api/repair-orders/technicians', { signal }))).result;
}

/** An order, and the version it was seen at: a newer one refuses the change (409 `stale-version`). */
export interface OrderVersion {
  roNumber: number;
  version?: number | undefined;
}

/** One order's new status. The server sets the priority that follows from it in the same transaction. */
export async function updateStatus(order: OrderVersion, idStatus: number): Promise<EntryResult[]> {
  const body = statusBody(order, idStatus);
  return (await unwrapAnswer(http.POST(STATUS_PATH, { body }))).result;
}

export const STATUS_PATH = '/api/repair-orders/update-status';

export function statusBody({ roNumber, version }: OrderVersion, idStatus: number): Schemas['UpdateStatus'] {
  const entry = { repairOrderNumber: String(roNumber), idStatus: String(idStatus) };
  return { data: [{ ...entry, expectedVersion: version ?? null }] };
}

export async function updatePriority(order: OrderVersion, level: number): Promise<EntryResult[]> {
  const entry = { roNumber: order.roNumber, priorityLevel: String(level) };
  const body = { data: [{ ...entry, expectedVersion: order.version ?? null }] };
  return (await unwrapAnswer(http.POST('/api/repair-orders/update-priority', { body }))).result;
}

export async function assignTechnician(order: OrderVersion, technician: number): Promise<EntryResult[]> {
  const body = { ...assignment(order), idTechnician: technician };
  return [(await unwrapAnswer(http.POST('/api/repair-orders/technicians/assign', { body }))).result];
}

export async function unassignTechnician(order: OrderVersion, technician: number): Promise<EntryResult[]> {
  const body = { ...assignment(order), idTechnician: technician };
  return [(await unwrapAnswer(http.POST('/api/repair-orders/technicians/unassign', { body }))).result];
}

export async function reassignTechnician(
  order: OrderVersion,
  from: number,
  to: number,
): Promise<EntryResult[]> {
  const body = { ...assignment(order), fromIdTechnician: from, toIdTechnician: to };
  return [(await unwrapAnswer(http.POST('/api/repair-orders/technicians/reassign', { body }))).result];
}

/** Several orders for one technician, in one request that is undone as one. */
export async function dispatchOrders(
  orders: readonly OrderVersion[],
  technician: number,
): Promise<EntryResult[]> {
  const body = { idTechnician: technician, data: orders.map(assignment) };
  return (await unwrapAnswer(http.POST('/api/repair-orders/technicians/dispatch', { body }))).result;
}

function assignment(order: OrderVersion) {
  return { repairOrderNumber: String(order.roNumber), expectedVersion: order.version ?? null };
}

/** Undoes the event with that number and everything else its request changed. */
export async function undoChange(roNumber: number, seq: number): Promise<EntryResult[]> {
  const answer = await unwrapAnswer(
    http.POST('/api/repair-orders/{roNumber}/undo', {
      params: { path: { roNumber: String(roNumber) } },
      body: { seq },
    }),
  );
  return answer.result;
}

/**
 * The figures of closed orders, in the shop's time zone; null where there is nothing to count. Averages are in ms.
 */
export type Figures = Schemas['Figures'];
/** A value, and yesterday's to compare it with. */
export type Figure = Schemas['Figure'];

export async function fetchFigures(signal?: AbortSignal): Promise<Figures> {
  const answer = await unwrapAnswer(http.GET('/api/repair-orders/figures', { signal }));
  return answer.result;
}
