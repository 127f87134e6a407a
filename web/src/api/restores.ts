// Whether the shop's data was restored from a backup while this page was open. Nothing the server said before that
// counts: its numbers and versions belong to a log of events that is gone.

let restores = 0;
const listeners = new Set<() => void>();

export function noteRestore(): void {
  restores++;
  for (const listener of listeners) listener();
}

/** How often that happened: another number than before says that it happened in between. */
export function restoreCount(): number {
  return restores;
}

/** Whoever keeps something of what the server said forgets it. The answer ends it. */
export function onRestore(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
