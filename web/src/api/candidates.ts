// Ranks the technicians for some orders, the best first, with reasons.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type Candidate = components['schemas']['Candidate'];
export type CandidateReason = Candidate['reasons'][number];

/** The server ranks no more orders than this at once. */
const MAX_ORDERS = 200;

export async function fetchCandidates(orders: readonly number[], signal?: AbortSignal): Promise<Candidate[]> {
  const query = { roNumbers: orders.slice(0, MAX_ORDERS).join() };
  return (await unwrapAnswer(http.GET('/api/repair-orders/candidates', { params: { query }, signal })))
    .result;
}
