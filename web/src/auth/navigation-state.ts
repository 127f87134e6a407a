// The navigation state that one screen before the desk passes to the next.
import type { SessionEnd, SignOutReason } from '../api/session.ts';

type ReasonWithText = Exclude<SignOutReason, 'user' | null>;

const reasonsWithText: Record<ReasonWithText, true> = {
  'other-tab': true,
  inactivity: true,
  'no-role': true,
  'signed-out': true,
  'ended-by-owner': true,
  'rights-changed': true,
  'password-changed': true,
  'second-factor-changed': true,
  'account-removed': true,
  expired: true,
  ended: true,
};

export interface NavigationState {
  email: string;
  /** The password was set by a mailed link just now. */
  passwordSet: boolean;
  /** Why the user is signed out, where they did not choose it. */
  reason: ReasonWithText | null;
  asked: AskedAddress | null;
}

/** Where somebody wanted to go who has to sign in first. */
export interface AskedAddress {
  address: string;
  /** Whose session ended there; null: nobody was signed in. */
  uid: string | null;
}

/** `state`: a location's; a reload keeps it, and it may be anything. */
export function readNavigationState(state: unknown): NavigationState {
  const fields: Partial<Record<keyof NavigationState, unknown>> =
    typeof state === 'object' && state !== null ? state : {};
  return {
    email: typeof fields.email === 'string' ? fields.email : '',
    passwordSet: fields.passwordSet === true,
    reason: isReasonWithText(fields.reason) ? fields.reason : null,
    asked: isAskedAddress(fields.asked) ? fields.asked : null,
  };
}

function isReasonWithText(value: unknown): value is ReasonWithText {
  return typeof value === 'string' && Object.hasOwn(reasonsWithText, value);
}

/**
 * What the login screen is told when it takes the place of a screen. Whoever chose to sign out has left the screen,
 * unless they came there with a code that was scanned.
 */
export function loginState(end: SessionEnd | null, address: string): Partial<NavigationState> {
  const isChosen = end?.reason === 'user';
  const isScanned = new URL(address, location.origin).searchParams.has('code');
  if (isChosen && !isScanned) return {};
  return {
    reason: end === null || end.reason === 'user' ? null : end.reason,
    asked: { address, uid: isChosen ? null : (end?.uid ?? null) },
  };
}

/** The address after the sign-in; another user than the one before begins at their start. */
export function addressAfterSignIn(asked: AskedAddress | null, uid: string): string {
  return asked !== null && (asked.uid === null || asked.uid === uid) ? asked.address : '/';
}

const STORAGE_KEY = 'dispatch.asked-address';

/** Another provider's sign-in leaves the page, and comes back with a page load. */
export function keepAskedAddress(asked: AskedAddress | null): void {
  if (asked === null) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(asked));
}

/** What was kept, once. */
export function takeAskedAddress(): AskedAddress | null {
  const kept = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  try {
    const asked: unknown = JSON.parse(kept ?? 'null');
    return isAskedAddress(asked) ? asked : null;
  } catch {
    return null;
  }
}

/** An address of this page alone. */
function isAskedAddress(value: unknown): value is AskedAddress {
  if (typeof value !== 'object' || value === null || !('address' in value) || !('uid' in value)) return false;
  const { address, uid } = value;
  const isOurs = typeof address === 'string' && /^\/(?![/\\])/.test(address);
  return isOurs && (uid === null || typeof uid === 'string');
}
