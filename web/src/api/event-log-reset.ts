// When nothing counts that the server said before: its numbers and versions belong to a log of events that is gone, or
// that this page was away from for too long. Everything is loaded anew.

let resets = 0;
let restores = 0;
const listeners = new Set<(restored: boolean) => void>();

/** `restored`: the shop's data was restored from a backup while this page was open. */
export function noteEventLogReset(restored: boolean): void {
  resets++;
  if (restored) restores++;
  for (const listener of listeners) listener(restored);
}

/** How often that happened: another number than before says that it happened in between. */
export function eventLogResetCount(): number {
  return resets;
}

/** How often because of a restore. */
export function restoreCount(): number {
  return restores;
}

/** Whoever keeps something of what the server said forgets it. The answer ends it. */
export function onEventLogReset(listener: (restored: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
