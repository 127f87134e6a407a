// What the server answers, or without a connection what this device saved of an earlier answer.
import { ApiError } from '../api/http.ts';
import { isServerUnresponsive } from '../api/server-time.ts';
import { deleteSavedScreen, loadSavedScreen, saveScreen, signedInUid } from './saved-screens.ts';

/** `savedAt`: when the value was saved (ms); null: the server has just answered with it. */
export interface LastKnown<T> {
  value: T;
  savedAt: number | null;
}

/** Statuses of a server that may answer later. */
const TRANSIENT_STATUSES = [408, 425, 429];

/** Saves each answer under that name. Rejects with the code 'not-kept' where there is neither answer nor saved value. */
export async function orLastKnown<T>(name: string, fetchValue: () => Promise<T>): Promise<LastKnown<T>> {
  // To wait for three attempts would gain nothing.
  if (isServerUnresponsive()) {
    const saved = await lastKnown<T>(name);
    if (saved !== null) return saved;
  }
  const uid = signedInUid();
  try {
    const value = await fetchValue();
    // Somebody else may have signed in since.
    if (uid === signedInUid()) saveScreen(name, value);
    return { value, savedAt: null };
  } catch (failure) {
    if (!isWithoutVerdict(failure)) {
      if (isGone(failure)) void deleteSavedScreen(name);
      throw failure;
    }
    const saved = await lastKnown<T>(name);
    if (saved !== null) return saved;
    if (failure.code !== 'network') throw failure;
    throw new ApiError(0, 'not-kept', 'This is not kept on this device: it needs the network.');
  }
}

async function lastKnown<T>(name: string): Promise<LastKnown<T> | null> {
  const saved = await loadSavedScreen<T>(name);
  return saved === undefined ? null : { value: saved.value, savedAt: saved.at };
}

/** The server has not said whether there is a value. */
function isWithoutVerdict(failure: unknown): failure is ApiError {
  if (!(failure instanceof ApiError)) return false;
  const { code, status } = failure;
  // An answer that is not the server's is a proxy's, whose server is away, or the network's own.
  const isOthers = code === 'network' || code === 'unexpected-answer';
  return isOthers || status >= 500 || TRANSIENT_STATUSES.includes(status);
}

/** It is not this user's, or not any more. */
function isGone(failure: unknown): boolean {
  return failure instanceof ApiError && [403, 404, 410].includes(failure.status);
}
