// The figures of a promise in one sentence. No number stands in it that the server did not send. The portal has a sentence
// of its own for the technician, in the portal's texts.
import type { OrderPromise, PromiseHistory } from '../api/promises.ts';
import { numberFormat } from '../i18n/number-format.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from './duration-text.ts';

type Translate = ReturnType<typeof useTranslation>['t'];

export interface PromiseWords {
  t: Translate;
  locale: string;
  /** A time of the day, or of another day: '14:30'. */
  short(at: number): string;
}

const MINUTE_MS = 60_000;

/**
 * At risk, and its own work alone takes longer than the shop works until the promise, whatever stands before it: nothing
 * can be put off any more to keep it.
 */
export function isTooLate({ state, reasons, beginBy, hoursLeft }: OrderPromise): boolean {
  const [decided] = reasons;
  const doesNotFit = decided === 'does-not-fit' || decided === 'day-ends';
  return state === 'at-risk' && doesNotFit && beginBy === null && hoursLeft > 0;
}

/**
 * '2.1 h left, Tyler is free from 14:30, promised 15:00', or first that it cannot be ready; why it is at risk or unknown
 * comes last.
 */
export function promiseText(promise: OrderPromise, { t, locale, short }: PromiseWords): string {
  const time = (text: string) => short(Date.parse(text));
  const promised = t('stages.promise.promised', { time: time(promise.promisedDateTime) });
  if (promise.finishedAt !== null)
    return [t('stages.promise.finished', { time: time(promise.finishedAt) }), promised].join(', ');
  const tooLate = isTooLate(promise);
  const figures = { hours: hoursText(promise, locale), time: time(promise.promisedDateTime) };
  const parts = [
    t(tooLate ? 'stages.promise.tooLate' : 'stages.promise.left', figures),
    ...(promise.holdUntil === null ? [] : [t('stages.promise.holdUntil', { time: time(promise.holdUntil) })]),
    ...(promise.technicianName === null || promise.freeAt === null
      ? []
      : [t('stages.promise.free', { name: promise.technicianName, time: time(promise.freeAt) })]),
    ...(tooLate ? [] : [promised]),
    ...promise.reasons
      // That it does not fit was said first.
      .filter((reason) => !(tooLate && reason === 'does-not-fit'))
      .map((reason) => t(`stages.promise.reason.${reason}`)),
    ...(promise.lateMs === null
      ? []
      : [t('stages.promise.lateBy', { span: spanText(Math.floor(promise.lateMs / MINUTE_MS), t) })]),
  ];
  return parts.join(', ');
}

/** 'Moved twice, 2 h 30 min later than first said (12:30)'. Null: the promise was never moved. */
export function movesText(
  { firstPromised, laterMs, moves }: PromiseHistory,
  { t, short }: Pick<PromiseWords, 't' | 'short'>,
): string | null {
  if (moves.length === 0 || firstPromised === null || laterMs === null) return null;
  const moved =
    moves.length === 2 ? t('stages.promise.movedTwice') : t('stages.promise.moved', { count: moves.length });
  const words = {
    moved,
    first: short(Date.parse(firstPromised)),
    span: spanText(Math.round(Math.abs(laterMs) / MINUTE_MS), t),
  };
  if (laterMs === 0) return t('stages.promise.asFirst', words);
  return t(laterMs > 0 ? 'stages.promise.later' : 'stages.promise.earlier', words);
}

export function hoursText({ hoursLeft }: OrderPromise, locale: string): string {
  return numberFormat(locale, 1).format(hoursLeft);
}
