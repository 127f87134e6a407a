// This device's copy of a user's preferences: the first paint uses it, and it holds what the server does not have yet.
// Every tab of the browser reads and writes the same copy.
import type { Preferences, VersionedPreferences } from '../api/preferences.ts';

/** Texts by their names, so that what two screens chose can be put together. */
export type Choices = Readonly<Record<string, string>>;

export interface LocalCopy {
  /** As the server last had them. */
  saved: VersionedPreferences;
  /** Chosen here, and not saved by the server yet. */
  unsent: Choices;
}

const KEY_PREFIX = 'dispatch.preferences.';
const storageKey = (uid: string) => KEY_PREFIX + uid;

const emptyCopy: LocalCopy = { saved: { version: 0, value: {} }, unsent: {} };

/** Null: this device has none. */
export function readLocalCopy(uid: string): LocalCopy | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(uid)) ?? 'null');
    return isLocalCopy(stored) ? stored : null;
  } catch {
    // Another version may have written it.
    return null;
  }
}

export function localCopy(uid: string): LocalCopy {
  return readLocalCopy(uid) ?? emptyCopy;
}

/** False where the storage is full or forbidden. */
export function writeLocalCopy(uid: string, copy: LocalCopy): boolean {
  try {
    localStorage.setItem(storageKey(uid), JSON.stringify(copy));
    return true;
  } catch (failure) {
    console.warn('The preferences could not be stored on this device.', failure);
    return false;
  }
}

/** When a session ends. What the server does not have yet waits for its user. */
export function forgetSavedPreferences(): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(KEY_PREFIX)) continue;
    const uid = key.slice(KEY_PREFIX.length);
    const { unsent } = localCopy(uid);
    localStorage.removeItem(key);
    if (Object.keys(unsent).length > 0) writeLocalCopy(uid, { ...emptyCopy, unsent });
  }
}

/** What the user sees: what was chosen here counts more than what the server had. */
export function currentPreferences({ saved, unsent }: LocalCopy): Preferences {
  return { ...saved.value, ...unsent };
}

function isLocalCopy(stored: unknown): stored is LocalCopy {
  if (!isObject(stored) || !isObject(stored.saved) || !isObject(stored.unsent)) return false;
  return typeof stored.saved.version === 'number' && isObject(stored.saved.value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
