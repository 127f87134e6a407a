// The calls about assignments and their receipts.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

/** How far an assignment has come since the desk gave the order to a technician. */
export type Receipt = components['schemas']['AssignmentReceipt'];
export type Stage = 'delivered' | 'seen' | 'accepted';

export const receiptPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/receipt`;
export const handBackPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/hand-back`;

/** The receipts of everybody on an open order; a technician gets only their own. */
export async function fetchReceipts(signal?: AbortSignal): Promise<Receipt[]> {
  return (await unwrapAnswer(http.GET('/api/assignments', { signal }))).result.receipts;
}

/** Reporting a stage again changes nothing, and a stage implies the ones before it. */
export async function reportStage(technician: number, roNumber: number, stage: Stage): Promise<void> {
  const path = { id: String(technician), roNumber: String(roNumber) };
  await unwrapAnswer(
    http.POST('/api/technicians/{id}/assignments/{roNumber}/receipt', { params: { path }, body: { stage } }),
  );
}
