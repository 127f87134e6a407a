// The server's last reported status: the identity of its event log, and whether it can write to the log and read it.
import { createListeners } from './listeners.ts';
import type { StreamState } from './stream-state.ts';

const GENERATION_STORAGE_KEY = 'dispatch.generation';

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
  generation: localStorage.getItem(GENERATION_STORAGE_KEY),
  notSavingSince: null,
  notReadSince: null,
};
const listeners = createListeners<[before: ServerStatus]>();

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
  // A time that cannot be parsed must not clear the warning.
  return Number.isNaN(at) ? Date.now() : at;
}

export function noteServerStatus(pulse: StreamState): void {
  const before = status;
  status = toServerStatus(pulse);
  if (status.generation !== before.generation) keepGeneration(status.generation);
  listeners.notify(before);
}

function keepGeneration(generation: string | null): void {
  if (generation === null) localStorage.removeItem(GENERATION_STORAGE_KEY);
  else localStorage.setItem(GENERATION_STORAGE_KEY, generation);
}

export function serverStatus(): ServerStatus {
  return status;
}

/** Calls the listener at each `hello` and `tick`. */
export const onServerStatus = listeners.subscribe;
