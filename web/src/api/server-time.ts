// The server's clock as this page knows it: what is timed there is counted on by its time, not by the device's, which
// in a bay is wrong as often as not. And how long nothing has been heard of it.

const AHEAD_KEPT_AT = 'dispatch.server-ahead';
/** A message that was held up makes the server look slow: of as many as half a minute brings the quickest counts. */
const SAMPLES = 6;
/** It says its time every 5 s: two are missing by then, or a connection that was cut is back. */
const SILENT_AFTER_MS = 12_000;

/** ms the server is ahead of this device. */
let ahead = Number(localStorage.getItem(AHEAD_KEPT_AT) ?? 0) || 0;
let samples: number[] = [];
let heardAt = Date.now();
const listeners = new Set<() => void>();

/** `now`: what the server said just now; the time it took to come here is not known. */
export function noteServerTime(now: string): void {
  heardAt = Date.now();
  const sample = Date.parse(now) - heardAt;
  if (Number.isFinite(sample)) {
    samples = [...samples, sample].slice(-SAMPLES);
    ahead = Math.max(...samples);
    // For a page that is opened without a connection.
    localStorage.setItem(AHEAD_KEPT_AT, String(ahead));
  }
  for (const listener of listeners) listener();
}

/** Whenever the server says its time: every 5 s while there is a connection. The answer ends it. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function serverNow(): number {
  return Date.now() + ahead;
}

/** Whether it is not worth waiting for an answer now. A call may get one all the same. */
export function isServerUnresponsive(): boolean {
  return !navigator.onLine || Date.now() - heardAt > SILENT_AFTER_MS;
}
