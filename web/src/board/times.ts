// Times as a wall shows them, by the shop's clock, and how near they are.
import { words } from './words.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A car due within this long is soon due. */
const SOON_MINUTES = 30;

export type Due =
  | { kind: 'none' }
  | { kind: 'later'; time: number }
  | { kind: 'soon'; time: number; minutes: number }
  | { kind: 'overdue'; time: number; minutes: number };

export function dueOf(promised: string | null, now: number): Due {
  if (promised === null) return { kind: 'none' };
  const time = Date.parse(promised);
  const minutes = Math.floor(time / MINUTE_MS) - Math.floor(now / MINUTE_MS);
  if (minutes < 0) return { kind: 'overdue', time, minutes: -minutes };
  return minutes <= SOON_MINUTES ? { kind: 'soon', time, minutes } : { kind: 'later', time };
}

/** '25 min', '1 h 20 min', '2 d 4 h'. */
export function span(minutes: number): string {
  if (minutes < 60) return words.minutes(minutes);
  if (minutes < 1_440) return words.hours(Math.floor(minutes / 60), minutes % 60);
  return words.days(Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60));
}

/** The largest unit alone, where there is little room. */
export function roughly(minutes: number): string {
  if (minutes < 60) return words.minutes(minutes);
  return minutes < 1_440
    ? words.hours(Math.floor(minutes / 60), 0)
    : words.days(Math.floor(minutes / 1_440), 0);
}

/** '1:20:05', as a clock that runs. */
export function running(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** '10:41' in every language. */
export function timeOfDay(at: number, zone: string): string {
  return formatter('en-GB', zone, hourAndMinute).format(at);
}

/** '10:41' today, 'Tue 10:41' within a week, else '14 Nov'. */
export function dayAndTime(at: number, now: number, zone: string): string {
  const days = Math.round((startOfDay(at, zone) - startOfDay(now, zone)) / DAY_MS);
  if (days === 0) return timeOfDay(at, zone);
  if (Math.abs(days) < 7) {
    return `${formatter(words.language, zone, weekday).format(at).replace('.', '')} ${timeOfDay(at, zone)}`;
  }
  return formatter(words.language, zone, dayAndMonth).format(at);
}

export function today(now: number, zone: string): string {
  return formatter(words.language, zone, wholeDay).format(now);
}

/** Nights that a car has been here. */
export function daysHere(opened: string, now: number, zone: string): number {
  return Math.max(0, Math.round((startOfDay(now, zone) - startOfDay(Date.parse(opened), zone)) / DAY_MS));
}

/** Whether it is out of hours: `from` and `until` are the shop's, and the night is mostly between them. */
export function isBetween(now: number, zone: string, from: string | null, until: string | null): boolean {
  if (from === null || until === null) return false;
  const time = timeOfDay(now, zone);
  return from <= until ? from <= time && time < until : time >= from || time < until;
}

function startOfDay(at: number, zone: string): number {
  const parts = formatter('en-GB', zone, calendarDay).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  // As if the calendar were UTC's: only differences between days are meant.
  return Date.UTC(part('year'), part('month') - 1, part('day'));
}

type Options = Intl.DateTimeFormatOptions;
const hourAndMinute: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const weekday: Options = { weekday: 'short' };
const dayAndMonth: Options = { day: 'numeric', month: 'short' };
const wholeDay: Options = { weekday: 'long', day: 'numeric', month: 'long' };
const calendarDay: Options = { year: 'numeric', month: 'numeric', day: 'numeric' };

// Building a formatter costs a hundred times what using one does. There are as many as options: a board has one zone.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, zone: string, options: Options): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${Object.keys(options).join()}${options.weekday ?? ''}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formatters.set(key, found);
  }
  return found;
}
