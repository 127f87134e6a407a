// The server's clock as this page knows it. Server times are displayed relative to it, because a device's own clock
// is often wrong. This module also knows how long the server has been silent.
import { createListeners } from './listeners.ts';

const OFFSET_STORAGE_KEY = 'dispatch.server-ahead';
/**
 * A delayed message makes the server's clock look slow, so the fastest of half a minute's messages counts.
 */
const MAX_SAMPLES = 6;
/**
 * The server sends its time every 5 s: by then two messages are missing, or a connection that was cut is back.
 */
const SILENT_AFTER_MS = 12_000;

/** How far the server's clock is ahead of this device's (ms). */
let offsetMs = Number(localStorage.getItem(OFFSET_STORAGE_KEY) ?? 0) || 0;
let samples: number[] = [];
let heardAt = Date.now();
const listeners = createListeners();

/** `now`: the time in the server's message; its transit time is unknown. */
export function noteServerTime(now: string): void {
  heardAt = Date.now();
  const sample = Date.parse(now) - heardAt;
  if (Number.isFinite(sample)) {
    samples = [...samples, sample].slice(-MAX_SAMPLES);
    offsetMs = Math.max(...samples);
    // For a page that is opened without a connection.
    localStorage.setItem(OFFSET_STORAGE_KEY, String(offsetMs));
  }
  listeners.notify();
}

/** Calls the listener whenever the server sends its time: every 5 s while connected. */
export const onServerTime = listeners.subscribe;

export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** Whether waiting for an answer is pointless now. A call may still get one. */
export function isServerUnresponsive(): boolean {
  return !navigator.onLine || Date.now() - heardAt > SILENT_AFTER_MS;
}
