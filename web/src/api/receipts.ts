// The calls about assignments and what became of them.
import { call } from './not-typed-yet.ts';
import type { Receipt } from './socket.ts';

export type { Receipt } from './socket.ts';
export type Stage = 'delivered' | 'seen' | 'accepted';

export const receiptPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/receipt`;
export const handBackPath = (technician: number, roNumber: number) =>
  `/api/technicians/${technician}/assignments/${roNumber}/hand-back`;

/** Of everybody who is on an open order; to a technician only their own. */
export async function fetchReceipts(signal?: AbortSignal): Promise<Receipt[]> {
  const answer = await call<{ result: { receipts: Receipt[] } }>(
    'GET',
    '/api/assignments',
    undefined,
    signal,
  );
  return answer.result.receipts;
}
