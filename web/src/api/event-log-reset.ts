// A reset of the event log: the numbers and versions the server sent before belong to a log that is gone, or that
// this page was away from for too long. Everything is loaded again.

import { createListeners } from './listeners.ts';

let resets = 0;
let restores = 0;
const listeners = createListeners<[restored: boolean]>();

/** `restored`: the shop's data was restored from a backup while this page was open. */
export function noteEventLogReset(restored: boolean): void {
  resets++;
  if (restored) restores++;
  listeners.notify(restored);
}

/** The number of resets; a different number than before means that a reset happened in between. */
export function eventLogResetCount(): number {
  return resets;
}

/** How many of the resets were caused by a restore. */
export function restoreCount(): number {
  return restores;
}

/**
 * Calls the listener at each reset, so that it drops its cached data. Returns a function that stops listening.
 */
export const onEventLogReset = listeners.subscribe;
