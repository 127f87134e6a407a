// What the signed-in user has set up for themselves: one object that the server keeps whole.
import { ApiError, accountHttp, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

/** With the version that a change names. */
export type VersionedPreferences = components['schemas']['Preferences'];
export type Preferences = Readonly<VersionedPreferences['value']>;

export async function fetchPreferences(signal?: AbortSignal): Promise<VersionedPreferences> {
  return (await unwrapAnswer(http.GET('/api/me/preferences', { signal }))).result;
}

/**
 * Null: another screen has changed them since that version, and nothing was written. It is sent once: whoever sends it
 * again first looks whether the same user is still signed in.
 */
export async function changePreferences(
  expectedVersion: number,
  value: Preferences,
): Promise<VersionedPreferences | null> {
  try {
    return (await unwrapAnswer(accountHttp.PUT('/api/me/preferences', { body: { expectedVersion, value } })))
      .result;
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'stale-version') return null;
    throw failure;
  }
}
