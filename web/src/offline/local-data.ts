// Whether this device keeps anything of a user's, and the end of it: a desk never does, and has nothing to load for it.
import { onSessionChange, sessionState } from '../api/session.ts';

const LOCAL_DATA_KEY = 'dispatch.offline';
const PRESENT = 'yes';
/** The sign-in has ended, and not everything is deleted yet. */
const DELETION_PENDING = 'left-over';
/** What is written of a job and not sent yet: a key each. Here, since no portal need be open when a sign-in ends. */
export const DRAFT_KEY_PREFIX = 'dispatch.draft.';

export function markLocalData(): void {
  if (!hasLocalData()) localStorage.setItem(LOCAL_DATA_KEY, PRESENT);
}

export function clearLocalDataMark(): void {
  localStorage.removeItem(LOCAL_DATA_KEY);
}

function hasLocalData(): boolean {
  return localStorage.getItem(LOCAL_DATA_KEY) !== null;
}

/** Whenever a sign-in ends, or a page finds out that it has. */
export function deleteLocalDataOnSignOut(): void {
  // The page that the sign-in ended on may have been closed in the middle of it.
  if (localStorage.getItem(LOCAL_DATA_KEY) === DELETION_PENDING) deleteAll();
  onSessionChange(() => {
    if (sessionState().status !== 'signed-out') return;
    forgetStoredDrafts();
    if (hasLocalData()) deleteAll();
  });
}

function deleteAll(): void {
  localStorage.setItem(LOCAL_DATA_KEY, DELETION_PENDING);
  // Should it fail, the next page tries again.
  import('./local-data-deletion.ts')
    .then(({ deleteLocalData: forgetUser }) => forgetUser())
    .catch((failure: unknown) => console.warn('Something of the last user may be left here.', failure));
}

function forgetStoredDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFT_KEY_PREFIX)) localStorage.removeItem(key);
  }
}
