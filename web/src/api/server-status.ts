// What the server last said of itself: which log of events it has, and whether it can save to it and read it.
import type { StreamState } from './stream-state.ts';

const GENERATION_KEPT_AT = 'dispatch.generation';

export interface ServerStatus {
  /** The log's identity; null where the server names none. */
  generation: string | null;
  /** ms, the server's clock; null while changes are saved. */
  notSavingSince: number | null;
  /** ms, the server's clock; null while the log can be read. */
  notReadSince: number | null;
}

// For a page that is opened without a connection.
let status: ServerStatus = {
  generation: localStorage.getItem(GENERATION_KEPT_AT),
  notSavingSince: null,
  notReadSince: null,
};
const listeners = new Set<(before: ServerStatus) => void>();

export function toServerStatus({ generation, notSavingSince, notReadSince }: StreamState): ServerStatus {
  return {
    generation: generation ?? null,
    notSavingSince: timeOf(notSavingSince),
    notReadSince: timeOf(notReadSince),
  };
}

function timeOf(since: string | null | undefined): number | null {
  if (since == null) return null;
  const at = Date.parse(since);
  // A time that cannot be read is no reason to say that all is well.
  return Number.isNaN(at) ? Date.now() : at;
}

export function noteServerStatus(pulse: StreamState): void {
  const before = status;
  status = toServerStatus(pulse);
  if (status.generation !== before.generation) keepGeneration(status.generation);
  for (const listener of listeners) listener(before);
}

function keepGeneration(generation: string | null): void {
  if (generation === null) localStorage.removeItem(GENERATION_KEPT_AT);
  else localStorage.setItem(GENERATION_KEPT_AT, generation);
}

export function serverStatus(): ServerStatus {
  return status;
}

/** At each `hello` and `tick`. The answer ends it. */
export function onServerStatus(listener: (before: ServerStatus) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
