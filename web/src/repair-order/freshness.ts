// How far the screen can be trusted: whether the server is heard (it sends something at least every 5 s), whether
// everything it announced has landed, and whether the last load of the list failed.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import { serverNow } from '../api/server-time.ts';
import { GONE_AFTER_MS, LATE_AFTER_MS } from '../api/server-timing.ts';

/** Missed events have landed within this time, or the screen is not live. */
const CATCH_UP_TIMEOUT_MS = 12_000;

/** `since`: when it was last right (ms, the server's clock). */
export type Freshness =
  /** Never up to date yet, and not for long. */
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** It was live a moment ago, and nothing has been heard since; it may only be the network. */
  | { kind: 'late'; since: number }
  /** The server is back, and the missed events are on their way; only for a short time. */
  | { kind: 'catching-up'; since: number }
  | { kind: 'stale'; since: number }
  /** The server is there, and cannot read its database since then. */
  | { kind: 'not-read'; since: number }
  /** Never up to date, and the list could not be loaded. */
  | { kind: 'disconnected' };

export interface FreshnessInputs {
  /** The server has sent `hello` on this connection, so the page knows whether it missed anything. */
  connection: 'lost' | 'open' | 'greeted';
  /** Something the server announced is not here yet. */
  behind: boolean;
  /** Since when the server has not been able to read its database (ms, its clock); null when it last could. */
  notReadSince: number | null;
  /** Why the list could not be loaded; null once it was, and nothing is missing. */
  failure: unknown;
  /** When the last message left the screen up to date; when the page began to listen if none did (this device's clock). */
  lastAt: number;
  any: boolean;
  /** Since when what is missing has been on its way (ms, this device's clock); null when nothing is missing, or nothing is coming. */
  catchingUpSince: number | null;
}

/** `now`: by this device's clock, of which the server's is `ahead` (ms). */
export function computeFreshness(trust: FreshnessInputs, now: number, ahead = 0): Freshness {
  const { lastAt, any, connection, failure, notReadSince } = trust;
  const age = now - lastAt;
  const since = lastAt + ahead;
  // Messages of a server that cannot read its database say nothing about the shop.
  if (notReadSince !== null) {
    return { kind: connection === 'lost' ? 'stale' : 'not-read', since: notReadSince };
  }
  if (!any) {
    if (failure !== null) return { kind: 'disconnected' };
    return age < LATE_AFTER_MS ? { kind: 'connecting' } : { kind: 'stale', since };
  }
  if (isUpToDate(trust)) {
    if (age < LATE_AFTER_MS) return { kind: 'live' };
    return { kind: age < GONE_AFTER_MS ? 'late' : 'stale', since };
  }
  if (isCatchingUp(trust, now)) return { kind: 'catching-up', since };
  // A connection that was cut is back in a few seconds, mostly.
  const cut = connection === 'lost' && failure === null && age < LATE_AFTER_MS;
  return { kind: cut ? 'late' : 'stale', since };
}

function isUpToDate({ connection, behind, failure, notReadSince }: FreshnessInputs): boolean {
  return connection === 'greeted' && !behind && failure === null && notReadSince === null;
}

function isCatchingUp({ catchingUpSince }: FreshnessInputs, now: number): boolean {
  return catchingUpSince !== null && now - catchingUpSince < CATCH_UP_TIMEOUT_MS;
}

const initialInputs = (): FreshnessInputs => ({
  connection: 'lost',
  behind: true,
  notReadSince: null,
  failure: null,
  lastAt: Date.now(),
  any: false,
  catchingUpSince: null,
});

let state = initialInputs();
let shown: Freshness = { kind: 'connecting' };
/** Time alone makes a silent page late. */
const listeners = createListeners(() => {
  const timer = setInterval(refresh, 1_000);
  return () => clearInterval(timer);
});

export function noteSocketStart(): void {
  update(initialInputs());
}

export function noteMessage(): void {
  updateHeard(state.connection === 'lost' ? { ...state, connection: 'open' } : state);
}

/** `hello` or `tick`: the server's event number, and whether it can read its log. */
export function noteStreamState(behind: boolean, notReadSince: number | null): void {
  updateHeard({ ...state, connection: 'greeted', behind, notReadSince });
}

/** Only this ends a failure: neither a message nor a change that lands says anything about what is missing. */
export function noteListLoaded(behind: boolean): void {
  updateHeard({ ...state, behind, failure: behind ? state.failure : null });
}

export function noteListFailed(failure: unknown): void {
  update({ ...state, failure });
}

export function noteConnectionLost(): void {
  update({ ...state, connection: 'lost' });
}

/** The time counts only while nothing is missing: "not live since" is when the screen was last right. */
function updateHeard(next: FreshnessInputs): void {
  update(isUpToDate(next) ? { ...next, lastAt: Date.now(), any: true } : next);
}

function update(next: FreshnessInputs): void {
  const failureChanged = next.failure !== state.failure;
  const coming =
    next.connection !== 'lost' && next.failure === null && next.notReadSince === null && !isUpToDate(next);
  state = { ...next, catchingUpSince: coming ? (next.catchingUpSince ?? Date.now()) : null };
  if (!refresh() && failureChanged) listeners.notify();
}

/** Whether it said something new. */
function refresh(): boolean {
  const now = Date.now();
  const next = computeFreshness(state, now, serverNow() - now);
  // A new object only when it says something new, so that a live page does not repaint each second.
  if (next.kind === shown.kind && Math.abs(sinceOf(next) - sinceOf(shown)) < SAME_MOMENT_MS) return false;
  shown = next;
  listeners.notify();
  return true;
}

/** What is known of the server's clock changes a little with each of its messages. */
const SAME_MOMENT_MS = 1_000;

function sinceOf(freshness: Freshness): number {
  return 'since' in freshness ? freshness.since : 0;
}

/** When the last message left the screen up to date (ms, this device's clock). */
export function lastHeardAt(): number {
  return state.lastAt;
}

export function currentFreshness(): Freshness {
  return shown;
}

export function useFreshness(): Freshness {
  return useSyncExternalStore(listeners.subscribe, currentFreshness);
}

export function listFailure(): unknown {
  return state.failure;
}

/** Why the list could not be loaded, for as long as what is on screen suffers from it; else null. */
export function useListFailure(): unknown {
  return useSyncExternalStore(listeners.subscribe, listFailure);
}
