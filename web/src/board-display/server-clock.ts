// The server's time. A TV's own clock is often wrong, and may be corrected at any moment.

/** How far the server's clock is ahead of this page's steady clock (ms). */
let offsetMs: number | null = null;

export function noteServerTime(now: string): void {
  const at = Date.parse(now);
  if (!Number.isNaN(at)) offsetMs = at - performance.now();
}

/** A rough value until the server sends its exact time. `date`: the Date header of any answer. */
export function noteServerDate(date: string | null): void {
  if (offsetMs === null && date !== null) noteServerTime(date);
}

/** The server's time at a moment of this page's steady clock. */
export function serverTimeAt(moment: number): number {
  return serverNow() - (performance.now() - moment);
}

/** The moment of this page's steady clock at which the server's was at that time (ms). */
export function serverTimeOf(serverTime: number): number {
  return performance.now() - (serverNow() - serverTime);
}

export function serverNow(): number {
  return offsetMs === null ? Date.now() : performance.now() + offsetMs;
}
