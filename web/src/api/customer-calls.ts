// Which customers an advisor is to call, and that somebody did.
import { http, unwrapAnswer } from './http.ts';
import type { ChangedResult, OrderVersion } from './repair-orders.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type CallReason = Schemas['CallReason'];
export type ReasonToCall = Schemas['ReasonToCall'];
/** An order whose customer is to be called, or was called about all of it. */
export type CustomerToCall = Schemas['CustomerToCall'];
/** `advisor`: whose customers they are; null where no open order names them. */
export type CustomersToCall = Pick<Schemas['CustomersToCallAnswer'], 'result' | 'advisor' | 'advisors'>;

/** `advisor` null: whoever is called as the user is. */
export async function fetchCustomersToCall(
  advisor: string | null,
  signal?: AbortSignal,
): Promise<CustomersToCall> {
  const params = advisor === null ? {} : { query: { advisor } };
  return await unwrapAnswer(http.GET('/api/customers-to-call', { params, signal }));
}

/** 409 `nothing-to-call-about` where one of the reasons is none any more. */
export async function recordCall(
  { roNumber, version }: OrderVersion,
  about: readonly CallReason[],
): Promise<ChangedResult[]> {
  const params = { path: { roNumber: String(roNumber) } };
  const body = { about: [...about], expectedVersion: version ?? null };
  return [(await unwrapAnswer(http.POST('/api/repair-orders/{roNumber}/calls', { params, body }))).result];
}
