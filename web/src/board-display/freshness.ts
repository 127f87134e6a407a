// How far a board can be believed: it is live while the server is heard and all it announced is here.

/** The server ticks every 5 s: one tick is missing by then. */
const LATE_AFTER_MS = 10_000;
/** Nothing is coming any more, though the connection is not known to be lost. */
const GONE_AFTER_MS = 20_000;

/** `since`: when it was last right, by the page's steady clock (ms). */
export type BoardFreshness = { kind: 'live' } | { kind: 'late' } | { kind: 'gone'; since: number };

export interface FreshnessInputs {
  /** The connection is up, and the picture was loaded since it came up and not found to be wrong. */
  whole: boolean;
  /** The server cannot read its database: whatever is heard of it, it is not news of the shop. */
  notRead: boolean;
  /** When the board was last known to be right, by the page's steady clock (ms). */
  rightAt: number;
}

export function boardFreshness({ whole, notRead, rightAt }: FreshnessInputs, now: number): BoardFreshness {
  const age = now - rightAt;
  if (notRead || age >= (whole ? GONE_AFTER_MS : LATE_AFTER_MS)) return { kind: 'gone', since: rightAt };
  // A connection that was cut is back in a few seconds, mostly.
  return { kind: whole && age < LATE_AFTER_MS ? 'live' : 'late' };
}
