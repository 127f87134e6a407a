// Times as the shop reads them: '10:41' today, 'Yesterday 16:20', else 'Thu 14 Nov'. Always the shop's time zone.
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { shop } from './shop.ts';

/** The words around a time, in the reader's language. */
export interface ClockWords {
  locale: string;
  yesterday(time: string): string;
  tomorrow(time: string): string;
  day(parts: { weekday: string; day: string; month: string }): string;
}

const DAY_MS = 86_400_000;

/** Short and relative, for a table cell. */
export function shortTime(at: number, now: number, timeZone: string, words: ClockWords): string {
  const time = timeOfDay(at, timeZone);
  const days = Math.round((startOfDay(at, timeZone) - startOfDay(now, timeZone)) / DAY_MS);
  if (days === 0) return time;
  if (days === -1) return words.yesterday(time);
  if (days === 1) return words.tomorrow(time);
  const parts = formatter(words.locale, timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)?.value.replace(/\.$/, '') ?? '';
  return words.day({ weekday: part('weekday'), day: part('day'), month: part('month') });
}

/** Whole, for a title: 'Thursday 14 November 2024 at 16:20'. */
export function fullTime(at: number, timeZone: string, locale: string): string {
  return formatter(locale, timeZone, { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' }).format(at);
}

/** 24 hours in every language, since the desk reads times in columns. */
function timeOfDay(at: number, timeZone: string): string {
  return formatter('en-GB', timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

function monthName(at: number, timeZone: string, locale: string): string {
  return formatter(locale, timeZone, { month: 'long' }).format(at);
}

/** Midnight of that day as if the shop's calendar were UTC's: only differences between days are meant. */
function startOfDay(at: number, timeZone: string): number {
  const parts = formatter('en-GB', timeZone, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'));
}

// Building a formatter costs a hundred times what using one does, and a table uses four a row.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, found);
  }
  return found;
}

const WAKE_MS = 20_000;

function onEveryWake(listener: () => void): () => void {
  const timer = setInterval(listener, WAKE_MS);
  return () => clearInterval(timer);
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
  const { t, i18n } = useTranslation();
  const now = useMinute();
  // British English orders a date the way LOOK has it: weekday, day, month.
  const locale = i18n.language === 'en' ? 'en-GB' : i18n.language;
  const words: ClockWords = {
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
