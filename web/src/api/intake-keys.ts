// The calls about intake keys, by which other programs bring repair orders in.
import { ApiError, accountHttp, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
/** Without its secret. */
export type IntakeKey = Schemas['IntakeKey'];
/** With `key`, the secret, which the server tells this once. */
export type MadeIntakeKey = Schemas['MadeKey'];

/** The oldest first; revoked ones are gone. */
export async function fetchIntakeKeys(signal?: AbortSignal): Promise<IntakeKey[]> {
  return (await unwrapAnswer(http.GET('/api/intake/keys', { signal }))).result;
}

/** Sent once: a key whose answer was lost can be read by nobody, and a second attempt would make another. */
export async function makeIntakeKey(name: string): Promise<MadeIntakeKey> {
  return (await unwrapAnswer(accountHttp.POST('/api/intake/keys', { body: { name } }))).result;
}

/** One that is revoked already counts as revoked. */
export async function revokeIntakeKey(id: string): Promise<void> {
  try {
    await unwrapAnswer(http.DELETE('/api/intake/keys/{id}', { params: { path: { id } } }));
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.code === 'unknown-key')) throw failure;
  }
}
