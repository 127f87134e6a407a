// Whether this device keeps anything of a user's, and the end of it: a desk never does, and has nothing to load for it.
import { onSessionChange, sessionState } from '../api/session.ts';

const KEPT_AT = 'dispatch.offline';
const KEPT = 'yes';
/** The sign-in has ended, and not everything is deleted yet. */
const LEFT_OVER = 'left-over';
/** What is written of a job and not sent yet: a key each. Here, since no portal need be open when a sign-in ends. */
export const DRAFTS_AT = 'dispatch.draft.';

export function somethingIsKept(): void {
  if (!isSomethingKept()) localStorage.setItem(KEPT_AT, KEPT);
}

export function nothingIsKept(): void {
  localStorage.removeItem(KEPT_AT);
}

function isSomethingKept(): boolean {
  return localStorage.getItem(KEPT_AT) !== null;
}

/** Whenever a sign-in ends, or a page finds out that it has. */
export function forgetWithTheSession(): void {
  // The page that the sign-in ended on may have been closed in the middle of it.
  if (localStorage.getItem(KEPT_AT) === LEFT_OVER) forget();
  onSessionChange(() => {
    if (sessionState().status !== 'signed-out') return;
    forgetStoredDrafts();
    if (isSomethingKept()) forget();
  });
}

function forget(): void {
  localStorage.setItem(KEPT_AT, LEFT_OVER);
  // Should it fail, the next page tries again.
  import('./local-data-deletion.ts')
    .then(({ forgetUser }) => forgetUser())
    .catch((failure: unknown) => console.warn('Something of the last user may be left here.', failure));
}

function forgetStoredDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFTS_AT)) localStorage.removeItem(key);
  }
}
