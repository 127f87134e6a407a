// Whether promises will be kept, and the figures of which that is reckoned.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
/** Of an open order with a promised time. Hours are sold hours. */
export type OrderPromise = Schemas['Promise'];
export type PromiseState = Schemas['PromiseState'];

/** By RO number. */
export async function fetchPromises(signal?: AbortSignal): Promise<OrderPromise[]> {
  return (await unwrapAnswer(http.GET('/api/repair-orders/promises', { signal }))).result;
}
