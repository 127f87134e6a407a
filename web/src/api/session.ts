// This tab's session: the ID token (in memory only), its renewal and its end. The refresh cookie is HttpOnly, so this
// code never sees it.
import { forgetEarlyAnswers, takeEarlyRenewal } from './early-answers.ts';
import { ApiError, accountHttp, http, sessionHttp, setTokenSource, unwrapAnswer } from './http.ts';
import { activityTimeLeft, noteActivity } from './last-activity.ts';
import { createListeners } from './listeners.ts';
import { forgetRememberedUser, rememberedUser, rememberUser } from './remembered-user.ts';
import {
  isSignOutPending,
  PENDING_SIGN_OUT_KEY,
  SESSION_CHANNEL,
  sendRenewal,
  withRenewalLock,
} from './renewal.ts';
import type { components } from './schema.ts';

export type User = components['schemas']['UserView'];
export type Permission = components['schemas']['Permission'];
type SignedIn = components['schemas']['SignedInResult'];

export type SessionState =
  /**
   * `failure`: why the server could not say yet who is signed in; it is asked again. `isRetrying`: just now, because
   * somebody wanted it.
   */
  | { status: 'loading'; failure?: unknown; isRetrying?: true }
  /**
   * `remembered`: this user was signed in last on this device; without a connection the server could not confirm it
   * yet.
   */
  | { status: 'signed-in'; user: User; remembered?: true }
  | { status: 'signed-out' };

/**
 * Why a session is over. `ended`: the server does not know why; `null`: it was refused for a reason of which the page
 * has no text.
 */
export type SignOutReason =
  | 'user'
  | 'other-tab'
  | 'inactivity'
  | 'no-role'
  | components['schemas']['SessionEndCause']
  | 'ended'
  | null;

export interface SessionEnd {
  reason: SignOutReason;
  /** Whose session it was. */
  uid: User['uid'];
}

const RENEW_BEFORE_EXPIRY_MS = 5 * 60_000;
const MIN_BACK_OFF_MS = 30_000;
const MAX_BACK_OFF_MS = 16 * 60_000;
/** When a renewal without an answer is asked for again (ms): all within the time of the next constants. */
const REPEATED_RENEWALS_MS = [7_000, 14_000, 21_000];
/**
 * A renewal whose answer was lost may have replaced the cookie. The server accepts the previous cookie for 30 s only,
 * so the renewal is retried within that time, counted from its first attempt.
 */
const LOST_RENEWAL_RETRY_MS = 5_000;
const MAX_LOST_RENEWAL_RETRIES = 4;
const LOST_RENEWAL_WINDOW_MS = 25_000;
/** The server may have answered, but a proxy could not pass the answer on. */
const GATEWAY_ERRORS = [0, 502, 504];
/**
 * All pages learn of a changed staff record at the same moment; each refreshes its user after a random delay up to
 * this.
 */
const REFRESH_SPREAD_MS = 2_000;
/** The retry interval while the page does not know yet whether anybody is signed in. */
const RESTORE_RETRY_MS = 5_000;
/** Without an answer within this time the page opens for the remembered user. */
const RESTORE_TIMEOUT_MS = 3_000;
/** A token that expires this soon might be refused in transit. */
const MIN_TOKEN_LIFETIME_MS = 10_000;

/** Messages between tabs. They share the cookie, so a sign-in in one tab is a change for all. */
type TabMessage = 'signed-out' | 'inactive' | { signedIn: User['uid'] };

let state: SessionState = { status: 'loading' };
let lastEnd: SessionEnd | null = null;
/** The user is ending the session: the server may refuse it before it answers. */
let isLeaving = false;
let currentToken: { idToken: string; expiresAt: number } | null = null;
let renewing: Promise<string | null> | null = null;
/** Incremented whenever a session ends or begins: answers to requests from before are dropped. */
let generation = 0;
/** For the next renewal. */
let timer: ReturnType<typeof setTimeout> | undefined;
/** The failed renewals since the last one that was answered. */
let failing: { since: number; again: number; backOff: number } | null = null;
let askingAgain: ReturnType<typeof setTimeout> | undefined;
/** Ends the wait before the next try to restore the session. */
let endRestoreWait: () => void = () => undefined;
const listeners = createListeners();
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(SESSION_CHANNEL);

