// The signed-in session of this tab: the id token (in memory only), its renewal, and its end.
// The refresh cookie is HttpOnly; this code never sees it.
import { ApiError, accountHttp, http, sessionHttp, setTokenSource, unwrapAnswer } from './http.ts';
import { activityTimeLeft, noteActivity } from './last-activity.ts';
import { forgetRememberedUser, rememberedUser, rememberUser } from './remembered-user.ts';
import type { components } from './schema.ts';

export type User = components['schemas']['UserView'];
export type Permission = components['schemas']['Permission'];
type SignedIn = components['schemas']['SignedInResult'];

export type SessionState =
  | { status: 'loading' }
  /** `remembered`: they were signed in here last; there was no connection yet to ask whether they still are. */
  | { status: 'signed-in'; user: User; remembered?: true }
  | { status: 'signed-out' };

const RENEW_BEFORE_EXPIRY_MS = 5 * 60_000;
const BACK_OFF_FIRST_MS = 30_000;
const BACK_OFF_MOST_MS = 16 * 60_000;
/**
 * A renewal whose answer was lost may have replaced the cookie, and the server takes the one before for 30 s only:
 * it is tried again within that time, counted from the first that was sent.
 */
const LOST_AGAIN_MS = 5_000;
const LOST_AGAIN_TIMES = 4;
const LOST_WITHIN_MS = 25_000;
/** The server may have answered, but what stands before it could not pass that on. */
const LOST_ON_THE_WAY = [0, 502, 504];
/** Every page hears of a changed staff record in the same moment; they ask within this time, each in its own. */
const ASK_AGAIN_WITHIN_MS = 2_000;
/** While the page does not know yet whether anybody is signed in, it asks more often. */
const RESTORE_AGAIN_MS = 5_000;
/** Without an answer by then the page opens for whoever it remembers. */
const REMEMBERED_AFTER_MS = 3_000;
/** A token this close to its end would be refused on the way. */
const TOO_OLD_MS = 10_000;
const SIGN_OUT_OWED_AT = 'dispatch.sign-out-owed';

/** What the tabs tell each other. They share the cookie, so a sign-in in one is a change for all. */
type TabMessage = 'signed-out' | { signedIn: User['uid'] };

let state: SessionState = { status: 'loading' };
let currentToken: { idToken: string; expiresAt: number } | null = null;
let renewing: Promise<string | null> | null = null;
/** Goes up whenever a session ends or is signed in: an answer asked for before that is nobody's any more. */
let generation = 0;
/** For the next renewal. */
let timer: ReturnType<typeof setTimeout> | undefined;
/** What became of the renewals since the last that was answered. */
let failing: { since: number; again: number; backOff: number } | null = null;
let askingAgain: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('dispatch-session');

