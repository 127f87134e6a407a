// The technicians for some orders, the best first, and why.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type Candidate = components['schemas']['Candidate'];
export type CandidateReason = Candidate['reasons'][number];

/** More than this at once the server does not rank. */
const AT_ONCE = 200;

export async function fetchCandidates(orders: readonly number[], signal?: AbortSignal): Promise<Candidate[]> {
  const query = { roNumbers: orders.slice(0, AT_ONCE).join() };
  return (await unwrapAnswer(http.GET('/api/repair-orders/candidates', { params: { query }, signal })))
    .result;
}
