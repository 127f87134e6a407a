// Times as the shop displays them: '10:41' today, 'Yesterday 16:20', else 'Thu 14 Nov'. Always in the shop's time
// zone.
import { useSyncExternalStore } from 'react';
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
  const time = timeOfDay(at, timeZone);
  const days = Math.round((startOfDay(at, timeZone) - startOfDay(now, timeZone)) / DAY_MS);
  if (days === 0) return time;
  if (days === -1) return words.yesterday(time);
  if (days === 1) return words.tomorrow(time);
  const parts = formatter(words.locale, timeZone, weekdayAndDay).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)?.value.replace(/\.$/, '') ?? '';
  return words.day({ weekday: part('weekday'), day: part('day'), month: part('month') });
}

/** Complete, for a title: 'Thursday 14 November 2024 at 16:20'. */
export function fullTime(at: number, timeZone: string, locale: string): string {
  return formatter(locale, timeZone, dateAndTime).format(at);
}

/** 24 hours in every language, since the desk reads times in columns. */
function timeOfDay(at: number, timeZone: string): string {
  return formatter('en-GB', timeZone, hourAndMinute).format(at);
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
const dateAndTime: Options = { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' };
const hourAndMinute: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const monthAlone: Options = { month: 'long' };
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
/** All subscribers update together. */
const readers = new Set<() => void>();
let waking: ReturnType<typeof setInterval> | undefined;

function onEveryWake(listener: () => void): () => void {
  waking ??= setInterval(() => {
    for (const reader of readers) reader();
  }, WAKE_MS);
  readers.add(listener);
  return () => {
    readers.delete(listener);
    if (readers.size > 0) return;
    clearInterval(waking);
    waking = undefined;
  };
}

/** The present to the minute, so that 'today' turns into 'Yesterday' on a page that stays open. */
function useMinute(): number {
  return useSyncExternalStore(onEveryWake, () => Math.floor(Date.now() / 60_000) * 60_000);
}

export interface Clock {
  short(at: number): string;
  full(at: number): string;
  month(at: number): string;
  /** The start of the present minute. */
  now: number;
}

export function useClock(): Clock {
  const { t, language } = useTranslation();
  const now = useMinute();
  // British English has the specified date order: weekday, day, month.
  const locale = language === 'en' ? 'en-GB' : language;
  const words: ClockTexts = {
    locale,
    yesterday: (time) => t('time.yesterday', { time }),
    tomorrow: (time) => t('time.tomorrow', { time }),
    day: (parts) => t('time.day', parts),
  };
  return {
    now,
    short: (at) => shortTime(at, now, shop.timeZone, words),
    full: (at) => fullTime(at, shop.timeZone, locale),
    month: (at) => monthName(at, shop.timeZone, locale),
  };
}