export function sessionState(): SessionState {
  return state;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `code`: the second factor, for whom it is asked. */
export async function signIn(email: string, password: string, code?: string): Promise<User> {
  const body = code === undefined ? { email, password } : { email, password, code };
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/sign-in', { body }));
  enter(result);
  return result.user;
}

function enter(session: SignedIn): void {
  localStorage.removeItem(SIGN_OUT_OWED_AT);
  // What the last session left there would end this one at once.
  noteActivity();
  forgetRenewal();
  take(session);
  notifyTabs({ signedIn: session.user.uid });
}

/** Links the account that waits for it to another provider's, and signs in; see `pendingLink`. */
export async function linkAccount(password: string, code?: string): Promise<void> {
  const body = code === undefined ? { password } : { password, code };
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/oidc/link', { body }));
  enter(result);
}

/** The email of the account that waits to be linked to another provider's. */
export async function pendingLink(signal?: AbortSignal): Promise<string> {
  const { result } = await unwrapAnswer(sessionHttp.GET('/api/auth/oidc/link', { signal }));
  return result.email;
}

/** Begins a sign-in with the other provider: where the page is to go. */
export async function startProviderSignIn(): Promise<string> {
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/oidc/start'));
  return result.location;
}

/**
 * Before the page is left for another provider, which brings the user back signed in, with a page load. Null: it can
 * be left at once; else a sign-out is still owed, which would end the session that the user comes back with.
 */
export function pendingSignOut(): Promise<void> | null {
  noteActivity();
  return isSignOutOwed() ? tellSignOut() : null;
}

/** Ends the session here, in the other tabs and on the server. */
export async function signOut(): Promise<void> {
  end();
  notifyTabs('signed-out');
  // Until the server has ended it, the cookie would bring the session back at the next page load.
  localStorage.setItem(SIGN_OUT_OWED_AT, 'yes');
  await tellSignOut().catch((failure: unknown) => {
    console.warn('The server was not told of the sign-out; the next page load does it.', failure);
  });
}

/** Ends every session of the user, wherever it is. */
export async function signOutEverywhere(): Promise<void> {
  await unwrapAnswer(accountHttp.POST('/api/auth/sign-out-everywhere'));
  end();
  notifyTabs('signed-out');
}

function isSignOutOwed(): boolean {
  return localStorage.getItem(SIGN_OUT_OWED_AT) !== null;
}

async function tellSignOut(): Promise<void> {
  await unwrapAnswer(sessionHttp.POST('/api/auth/sign-out'));
  localStorage.removeItem(SIGN_OUT_OWED_AT);
}

/** On page load: the cookie may still hold a session. Keeps trying while the server is away. */
export async function restoreSession(): Promise<void> {
  const patience = setTimeout(openRemembered, REMEMBERED_AFTER_MS);
  for (;;) {
    try {
      if (isSignOutOwed()) await tellSignOut();
      await renewToken();
      clearTimeout(patience);
      return;
    } catch {
      openRemembered();
      await new Promise((resolve) => setTimeout(resolve, RESTORE_AGAIN_MS));
    }
  }
}

/** For as long as the server cannot be asked. What they do then waits, and is theirs only if it is them. */
function openRemembered(): void {
  if (state.status !== 'loading') return;
  const user = rememberedUser();
  if (user === null) return;
  // What the inactivity watch would have done, had the page been open.
  if (activityTimeLeft() <= 0) void signOut();
  else setState({ status: 'signed-in', user, remembered: true });
}

/** A token good for the next call, or null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  if (currentToken !== null && currentToken.expiresAt - Date.now() > TOO_OLD_MS) return currentToken.idToken;
  return state.status === 'signed-in' ? renewToken() : null;
}

/** Trades the cookie for a new token. Null: the session is over. Throws when the server gave no verdict. */
export function renewToken(): Promise<string | null> {
  // A call that outlives the sign-out must not bring the session back: the cookie may still be good.
  if (state.status === 'signed-out') return Promise.resolve(null);
  // However many callers ask, one request is under way in this tab; the lock does the same across tabs,
  // since the server may replace the cookie with each renewal.
  if (renewing === null) {
    const requestGeneration = generation;
    const renewal = locked(() => askForToken(requestGeneration)).finally(() => {
      if (renewing === renewal) renewing = null;
    });
    renewing = renewal;
  }
  return renewing;
}

/** `asked`: the generation that wants the token. Whatever comes for one that is over is dropped. */
async function askForToken(requestGeneration: number): Promise<string | null> {
  // The wait for the lock may have been long.
  if (requestGeneration !== generation) return null;
  const sentAt = Date.now();
  try {
    const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/refresh'));
    if (requestGeneration !== generation) return null;
    take(result);
    // When the cookie had become somebody else's, the token is not for the one who asked.
    return requestGeneration === generation ? result.idToken : null;
  } catch (failure) {
    if (requestGeneration !== generation) return null;
    if (!(failure instanceof ApiError) || (failure.status !== 401 && failure.status !== 403)) {
      // A page that does not know yet who is signed in asks again by itself.
      if (state.status === 'signed-in' && state.remembered === undefined) renewAgain(failure, sentAt);
      throw failure;
    }
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
  currentToken = { idToken: session.idToken, expiresAt: Date.now() + lifetime };
  failing = null;
  // A lifetime of less than ten minutes is renewed half-way instead.
  renewIn(Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2));
  setState({ status: 'signed-in', user: session.user });
}

function renewIn(delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    renewToken().catch((failure: unknown) => console.warn('The session could not be renewed yet.', failure));
  }, delay);
}

/** After a renewal without a verdict. `sentAt`: when it was sent. */
function renewAgain(failure: unknown, sentAt: number): void {
  // Calls that want a token renew, too: once a time for the next try is set, it stands.
  if (failing !== null && timer !== undefined) return;
  failing ??= { since: sentAt, again: 0, backOff: BACK_OFF_FIRST_MS };
  const { since, again, backOff } = failing;
  const isLost = failure instanceof ApiError && LOST_ON_THE_WAY.includes(failure.status);
  if (isLost && again < LOST_AGAIN_TIMES && Date.now() + LOST_AGAIN_MS - since <= LOST_WITHIN_MS) {
    failing.again++;
    renewIn(LOST_AGAIN_MS);
  } else {
    failing.backOff = Math.min(backOff * 2, BACK_OFF_MOST_MS);
    renewIn(backOff);
  }
}

/** A staff record has changed, perhaps the user's own: what they may do follows, and no screen is left for it. */
export function refreshPermissions(): void {
  clearTimeout(askingAgain);
  askingAgain = setTimeout(() => {
    askWhoIam().catch((failure: unknown) => {
      console.warn('The next renewal tells what the user may do now.', failure);
    });
  }, Math.random() * ASK_AGAIN_WITHIN_MS);
}

async function askWhoIam(): Promise<void> {
  if (state.status !== 'signed-in') return;
  const requestGeneration = generation;
  const { result } = await unwrapAnswer(http.GET('/api/auth/me'));
  if (requestGeneration === generation) setState({ status: 'signed-in', user: result });
}

function end(): void {
  clearTimeout(timer);
  clearTimeout(askingAgain);
  timer = undefined;
  failing = null;
  currentToken = null;
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
  if (next.status === 'signed-in' && next.remembered === undefined) rememberUser(next.user);
  if (next.status === 'signed-out') forgetRememberedUser();
  for (const listener of listeners) listener();
}

function notifyTabs(message: TabMessage): void {
  otherTabs?.postMessage(message);
}

function handleTabMessage(message: TabMessage): void {
  if (message === 'signed-out') {
    end();
    return;
  }
  // A tab on the login screen stays there; one that has this user already has nothing to change.
  if (state.status === 'signed-out') return;
  if (state.status === 'signed-in' && state.user.uid === message.signedIn) return;
  end();
  setState({ status: 'loading' });
  void restoreSession();
}

if (otherTabs !== null) otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => handleTabMessage(data);
setTokenSource({ token: freshToken, renew: renewToken });
