// How far a board can be trusted: it is live while the server is heard and everything it announced has arrived.
import { GONE_AFTER_MS, LATE_AFTER_MS } from '../api/server-timing.ts';

/** `since`: when the board was last known to be right, by the page's steady clock (ms). */
export type BoardFreshness = { kind: 'live' } | { kind: 'late' } | { kind: 'gone'; since: number };

export interface FreshnessInputs {
  /** The connection is up, and the picture was loaded since it came up and not found wrong. */
  isComplete: boolean;
  /** The server cannot read its database: its messages say nothing about the shop. */
  notRead: boolean;
  /** When the board was last known to be right, by the page's steady clock (ms). */
  rightAt: number;
}

export function boardFreshness(
  { isComplete, notRead, rightAt }: FreshnessInputs,
  now: number,
): BoardFreshness {
  const age = now - rightAt;
  if (notRead || age >= (isComplete ? GONE_AFTER_MS : LATE_AFTER_MS)) return { kind: 'gone', since: rightAt };
  // A connection that was cut is back in a few seconds, mostly.
  return { kind: isComplete && age < LATE_AFTER_MS ? 'live' : 'late' };
}
