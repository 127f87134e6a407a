// The calls about repair orders, as the server's document has them.
import { answered, http } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** One technician's line of a repair order; an order has as many as it has technicians, and at least one. */
export type Row = Schemas['RepairOrderRow'];
export type Status = Schemas['Status'];
export type Priority = Schemas['Priority'];
export type Details = Schemas['RepairOrderDetails'];
export type DetailsJob = Schemas['JobDetails'];
export type Changed = Schemas['Changed'];
/** Rows together with the event number they are true for. */
export type RowsAt = { rows: Row[]; seq: number };

export async function listRepairOrders(signal?: AbortSignal): Promise<RowsAt> {
  const answer = await answered(http.GET('/api/repair-orders', { signal }));
  return { rows: answer.result, seq: answer.seq };
}

export async function fetchRows(roNumber: number): Promise<RowsAt> {
  const answer = await answered(
    http.GET('/api/repair-orders/specific/{roNumber}', { params: { path: { roNumber: String(roNumber) } } }),
  );
  return { rows: answer.result, seq: answer.seq };
}

export async function fetchDetails(roNumber: number, signal?: AbortSignal): Promise<Details> {
  const answer = await answered(
    http.GET('/api/repair-orders/{roNumber}', { params: { path: { roNumber: String(roNumber) } }, signal }),
  );
  return answer.result;
}

/** One order's new status. The server sets the priority that follows from it in the same transaction. */
export async function updateStatus(roNumber: number, idStatus: number): Promise<Changed> {
  const answer = await answered(
    http.POST('/api/repair-orders/update-status', {
      body: { data: [{ repairOrderNumber: String(roNumber), idStatus: String(idStatus) }] },
    }),
  );
  const [entry] = answer.result;
  // A single entry that is refused comes with its own status and was thrown above.
  if (entry === undefined || !('rows' in entry))
    throw new Error('update-status answered without a changed entry');
  return entry;
}

/** What was closed, in the shop's time zone; null where there is nothing to count. Averages are in ms. */
export type Figures = Schemas['Figures'];
/** A value, and yesterday's to compare it with. */
export type Figure = Schemas['Figure'];

export async function fetchFigures(signal?: AbortSignal): Promise<Figures> {
  const answer = await answered(http.GET('/api/repair-orders/figures', { signal }));
  return answer.result;
}
