// What is known of the way to the server: whether it can be reached, and what its clock says. The socket tells.

const OFFSET_KEPT_AT = 'dispatch.server-offset';
/** A message that was held up makes the server look slow; of as many as half a minute brings, the quickest counts. */
const SAMPLES = 6;
/** A connection that was cut is back by then, or it is not worth waiting for. */
const AWAY_AFTER_MS = 10_000;

/** Since when there is none (ms); null while there is one. */
let lostAt: number | null = Date.now();
let samples: number[] = [];
/** What the server's clock is ahead of this device's (ms), which is wrong in the bay as often as not. */
let offset = Number(localStorage.getItem(OFFSET_KEPT_AT) ?? 0) || 0;
const greetingListeners = new Set<() => void>();
const pulseListeners = new Set<() => void>();

/** `now`: the server's clock, as it said. */
export function pulseHeard(now: string): void {
  lostAt = null;
  const ahead = Date.parse(now) - Date.now();
  if (Number.isFinite(ahead)) {
    samples = [...samples, ahead].slice(-SAMPLES);
    offset = Math.max(...samples);
    // For a page that is opened without a connection.
    localStorage.setItem(OFFSET_KEPT_AT, String(offset));
  }
  for (const listener of pulseListeners) listener();
}

/** The first word of a new connection. */
export function greeted(now: string): void {
  samples = [];
  pulseHeard(now);
  for (const listener of greetingListeners) listener();
}

export function connectionLost(): void {
  lostAt ??= Date.now();
}

/** Told at each new connection. The answer ends it. */
export function onGreeting(listener: () => void): () => void {
  greetingListeners.add(listener);
  return () => greetingListeners.delete(listener);
}

/** Told whenever the server says how far it is: every 5 s. The answer ends it. */
export function onPulse(listener: () => void): () => void {
  pulseListeners.add(listener);
  return () => pulseListeners.delete(listener);
}

/** Whether it is not worth waiting for an answer now. A call may get one all the same. */
export function seemsAway(): boolean {
  return !navigator.onLine || (lostAt !== null && Date.now() - lostAt > AWAY_AFTER_MS);
}

/** The server's clock (ms), as well as this device knows it. */
export function serverNow(): number {
  return Date.now() + offset;
}
