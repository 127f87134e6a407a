// The server's clock as this page knows it: what is timed there is counted on by its time, not by the device's.

/** ms the server is ahead of this device. */
let ahead = 0;

/** `now`: what the server said just now; the time it took to come here is not known. */
export function noteServerTime(now: string): void {
  const said = Date.parse(now);
  if (!Number.isNaN(said)) ahead = said - Date.now();
}

export function serverNow(): number {
  return Date.now() + ahead;
}
