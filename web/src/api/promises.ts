// Whether the promised times of open orders will be kept, as the server reckons it.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
/** Of an order with a promised time: the answer, why, and the figures of which it is made. */
export type PromiseRisk = Schemas['Promise'];
export type PromiseReason = Schemas['PromiseRiskReason'];

/** Of all open orders with a promised time; a technician gets those they are on. */
export async function fetchPromises(signal?: AbortSignal): Promise<PromiseRisk[]> {
  return (await unwrapAnswer(http.GET('/api/repair-orders/promises', { signal }))).result;
}
