// What the page relies on of the server's timing; whatever follows from it is computed from these.

/** A connection that has nothing else to say hears a tick this often (`TICK` of the broadcaster). */
const TICK_INTERVAL_MS = 5_000;
/** One tick is missing by then. */
export const LATE_AFTER_MS = 2 * TICK_INTERVAL_MS;
/** Nothing arrives any more, although the connection is not known to be lost. */
export const GONE_AFTER_MS = 4 * TICK_INTERVAL_MS;

/** How long the server keeps the answer to a request with an idempotency key (`IDEMPOTENCY_RECORD_TTL`). */
export const IDEMPOTENCY_KEY_TTL_MS = 24 * 3_600_000;
