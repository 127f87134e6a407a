// How fresh the screen is: the age of the last message on the socket. The server sends one every 5 s at least.
import { useSyncExternalStore } from 'react';

/** Two ticks missed and some time for the network. */
export const FRESH_FOR_MS = 12_000;

export type Freshness =
  /** No message yet, and not for long. */
  { kind: 'connecting' } | { kind: 'live' } | { kind: 'stale'; since: number };

interface Heard {
  connected: boolean;
  /** When the last message arrived; when the page began to listen if none did. */
  lastAt: number;
  any: boolean;
}

export function freshness({ connected, lastAt, any }: Heard, now: number): Freshness {
  const young = now - lastAt < FRESH_FOR_MS;
  if (any && connected && young) return { kind: 'live' };
  if (!any && young) return { kind: 'connecting' };
  return { kind: 'stale', since: lastAt };
}

let state: Heard = { connected: false, lastAt: Date.now(), any: false };
let shown: Freshness = { kind: 'connecting' };
const listeners = new Set<() => void>();

export function socketStarted(): void {
  update({ connected: false, lastAt: Date.now(), any: false });
}

export function messageHeard(): void {
  update({ connected: true, lastAt: Date.now(), any: true });
}

export function connectionLost(): void {
  update({ ...state, connected: false });
}

function update(next: Heard): void {
  state = next;
  refresh();
}

function refresh(): void {
  const next = freshness(state, Date.now());
  // A new object only when it says something new, so that a live page does not repaint each second.
  const same =
    next.kind === shown.kind &&
    (next.kind !== 'stale' || (shown.kind === 'stale' && next.since === shown.since));
  if (same) return;
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(refresh, 1_000);
  return () => {
    listeners.delete(listener);
    clearInterval(timer);
  };
}

export function useFreshness(): Freshness {
  return useSyncExternalStore(subscribe, () => shown);
}
