// The days of the screen in its address, the query of their totals, and how hours are written.
import { queryOptions } from '@tanstack/react-query';
import { fetchTimeInStages, type TimeInStages } from '../api/stages.ts';
import { daysAfter, mondayOf } from '../shop/wall-time.ts';

/** Days of the shop's calendar, 'YYYY-MM-DD', both included. */
export interface Span {
  from: string;
  to: string;
}

export type StageTime = TimeInStages['stages'][number];
export type GroupTime = Pick<TimeInStages['advisors'][number], 'name' | 'totalMs' | 'cars' | 'stages'>;

/** Of stages that are known. The rest is often so much that nothing else would be seen beside it: it is on no scale. */
export const knownMs = (times: readonly { stage: string | null; totalMs: number }[]): number =>
  times.reduce((sum, { stage, totalMs }) => (stage === null ? sum : sum + totalMs), 0);

/** As many as the server adds up at once. */
const MAX_DAYS = 100;
const HOUR_MS = 3_600_000;

export const spans = {
  thisWeek: (today: string): Span => ({ from: mondayOf(today), to: today }),
  lastWeek: (today: string): Span => ({ from: mondayOf(today, 1), to: daysAfter(mondayOf(today), -1) }),
  fourWeeks: (today: string): Span => ({ from: daysAfter(today, -27), to: today }),
} as const;
export type SpanName = keyof typeof spans;
export const spanNames: readonly SpanName[] = ['thisWeek', 'lastWeek', 'fourWeeks'];

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Without days, or with some that are none, this week. */
export function readSpan(params: URLSearchParams, today: string): Span {
  const [from, to] = [params.get('from'), params.get('to')];
  const isSpan = isDay(from) && isDay(to) && from <= to && to < daysAfter(from, MAX_DAYS);
  return isSpan ? { from, to } : spans.thisWeek(today);
}

/** The other end follows where the span would be none, or too long. */
export function withFrom({ to }: Span, from: string): Span {
  const last = daysAfter(from, MAX_DAYS - 1);
  return { from, to: to < from ? from : to > last ? last : to };
}

export function withTo({ from }: Span, to: string): Span {
  const first = daysAfter(to, 1 - MAX_DAYS);
  return { from: from > to ? to : from < first ? first : from, to };
}

export function timeInStages(span: Span) {
  return queryOptions({
    queryKey: ['time-in-stages', span],
    queryFn: ({ signal }) => fetchTimeInStages(span, signal),
    // A new visit counts up to its own present.
    gcTime: 0,
  });
}

const formatters = new Map<string, Intl.NumberFormat>();

/** '12.5', so that they line up; '<0.1' where it is not nothing. */
export function hoursText(ms: number, locale: string): string {
  let formatter = formatters.get(locale);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    formatters.set(locale, formatter);
  }
  const hours = ms / HOUR_MS;
  return hours > 0 && hours < 0.05 ? `<${formatter.format(0.1)}` : formatter.format(hours);
}

/** Who has the most hours first, nobody last. */
export function byHours<T extends Pick<GroupTime, 'name' | 'totalMs'>>(groups: readonly T[]): T[] {
  const isNobody = ({ name }: T) => Number(name === null);
  return groups.toSorted((a, b) => isNobody(a) - isNobody(b) || b.totalMs - a.totalMs);
}

/** Where they waited the longest; undefined where they did not. */
export function longest({ stages }: Pick<GroupTime, 'stages'>) {
  return stages.toSorted((a, b) => b.totalMs - a.totalMs)[0];
}
