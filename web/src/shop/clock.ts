// Times as the shop displays them: '10:41' or '10:41 AM' today, 'yesterday 16:20', else 'Thu 14 Nov'. Always in the
// shop's time zone, with 12 or 24 hours as the reader's locale has them.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import { onServerTime, serverNow } from '../api/server-time.ts';
import { capitalised } from '../i18n/sentence-case.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shop } from './shop.ts';

/** The texts around a time, in the reader's language. */
export interface ClockTexts {
  locale: string;
  yesterday(time: string): string;
  tomorrow(time: string): string;
  day(parts: { weekday: string; day: string; month: string }): string;
}

const DAY_MS = 86_400_000;

/** Short and relative, for a table cell. */
export function shortTime(at: number, now: number, timeZone: string, words: ClockTexts): string {
  const time = timeOfDay(at, timeZone, words.locale);
  const days = Math.round((startOfDay(at, timeZone) - startOfDay(now, timeZone)) / DAY_MS);
  if (days === 0) return time;
  if (days === -1) return words.yesterday(time);
  if (days === 1) return words.tomorrow(time);
  return dayOf(at, timeZone, words);
}

/** Date and time, for a list over many days: '2 Mar 2026, 16:20'. */
function dated(at: number, timeZone: string, locale: string): string {
  return unbroken(formatter(locale, timeZone, mediumDateAndTime).format(at));
}

/** Complete, for a title: 'Thursday 14 November 2024 at 16:20'. */
export function fullTime(at: number, timeZone: string, locale: string): string {
  return unbroken(formatter(locale, timeZone, dateAndTime).format(at));
}

/** '16:20', or '4:20 PM' where the locale has it. */
export function timeOfDay(at: number, timeZone: string, locale: string): string {
  const options = hasTwelveHours(locale) ? twelveHours : twentyFourHours;
  return formatter(locale, timeZone, options).format(at).replace(/\s/g, NO_BREAK_SPACE);
}

const NO_BREAK_SPACE = '\u00a0';

/** The space before AM and PM is a narrow one in the data of some browsers. */
function unbroken(text: string): string {
  return text.replaceAll('\u202f', NO_BREAK_SPACE);
}

/** 'Tue 3 Mar' */
function dayOf(at: number, timeZone: string, words: ClockTexts): string {
  const parts = formatter(words.locale, timeZone, weekdayAndDay).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)?.value.replace(/\.$/, '') ?? '';
  return words.day({ weekday: part('weekday'), day: part('day'), month: part('month') });
}

const hourCycles = new Map<string, boolean>();

function hasTwelveHours(locale: string): boolean {
  let twelve = hourCycles.get(locale);
  if (twelve === undefined) {
    twelve = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
    hourCycles.set(locale, twelve);
  }
  return twelve;
}

function zoneName(at: number, timeZone: string, locale: string): string {
  const parts = formatter(locale, timeZone, zoneAlone).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function monthName(at: number, timeZone: string, locale: string): string {
  return formatter(locale, timeZone, monthAlone).format(at);
}

/** Days differ by one from midnight to midnight as the shop's calendar has them, an hour that is left out or not. */
function startOfDay(at: number, timeZone: string): number {
  // Every zone's offset is a multiple of a quarter of an hour, and so are its midnights.
  const quarter = Math.floor(at / QUARTER_MS);
  const key = `${quarter} ${timeZone}`;
  let found = startsOfDays.get(key);
  if (found === undefined) {
    const parts = formatter('en-GB', timeZone, calendarDay).formatToParts(at);
    const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
    // As if the calendar were UTC's: only differences between days are meant.
    found = Date.UTC(part('year'), part('month') - 1, part('day'));
    if (startsOfDays.size >= DAYS_KEPT) startsOfDays.clear();
    startsOfDays.set(key, found);
  }
  return found;
}

const QUARTER_MS = 900_000;
const DAYS_KEPT = 1_000;
const startsOfDays = new Map<string, number>();

type Options = Intl.DateTimeFormatOptions;
const weekdayAndDay: Options = { weekday: 'short', day: 'numeric', month: 'short' };
const weekdayAlone: Options = { weekday: 'short' };
const dateAndTime: Options = { dateStyle: 'full', timeStyle: 'short' };
const mediumDateAndTime: Options = { dateStyle: 'medium', timeStyle: 'short' };
const dayAndMonth: Options = { day: 'numeric', month: 'long' };
// Times stand in columns: two digits where they can be, as a clock with 24 hours has them.
const twentyFourHours: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const twelveHours: Options = { hour: 'numeric', minute: '2-digit', hour12: true };
const monthAlone: Options = { month: 'long' };
const zoneAlone: Options = { timeZoneName: 'long' };
const calendarDay: Options = { year: 'numeric', month: 'numeric', day: 'numeric' };

// Building a formatter costs a hundred times what using one does, and a table uses four a row.
const formatters = new Map<Options, Map<string, Intl.DateTimeFormat>>();

function formatter(locale: string, timeZone: string, options: Options): Intl.DateTimeFormat {
  let formatter = formatters.get(options);
  if (formatter === undefined) {
    formatter = new Map();
    formatters.set(options, formatter);
  }
  const key = `${locale} ${timeZone}`;
  let found = formatter.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatter.set(key, found);
  }
  return found;
}

