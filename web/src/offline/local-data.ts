// Whether this device stores any data of a user, and its deletion. A desk stores none, and loads no code for it.
import { onSessionChange, sessionState } from '../api/session.ts';

const LOCAL_DATA_KEY = 'dispatch.offline';
const PRESENT = 'yes';
/** The session has ended, and not everything is deleted yet. */
const DELETION_PENDING = 'left-over';
/**
 * The storage key of a job's draft. It is defined here because no portal need be open when a session ends.
 */
export const DRAFT_KEY_PREFIX = 'dispatch.draft.';

/** Also while what the last user left is being deleted: from now on there is something of this one. */
export function markLocalData(): void {
  if (localStorage.getItem(LOCAL_DATA_KEY) !== PRESENT) localStorage.setItem(LOCAL_DATA_KEY, PRESENT);
}

/** What was left is deleted. The mark stays where somebody has signed in since and has data here. */
export function clearLocalDataMark(): void {
  if (isDeletionPending()) localStorage.removeItem(LOCAL_DATA_KEY);
}

function isDeletionPending(): boolean {
  return localStorage.getItem(LOCAL_DATA_KEY) === DELETION_PENDING;
}

function hasLocalData(): boolean {
  return localStorage.getItem(LOCAL_DATA_KEY) !== null;
}

/** Runs when a session ends, or when a page finds that it has ended. */
export function deleteLocalDataOnSignOut(): void {
  // The page on which the session ended may have been closed during the deletion.
  if (isDeletionPending()) deleteAll();
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
