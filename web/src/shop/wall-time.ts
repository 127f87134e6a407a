// Times as the clock on the shop's wall shows them, for fields that ask for a day and a time; and its weeks, which
// begin on Monday.
import { shop } from './shop.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export function wallTimeFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

const formatter = wallTimeFormat(shop.timeZone);

/** 'YYYY-MM-DDTHH:MM' at the shop. */
export function wallTime(at: number, format = formatter): string {
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const year = part('year').padStart(4, '0');
  return `${year}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Its day: 'YYYY-MM-DD'. */
export const wallDay = (at: number) => wallTime(at).slice(0, 10);

/** When the shop's clock shows a time (ms). The clock is put forward over some, and put back to show others again. */
export type WallTimeReading =
  | { kind: 'once'; at: number }
  | { kind: 'twice'; first: number; second: number }
  /** Never: what the clock showed last before it was put forward, and to what it was put, like the text. */
  | { kind: 'skipped'; from: string; to: string; change: number };

const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Null: the text is no day and time, or not yet. */
export function readWallTime(text: string, format = formatter): WallTimeReading | null {
  const asUtc = WALL_TIME.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  // Wherever the shop is, a day from there is before a change that is near, and a day later after it.
  const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS];
  const offsets = [offsetAt(before, format), offsetAt(after, format)];
  const moments = offsets.map((offset) => asUtc - offset).filter((at) => wallTime(at, format) === text);
  const first = Math.min(...moments);
  const second = Math.max(...moments);
  if (moments.length === 0) return skippedAround(before, after, format);
  return first === second ? { kind: 'once', at: first } : { kind: 'twice', first, second };
}

/** How far the shop's clock is ahead of UTC then (ms). */
function offsetAt(at: number, format: Intl.DateTimeFormat): number {
  return Date.parse(`${wallTime(at, format)}:00Z`) - at;
}

/** The one change of the clock between the two. */
function skippedAround(before: number, after: number, format: Intl.DateTimeFormat): WallTimeReading {
  const offset = offsetAt(before, format);
  let [last, change] = [before, after];
  while (change - last > MINUTE_MS) {
    const middle = last + Math.floor((change - last) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle, format) === offset) last = middle;
    else change = middle;
  }
  const from = new Date(change + offset).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return { kind: 'skipped', from, to: wallTime(change, format), change };
}

/**
 * When a day, or an hour of it, begins at the shop (ms): of one that comes twice the first is meant, and one that is
 * skipped begins when the clock was put forward. What a person types is read by `readWallTime`.
 */
export function fromWallTime(text: string, format = formatter): number {
  const reading = readWallTime(text, format);
  if (reading === null) return Number.NaN;
  if (reading.kind === 'once') return reading.at;
  return reading.kind === 'twice' ? reading.first : reading.change;
}

/** The Monday on or before that day, so many weeks before it. */
export function mondayOf(day: string, weeksBefore = 0): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return daysAfter(day, -sinceMonday - 7 * weeksBefore);
}

export function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
