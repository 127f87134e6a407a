// Whether this client has everything the server has announced. Pure bookkeeping over event numbers: a list covers
// everything up to its number; after that each event on the socket must follow the last, without a gap.

export interface EventTracker {
  /** The newest list's number; -1 before the first. */
  listSeq: number;
  /** The last event received on the socket. */
  heardSeq: number;
  /** A list has to reach this number before events count again: something before it was missed. */
  gapBefore: number;
}

export const newEventTracker: EventTracker = { listSeq: -1, heardSeq: -1, gapBefore: 0 };

/** Everything up to this event number is here. */
export function completeUpTo(stream: EventTracker): number {
  return stream.listSeq < stream.gapBefore ? stream.listSeq : Math.max(stream.listSeq, stream.heardSeq);
}

export function isBehind(stream: EventTracker): boolean {
  return stream.listSeq < stream.gapBefore;
}

/**
 * `hello` and `tick` carry the server's event number; if it is ahead of this client, something was missed.
 */
export function withServerSeq(stream: EventTracker, seq: number): EventTracker {
  const complete = completeUpTo(stream);
  const gapBefore = seq > complete ? Math.max(stream.gapBefore, seq) : stream.gapBefore;
  return { ...stream, gapBefore };
}

export function withEvent(stream: EventTracker, seq: number): EventTracker {
  return seq > stream.heardSeq ? { ...stream, heardSeq: seq } : stream;
}

export function withList(stream: EventTracker, seq: number): EventTracker {
  return seq > stream.listSeq ? { ...stream, listSeq: seq } : stream;
}