export function sessionState(): SessionState {
  return state;
}

/** How the last session of this page ended; null: there was none. */
export function sessionEnd(): SessionEnd | null {
  return lastEnd;
}

export const onSessionChange = listeners.subscribe;

/** `code`: the second factor, for users who have one. */
export async function signIn(email: string, password: string, code?: string): Promise<User> {
  const body = code === undefined ? { email, password } : { email, password, code };
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/sign-in', { body }));
  enterSession(result);
  return result.user;
}

/** The server has begun it, and set its cookie. */
export function enterSession(session: SignedIn): void {
  localStorage.removeItem(PENDING_SIGN_OUT_KEY);
  // A sign-out that is still pending from the last session would end this one at once.
  noteActivity();
  forgetRenewal();
  applySession(session);
  notifyTabs({ signedIn: session.user.uid });
}

/** Links the account that waits for it to another provider's, and signs in; see `pendingLink`. */
export async function linkAccount(password: string, code?: string): Promise<void> {
  const body = code === undefined ? { password } : { password, code };
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/oidc/link', { body }));
  enterSession(result);
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
 * Called before the page leaves for another provider, which brings the user back with a page load. Null: the page can
 * leave at once. Otherwise a sign-out is still pending, which would end the session that the user comes back with.
 */
export function pendingSignOut(): Promise<void> | null {
  noteActivity();
  return isSignOutPending() ? sendSignOut() : null;
}

/** Ends the session here, in the other tabs and on the server. */
export async function signOut(reason: 'user' | 'inactivity' = 'user'): Promise<void> {
  endLocally(reason);
  notifyTabs(reason === 'user' ? 'signed-out' : 'inactive');
  // Until the server has ended it, the cookie would bring the session back at the next page load.
  localStorage.setItem(PENDING_SIGN_OUT_KEY, 'yes');
  await sendSignOut().catch((failure: unknown) => {
    console.warn('The server was not told of the sign-out; the next page load does it.', failure);
  });
}

/** Ends every session of the user, wherever it is. */
export async function signOutEverywhere(): Promise<void> {
  isLeaving = true;
  try {
    await unwrapAnswer(accountHttp.POST('/api/auth/sign-out-everywhere'));
  } finally {
    isLeaving = false;
  }
  endLocally('user');
  notifyTabs('signed-out');
}

async function sendSignOut(): Promise<void> {
  await unwrapAnswer(sessionHttp.POST('/api/auth/sign-out'));
  localStorage.removeItem(PENDING_SIGN_OUT_KEY);
}

/** On page load: the cookie may still hold a session. Keeps trying while the server is away. */
export async function restoreSession(): Promise<void> {
  const restoreTimer = setTimeout(openRemembered, RESTORE_TIMEOUT_MS);
  for (;;) {
    try {
      if (isSignOutPending()) await sendSignOut();
      await renewToken();
      clearTimeout(restoreTimer);
      return;
    } catch (failure) {
      openRemembered();
      noteRestoreFailure(failure);
      await new Promise<void>((resolve) => {
        endRestoreWait = resolve;
        setTimeout(resolve, RESTORE_RETRY_MS);
      });
    }
  }
}

/** Does not wait for the next try to restore the session. */
export function retryRestore(): void {
  if (state.status === 'loading') setState({ ...state, isRetrying: true });
  endRestoreWait();
}

function noteRestoreFailure(failure: unknown): void {
  if (state.status !== 'loading') return;
  const { failure: previous } = state;
  // A failure that repeats is in the log once, with the first request that met it.
  setState({ status: 'loading', failure: isSameFailure(previous, failure) ? previous : failure });
}

function isSameFailure(one: unknown, other: unknown): boolean {
  return (
    one instanceof ApiError &&
    other instanceof ApiError &&
    one.status === other.status &&
    one.message === other.message
  );
}

/**
 * Until the server can be asked. Changes made until then are queued, and sent only if the session is still the same
 * user's.
 */
function openRemembered(): void {
  if (state.status !== 'loading') return;
  const user = rememberedUser();
  if (user === null) return;
  if (activityTimeLeft() <= 0) {
    // The inactivity check would have ended the session, had the page been open.
    lastEnd = { reason: 'inactivity', uid: user.uid };
    void signOut('inactivity');
  } else setState({ status: 'signed-in', user, remembered: true });
}

/** A token good for the next call, or null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  if (currentToken !== null && currentToken.expiresAt - Date.now() > MIN_TOKEN_LIFETIME_MS)
    return currentToken.idToken;
  return state.status === 'signed-in' ? renewToken() : null;
}

/**
 * Exchanges the cookie for a new token. Null: the session is over. Throws when the server gave no verdict.
 */
export function renewToken(): Promise<string | null> {
  // A call that is still running after the sign-out must not restore the session: the cookie may still be valid.
  if (state.status === 'signed-out') return Promise.resolve(null);
  // However many callers ask, one request is under way in this tab; the lock does the same across tabs.
  if (renewing === null) {
    const requestGeneration = generation;
    const renewal = withRenewalLock(() => askForToken(requestGeneration)).finally(() => {
      if (renewing === renewal) renewing = null;
    });
    renewing = renewal;
  }
  return renewing;
}

/**
 * `asked`: the session generation that wants the token. An answer for a generation that is over is dropped.
 */
async function askForToken(requestGeneration: number): Promise<string | null> {
  // The wait for the lock may have been long.
  if (requestGeneration !== generation) return null;
  const sentAt = Date.now();
  try {
    const isWanted = () => requestGeneration === generation;
    const { result } = await unwrapAnswer(askedAgain(takeEarlyRenewal(), sendRenewal, isWanted));
    if (requestGeneration !== generation) return null;
    applySession(result);
    // When the cookie belongs to another user by now, the token is not for the caller.
    return requestGeneration === generation ? result.idToken : null;
  } catch (failure) {
    if (requestGeneration !== generation) return null;
    if (!isVerdict(failure)) {
      // A page that does not know yet who is signed in asks again by itself.
      if (state.status === 'signed-in' && state.remembered === undefined) retryRenewal(failure, sentAt);
      throw failure;
    }
    endLocally(reasonOf(failure));
    return null;
  }
}

/**
 * The first answer. Where none comes it is asked again beside the first attempt, which may still be on its way: a
 * cookie that was exchanged is good only for half a minute more, and a connection that has died without a word is
 * noticed later. With the answer the other attempts are given up: a late one would bring back an older cookie.
 */
function askedAgain<T>(
  early: Promise<T> | null,
  ask: (signal: AbortSignal) => Promise<T>,
  isWanted: () => boolean,
): Promise<T> {
  const attempts = new AbortController();
  return new Promise((resolve, reject) => {
    let unanswered = 0;
    const watch = (attempt: Promise<T>) => {
      unanswered++;
      attempt.then(
        (answer) => {
          stop();
          resolve(answer);
        },
        (failure: unknown) => {
          unanswered--;
          // One that could not be sent says at once that there is no network: whoever tries again does so later.
          if (unanswered > 0) return;
          stop();
          reject(failure);
        },
      );
    };
    const askAgain = () => {
      if (isWanted()) watch(ask(attempts.signal));
    };
    const timers = REPEATED_RENEWALS_MS.map((at) => setTimeout(askAgain, at));
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      attempts.abort();
    };
    watch(early ?? ask(attempts.signal));
  });
}

