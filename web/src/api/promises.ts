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

/** What was promised of an order first, and how that changed. */
export type PromiseHistory = Schemas['PromiseHistory'];

/** How often the promised time was moved, by whom, and how far it is from what was said first. */
export async function fetchPromiseHistory(roNumber: number, signal?: AbortSignal): Promise<PromiseHistory> {
  const params = { path: { roNumber: String(roNumber) } };
  return (await unwrapAnswer(http.GET('/api/repair-orders/{roNumber}/promise-moves', { params, signal })))
    .result;
}
