// What the page's script and the small one before it (start.ts) must agree on when they renew the session.

/** Messages between tabs: somebody signed in or out. */
export const SESSION_CHANNEL = 'dispatch-session';

export const PENDING_SIGN_OUT_KEY = 'dispatch.sign-out-owed';

export function isSignOutPending(): boolean {
  return localStorage.getItem(PENDING_SIGN_OUT_KEY) !== null;
}

/** One renewal at a time across tabs, since the server may replace the cookie with each. */
export async function withRenewalLock<T>(work: () => Promise<T>): Promise<T> {
  // Web Locks exist on HTTPS and localhost only.
  return 'locks' in navigator ? await navigator.locks.request('dispatch-renew', work) : work();
}