/** Not a proxy's, whose server is away. */
function isVerdict(failure: unknown): failure is ApiError {
  if (!(failure instanceof ApiError) || failure.code === 'unexpected-answer') return false;
  return failure.status === 401 || failure.status === 403;
}

function reasonOf({ status, code, refused }: ApiError): SignOutReason {
  if (code === 'no-role') return 'no-role';
  return status === 401 ? (refused?.cause ?? 'ended') : null;
}

function applySession(session: SignedIn): void {
  // Another user means another session: the previous user's data leaves the page first.
  if (state.status === 'signed-in' && state.user.uid !== session.user.uid) endLocally(null);
  const lifetime = session.expiresIn * 1_000;
  currentToken = { idToken: session.idToken, expiresAt: Date.now() + lifetime };
  failing = null;
  // A lifetime of less than ten minutes is renewed half-way instead.
  scheduleRenewal(Math.max(lifetime - RENEW_BEFORE_EXPIRY_MS, lifetime / 2));
  setState({ status: 'signed-in', user: session.user });
}

function scheduleRenewal(delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    renewToken().catch((failure: unknown) => console.warn('The session could not be renewed yet.', failure));
  }, delay);
}

/** After a renewal without a verdict. `sentAt`: when it was sent. */
function retryRenewal(failure: unknown, sentAt: number): void {
  // Calls that need a token renew it as well; a retry that is already scheduled stands.
  if (failing !== null && timer !== undefined) return;
  failing ??= { since: sentAt, again: 0, backOff: MIN_BACK_OFF_MS };
  const { since, again, backOff } = failing;
  const isLost = failure instanceof ApiError && GATEWAY_ERRORS.includes(failure.status);
  if (
    isLost &&
    again < MAX_LOST_RENEWAL_RETRIES &&
    Date.now() + LOST_RENEWAL_RETRY_MS - since <= LOST_RENEWAL_WINDOW_MS
  ) {
    failing.again++;
    scheduleRenewal(LOST_RENEWAL_RETRY_MS);
  } else {
    failing.backOff = Math.min(backOff * 2, MAX_BACK_OFF_MS);
    scheduleRenewal(backOff);
  }
}

