// The calls about assignments and what became of them.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

/** What became of the desk's giving an order to a technician. */
export type Receipt = components['schemas']['AssignmentReceipt'];
export type Stage = 'delivered' | 'seen' | 'accepted';

export const receiptPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/receipt`;
export const handBackPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/hand-back`;

/** Of everybody who is on an open order; to a technician only their own. */
export async function fetchReceipts(signal?: AbortSignal): Promise<Receipt[]> {
  return (await unwrapAnswer(http.GET('/api/assignments', { signal }))).result.receipts;
}

/** Said again it changes nothing, and a stage says the ones before it, too. */
export async function reportStage(technician: number, roNumber: number, stage: Stage): Promise<void> {
  const path = { id: String(technician), roNumber: String(roNumber) };
  await unwrapAnswer(
    http.POST('/api/technicians/{id}/assignments/{roNumber}/receipt', { params: { path }, body: { stage } }),
  );
}
