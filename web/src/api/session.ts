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
/** When somebody last touched the page, in any tab; the inactivity watch keeps it. */
export const LAST_ACTIVITY_AT = 'dispatch.last-activity';

/** What the tabs tell each other. They share the cookie, so a sign-in in one is a change for all. */
type Told = 'signed-out' | { signedIn: User['uid'] };

let state: SessionState = { status: 'loading' };
let held: { idToken: string; expiresAt: number } | null = null;
let renewing: Promise<string | null> | null = null;
/** Goes up whenever a session ends or is signed in: an answer asked for before that is nobody's any more. */
let generation = 0;
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
  // Signing in is activity: what the last session left there would end this one at once.
  localStorage.setItem(LAST_ACTIVITY_AT, String(Date.now()));
  forgetRenewal();
  take(result);
  tell({ signedIn: result.user.uid });
  return result.user;
}

/** Ends the session here, in the other tabs and on the server. */
export async function signOut(): Promise<void> {
  end();
  tell('signed-out');
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
  // A call that outlives the sign-out must not bring the session back: the cookie may still be good.
  if (state.status === 'signed-out') return Promise.resolve(null);
  // However many callers ask, one request is under way in this tab; the lock does the same across tabs,
  // since the server may replace the cookie with each renewal.
  if (renewing === null) {
    const asked = generation;
    const renewal = locked(() => askForToken(asked)).finally(() => {
      if (renewing === renewal) renewing = null;
    });
    renewing = renewal;
  }
  return renewing;
}

/** `asked`: the generation that wants the token. Whatever comes for one that is over is dropped. */
async function askForToken(asked: number): Promise<string | null> {
  // The wait for the lock may have been long.
  if (asked !== generation) return null;
  try {
    const { result } = await answered(sessionHttp.POST('/api/auth/refresh'));
    if (asked !== generation) return null;
    take(result);
    // When the cookie had become somebody else's, the token is not for the one who asked.
    return asked === generation ? result.idToken : null;
  } catch (failure) {
    if (asked !== generation) return null;
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
  // Another user than before is another session: what the one before had on the page goes first.
  if (state.status === 'signed-in' && state.user.uid !== session.user.uid) end();
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
  forgetRenewal();
  setState({ status: 'signed-out' });
}

/** The renewal under way, if any, is the business of a session that is over. */
function forgetRenewal(): void {
  generation++;
  renewing = null;
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function tell(told: Told): void {
  otherTabs?.postMessage(told);
}

function hear(told: Told): void {
  if (told === 'signed-out') {
    end();
    return;
  }
  // A tab on the login screen stays there; one that has this user already has nothing to change.
  if (state.status === 'signed-out') return;
  if (state.status === 'signed-in' && state.user.uid === told.signedIn) return;
  end();
  setState({ status: 'loading' });
  void restoreSession();
}

if (otherTabs !== null) otherTabs.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
takeTokensFrom({ token: freshToken, renew });
