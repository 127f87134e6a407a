// The figures of a promise in one sentence. No number stands in it that the server did not send.
import type { OrderPromise } from '../api/promises.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from './due-label.tsx';

type Translate = ReturnType<typeof useTranslation>['t'];

interface Words {
  t: Translate;
  locale: string;
  /** A time for the screen: '14:30'. */
  short(at: number): string;
}

const MINUTE_MS = 60_000;

/** '2.1 h left, Tyler is free at 14:30, promised 15:00'; why it is at risk or unknown comes last. */
export function promiseText(promise: OrderPromise, { t, locale, short }: Words): string {
  const time = (text: string) => short(Date.parse(text));
  const promised = t('stages.promise.promised', { time: time(promise.promisedDateTime) });
  if (promise.finishedAt !== null)
    return [t('stages.promise.finished', { time: time(promise.finishedAt) }), promised].join(', ');
  const parts = [
    t('stages.promise.left', {
      hours: promise.hoursLeft.toLocaleString(locale, { maximumFractionDigits: 1 }),
    }),
    ...(promise.holdUntil === null ? [] : [t('stages.promise.holdUntil', { time: time(promise.holdUntil) })]),
    ...(promise.technicianName === null || promise.freeAt === null
      ? []
      : [t('stages.promise.free', { name: promise.technicianName, time: time(promise.freeAt) })]),
    promised,
    ...promise.reasons.map((reason) => t(`stages.promise.reason.${reason}`)),
    ...(promise.lateMs === null
      ? []
      : [t('stages.promise.lateBy', { span: spanText(Math.floor(promise.lateMs / MINUTE_MS), t) })]),
  ];
  return parts.join(', ');
}
