// The signed-in session of this tab: the id token (in memory only), its renewal, and its end.
// The refresh cookie is HttpOnly; this code never sees it.
import { ApiError, answered, sessionHttp, takeTokensFrom } from './http.ts';
import type { components } from './schema.ts';

export type User = components['schemas']['UserView'];
export type Permission = components['schemas']['Permission'];
type SignedIn = components['schemas']['SignedInResult'];

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out' };

const RENEW_BEFORE_EXPIRY_MS = 5 * 60_000;
const BACK_OFF_FIRST_MS = 30_000;
const BACK_OFF_MOST_MS = 16 * 60_000;
/** While the page does not know yet whether anybody is signed in, it asks more often. */
const RESTORE_AGAIN_MS = 5_000;
/** A token this close to its end would be refused on the way. */
const TOO_OLD_MS = 10_000;
const SIGN_OUT_OWED_AT = 'dispatch.sign-out-owed';

let state: SessionState = { status: 'loading' };
let held: { idToken: string; expiresAt: number } | null = null;
let renewing: Promise<string | null> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('dispatch-session');

export function sessionState(): SessionState {
  return state;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function signIn(email: string, password: string): Promise<User> {
  const { result } = await answered(sessionHttp.POST('/api/auth/sign-in', { body: { email, password } }));
  localStorage.removeItem(SIGN_OUT_OWED_AT);
  take(result);
  return result.user;
}

/** Ends the session here, in the other tabs and on the server. */
export async function signOut(): Promise<void> {
  end();
  otherTabs?.postMessage('signed-out');
  // Until the server has ended it, the cookie would bring the session back at the next page load.
  localStorage.setItem(SIGN_OUT_OWED_AT, 'yes');
  await tellSignOut().catch((failure: unknown) => {
    console.warn('The server was not told of the sign-out; the next page load does it.', failure);
  });
}

async function tellSignOut(): Promise<void> {
  await answered(sessionHttp.POST('/api/auth/sign-out'));
  localStorage.removeItem(SIGN_OUT_OWED_AT);
}

/** On page load: the cookie may still hold a session. Keeps trying while the server is away. */
export async function restoreSession(): Promise<void> {
  for (;;) {
    try {
      if (localStorage.getItem(SIGN_OUT_OWED_AT) !== null) await tellSignOut();
      await renew();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RESTORE_AGAIN_MS));
    }
  }
}

/** A token good for the next call, or null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  if (held !== null && held.expiresAt - Date.now() > TOO_OLD_MS) return held.idToken;
  return state.status === 'signed-in' ? renew() : null;
}

/** Trades the cookie for a new token. Null: the session is over. Throws when the server gave no verdict. */
export function renew(): Promise<string | null> {
  // However many callers ask, one request is under way in this tab; the lock does the same across tabs,
  // since the server may replace the cookie with each renewal.
  renewing ??= locked(askForToken).finally(() => {
    renewing = null;
  });
  return renewing;
}

async function askForToken(): Promise<string | null> {
  try {
    const { result } = await answered(sessionHttp.POST('/api/auth/refresh'));
    take(result);
    return result.idToken;
  } catch (failure) {
    if (!(failure instanceof ApiError) || (failure.status !== 401 && failure.status !== 403)) throw failure;
    end();
    return null;
  }
}

async function locked<T>(work: () => Promise<T>): Promise<T> {
  // Web Locks exist on HTTPS and localhost only.
  return 'locks' in navigator ? await navigator.locks.request('dispatch-renew', work) : work();
}

function take(session: SignedIn): void {
  const lifetime = session.expiresIn * 1_000;
  held = { idToken: session.idToken, expiresAt: Date.now() + lifetime };
  // A lifetime of less than ten minutes is renewed half-way instead.
  renewIn(Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2));
  setState({ status: 'signed-in', user: session.user });
}

function renewIn(delay: number, backOff = BACK_OFF_FIRST_MS): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    renew().catch(() => renewIn(backOff, Math.min(backOff * 2, BACK_OFF_MOST_MS)));
  }, delay);
}

function end(): void {
  clearTimeout(timer);
  held = null;
  setState({ status: 'signed-out' });
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

if (otherTabs !== null) otherTabs.onmessage = end;
takeTokensFrom({ token: freshToken, renew });
