// How soon an order is due, by the server's rules, in minutes of the shop's clock: for the desk and the boards.
import { dueSoonMinutes } from '../api/rules.ts';

const MINUTE_MS = 60_000;

export type Dueness =
  | { kind: 'later' }
  /** `minutes`: the time left; 0: due within this minute. */
  | { kind: 'soon'; minutes: number }
  | { kind: 'overdue'; minutes: number };

/** Both in ms. */
export function minutesUntil(due: number, now: number): number {
  return Math.floor(due / MINUTE_MS) - Math.floor(now / MINUTE_MS);
}

/** Both in ms. */
export function dueness(due: number, now: number): Dueness {
  const minutes = minutesUntil(due, now);
  if (minutes < 0) return { kind: 'overdue', minutes: -minutes };
  return minutes <= dueSoonMinutes ? { kind: 'soon', minutes } : { kind: 'later' };
}