/** A staff record has changed, perhaps the user's own: the permissions follow without leaving the screen. */
export function refreshPermissions(): void {
  clearTimeout(askingAgain);
  askingAgain = setTimeout(() => {
    fetchOwnUser().catch((failure: unknown) => {
      console.warn('The next renewal tells what the user may do now.', failure);
    });
  }, Math.random() * REFRESH_SPREAD_MS);
}

async function fetchOwnUser(): Promise<void> {
  if (state.status !== 'signed-in') return;
  const requestGeneration = generation;
  const { result } = await unwrapAnswer(http.GET('/api/auth/me'));
  if (requestGeneration === generation) setState({ status: 'signed-in', user: result });
}

function endLocally(reason: SignOutReason): void {
  if (state.status === 'signed-in') lastEnd = { reason: isLeaving ? 'user' : reason, uid: state.user.uid };
  clearTimeout(timer);
  clearTimeout(askingAgain);
  timer = undefined;
  failing = null;
  currentToken = null;
  forgetRenewal();
  setState({ status: 'signed-out' });
}

/** A renewal under way belongs to a session that is over. */
function forgetRenewal(): void {
  forgetEarlyAnswers();
  generation++;
  renewing = null;
}

function setState(next: SessionState): void {
  state = next;
  if (next.status === 'signed-in' && next.remembered === undefined) rememberUser(next.user);
  if (next.status === 'signed-out') forgetRememberedUser();
  listeners.notify();
}

function notifyTabs(message: TabMessage): void {
  otherTabs?.postMessage(message);
}

function handleTabMessage(message: TabMessage): void {
  if (message === 'signed-out' || message === 'inactive') {
    endLocally(message === 'inactive' ? 'inactivity' : 'other-tab');
    return;
  }
  // A tab on the login screen stays there; one that has this user already has nothing to change.
  if (state.status === 'signed-out') return;
  if (state.status === 'signed-in' && state.user.uid === message.signedIn) return;
  endLocally(null);
  setState({ status: 'loading' });
  void restoreSession();
}

if (otherTabs !== null) otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => handleTabMessage(data);
setTokenSource({
  token: freshToken,
  renew: renewToken,
  uid: () => (state.status === 'signed-in' ? state.user.uid : null),
});