const WAKE_MS = 20_000;
/** All readers update together; the server's time comes every 5 s while connected. */
const readers = createListeners((notify) => {
  const waking = setInterval(notify, WAKE_MS);
  const stopListening = onServerTime(notify);
  return () => {
    clearInterval(waking);
    stopListening();
  };
});

/**
 * The server's present to the minute, so that 'today' turns into 'yesterday' on a page that stays open, and a promise is
 * overdue on every screen at once, whatever the device's own clock says.
 */
function useMinute(): number {
  return useSyncExternalStore(readers.subscribe, () => Math.floor(serverNow() / 60_000) * 60_000);
}

export interface Clock {
  /** '10:41', 'yesterday 16:20', 'Thu 14 Nov': behind other words. */
  short(at: number): string;
  /** 'Yesterday 16:20': at the beginning of a line. */
  beginning(at: number): string;
  /** '10:41' on any day. */
  time(at: number): string;
  /** The same for a time of the shop's clock ('2024-11-14T10:41'), one that it never shows, too. */
  wallTime(text: string): string;
  /** 'Eastern Daylight Time' */
  zone(at: number): string;
  /** 'Thu 14 Nov' */
  day(at: number): string;
  /** 'Thu' */
  weekday(at: number): string;
  /** '14 Nov 2024, 16:20' */
  dated(at: number): string;
  /** 'Thursday 14 November 2024 at 16:20' */
  full(at: number): string;
  month(at: number): string;
  /** '14 November' for a day of the calendar ('2024-11-14'). */
  dayAndMonth(day: string): string;
  /** The start of the present minute. */
  now: number;
}

export function useClock(): Clock {
  const { t, locale } = useTranslation();
  const now = useMinute();
  const { timeZone } = shop;
  const words: ClockTexts = {
    locale,
    yesterday: (time) => t('time.yesterday', { time }),
    tomorrow: (time) => t('time.tomorrow', { time }),
    day: (parts) => t('time.day', parts),
  };
  return {
    now,
    short: (at) => shortTime(at, now, timeZone, words),
    beginning: (at) => capitalised(shortTime(at, now, timeZone, words), locale),
    time: (at) => timeOfDay(at, timeZone, locale),
    wallTime: (text) => timeOfDay(Date.parse(`${text}:00Z`), 'UTC', locale),
    zone: (at) => zoneName(at, timeZone, locale),
    day: (at) => dayOf(at, timeZone, words),
    weekday: (at) => formatter(locale, timeZone, weekdayAlone).format(at).replace(/\.$/, ''),
    dated: (at) => dated(at, timeZone, locale),
    full: (at) => fullTime(at, timeZone, locale),
    month: (at) => monthName(at, timeZone, locale),
    dayAndMonth: (day) => formatter(locale, 'UTC', dayAndMonth).format(Date.parse(`${day}T00:00:00Z`)),
  };
}
