// A week's clock entries by day, and how long each lasted. Pure.
import type { ClockEntry } from '../api/clock.ts';
import { minutesUntil } from '../rules/dueness.ts';
import { wallDay } from '../shop/wall-time.ts';

type Times = Pick<ClockEntry, 'startedAt' | 'endedAt'>;

/**
 * The time between the two minutes that are shown: whoever subtracts one from the other, or adds up the entries of a day,
 * gets what the screen says. The exact time, of which the server makes its figures, may differ by less than a minute an
 * entry. `now` (ms) ends one that runs.
 */
export function minutesOf({ startedAt, endedAt }: Times, now: number): number {
  return Math.max(0, minutesUntil(endedAt === null ? now : Date.parse(endedAt), Date.parse(startedAt)));
}

interface EntryDay {
  /** '2026-03-02' */
  day: string;
  entries: readonly ClockEntry[];
  /** The sum of its entries, as each is shown; what was deleted does not count. */
  minutes: number;
}

/** In the order of the entries. One that lasts into the next day counts on the day on which it began. */
export function entryDays(entries: readonly ClockEntry[], now: number): EntryDay[] {
  const days = new Map<string, ClockEntry[]>();
  for (const entry of entries) {
    const day = wallDay(Date.parse(entry.startedAt));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return Array.from(days, ([day, ofDay]) => ({
    day,
    entries: ofDay,
    minutes: ofDay.reduce((sum, entry) => sum + (entry.deleted ? 0 : minutesOf(entry, now)), 0),
  }));
}
