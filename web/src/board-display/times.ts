// Formats times on a board by the shop's clock, and computes how soon a car is due. The server sends the zone's
// offsets: a TV's time zone data is as old as its browser.
import { maxShiftHours } from '../api/rules.ts';
import type { components } from '../api/schema.ts';
import { formattingLocale } from '../i18n/locale.ts';
import { type Dueness, dueness } from '../rules/dueness.ts';
import { texts } from './texts.ts';

/**
 * The shop's offsets from UTC (ms), each valid from a moment (ms), the earliest first; the first also covers
 * everything before it.
 */
export type Zone = readonly { from: number; offset: number }[];

export function zoneOf(offsets: readonly components['schemas']['ZoneOffset'][]): Zone {
  return offsets.map(({ from, seconds }) => ({ from: Date.parse(from), offset: seconds * 1_000 }));
}

/** The moment at which UTC's clock reads what the shop's clock reads now. */
function inZone(at: number, zone: Zone): number {
  let offset = zone[0]?.offset ?? 0;
  for (const change of zone) {
    if (change.from <= at) offset = change.offset;
  }
  return at + offset;
}

const DAY_MS = 86_400_000;

export type Due = { kind: 'none' } | (Dueness & { time: number });

export function dueOf(promised: string | null, now: number): Due {
  if (promised === null) return { kind: 'none' };
  const time = Date.parse(promised);
  return { ...dueness(time, now), time };
}

/** '25 min', '1 h 20 min', '2 d 4 h'. */
export function formatDuration(minutes: number): string {
  if (minutes < 60) return texts.minutes(minutes);
  if (minutes < 1_440) return texts.hours(Math.floor(minutes / 60), minutes % 60);
  return texts.days(Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60));
}

/** Only the largest unit, where room is short. */
export function formatApproximate(minutes: number): string {
  if (minutes < 60) return texts.minutes(minutes);
  return minutes < 1_440
    ? texts.hours(Math.floor(minutes / 60), 0)
    : texts.days(Math.floor(minutes / 1_440), 0);
}

/** A stopwatch is at most as long as '9:59:59': a column has no room for more. */
const STOPWATCH_HOURS = 10;

/** '1:20:05' for a running clock; '11 h' where seconds no longer matter. */
export function formatStopwatch(since: string, now: number): string {
  const seconds = secondsSince(since, now);
  if (seconds >= STOPWATCH_HOURS * 3_600) return formatApproximate(Math.floor(seconds / 60));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Nobody works longer at one job without a tap. */
export function isForgotten(since: string, now: number): boolean {
  return secondsSince(since, now) > maxShiftHours * 3_600;
}

function secondsSince(since: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
}

/** '10:41', or '10:41 AM' where the locale has it, as on the page. Two digits where a clock has 24 hours. */
export function timeOfDay(at: number, zone: Zone): string {
  const locale = formattingLocale(texts.language.slice(0, 2));
  const time = formatter(locale, hourAndMinute).format(inZone(at, zone));
  return time.replace(/^0(?=.*\D$)/, '').replace(/\s/g, '\u00a0');
}

/** '10:41' today, 'Tue 10:41' within a week, else '14 Nov'. */
export function dayAndTime(at: number, now: number, zone: Zone): string {
  const days = Math.round((startOfDay(at, zone) - startOfDay(now, zone)) / DAY_MS);
  if (days === 0) return timeOfDay(at, zone);
  if (Math.abs(days) < 7) {
    return `${formatter(texts.language, weekday).format(inZone(at, zone)).replace('.', '')} ${timeOfDay(at, zone)}`;
  }
  return formatter(texts.language, dayAndMonth).format(inZone(at, zone));
}

/** 'Tue 10:41' for 'Tue 10:41 AM', where room is short: the shop's hours say which half of the day it is. */
export function withoutHalf(time: string): string {
  return time.replace(/\u00a0.*/, '');
}

export function today(now: number, zone: Zone): string {
  return formatter(texts.language, wholeDay).format(inZone(now, zone));
}

/** The number of nights a car has been here. */
export function daysHere(opened: string, now: number, zone: Zone): number {
  return Math.max(0, Math.round((startOfDay(now, zone) - startOfDay(Date.parse(opened), zone)) / DAY_MS));
}

/** Whether it is out of hours: `from` and `until` are the shop's, and the night is mostly between them. */
export function isBetween(now: number, zone: Zone, from: string | null, until: string | null): boolean {
  if (from === null || until === null) return false;
  const time = new Date(inZone(now, zone)).toISOString().slice(11, 16);
  return from <= until ? from <= time && time < until : time >= from || time < until;
}

/** As if the calendar were UTC's: only differences between days are meant. */
function startOfDay(at: number, zone: Zone): number {
  return Math.floor(inZone(at, zone) / DAY_MS) * DAY_MS;
}

type Options = Intl.DateTimeFormatOptions;
const hourAndMinute: Options = { hour: '2-digit', minute: '2-digit' };
const weekday: Options = { weekday: 'short' };
const dayAndMonth: Options = { day: 'numeric', month: 'short' };
const wholeDay: Options = { weekday: 'long', day: 'numeric', month: 'long' };

// Creating a formatter costs a hundred times as much as using one. There are as many as options.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Options): Intl.DateTimeFormat {
  const key = `${locale} ${Object.keys(options).join()}${options.weekday ?? ''}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    formatters.set(key, found);
  }
  return found;
}
