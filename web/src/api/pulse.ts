// The types of what the server says of itself with each `hello` and `tick`, for the desk's program and the boards'.
import type { components } from './schema.ts';

/**
 * `seq`: the highest event number the server had committed. `now`: its clock. A server that does not name the other
 * fields of `ServerState` has nothing to say of them.
 */
export type Pulse = components['schemas']['Hello'] & ServerState;

export interface ServerState extends OfGeneration {
  /** Since when changes cannot be saved (ISO); absent while they can. */
  notSavingSince?: string | null;
  /** Since when the server has not been able to read its log of events (ISO); absent while it can. */
  notReadSince?: string | null;
}

export interface OfGeneration {
  /** Which log of events the numbers and versions belong to: another one after a restore from a backup. */
  generation?: string | null;
}
