// What the page's script and the small one before it (start.ts) must agree on when they renew the session.
import { sessionHttp } from './http.ts';

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

/**
 * Exchanges the cookie for a token. The browser takes the answer even if the page is closed or loaded again meanwhile: it
 * replaces the cookie, and the one before is good for half a minute only.
 */
export function sendRenewal(signal: AbortSignal | null = null) {
  return sessionHttp.POST('/api/auth/refresh', { keepalive: true, signal });
}
