// Times as the clock on the shop's wall shows them, for fields that ask for a day and a time; and its weeks, which
// begin on Monday.
import { shop } from './shop.ts';

const MINUTE_MS = 60_000;

const formatter = new Intl.DateTimeFormat('en-GB', {
  timeZone: shop.timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** 'YYYY-MM-DDTHH:MM' at the shop. */
export function wallTime(at: number, format = formatter): string {
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Its day: 'YYYY-MM-DD'. */
export const wallDay = (at: number) => wallTime(at).slice(0, 10);

/**
 * When the shop's clock shows that (ms). Of an hour that comes twice the first is meant; one that is left out is
 * taken as if the clock had not been put forward.
 */
export function fromWallTime(text: string, format = formatter): number {
  const wanted = Date.parse(`${text}:00Z`);
  // Once with the offset there, and once with that of the time it came to: they differ around a change alone.
  let at = wanted;
  for (let step = 0; step < 2; step++) {
    const shown = Date.parse(`${wallTime(at, format)}:00Z`);
    at += wanted - shown;
  }
  const earlier = at - 60 * MINUTE_MS;
  return wallTime(earlier, format) === text ? earlier : at;
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
