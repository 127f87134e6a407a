// What is said of a promise, in one sentence of its figures. Pure.
import type { TFunction } from 'i18next';
import type { OrderPromise } from '../api/promises.ts';
import { numberFormat } from '../i18n/number-format.ts';

interface PromiseSentence {
  tone: 'quiet' | 'at-risk' | 'late';
  text: string;
}

interface Formats {
  t: TFunction;
  locale: string;
  /** A time of the day, or of another day. */
  time(at: number): string;
}

/** `risk` null: the server says nothing of it, or cannot be asked. */
export function promiseSentence(
  risk: OrderPromise | null,
  promised: number,
  formats: Formats,
): PromiseSentence {
  const { t, time } = formats;
  const words = { promised: time(promised) };
  if (risk === null) return { tone: 'quiet', text: t('portal.promise.promised', words) };
  switch (risk.state) {
    case 'on-time': {
      if (risk.beginBy === null) return { tone: 'quiet', text: t('portal.promise.promised', words) };
      const begin = time(Date.parse(risk.beginBy));
      return { tone: 'quiet', text: t('portal.promise.onTime', { ...words, begin }) };
    }
    case 'late':
      return { tone: 'late', text: lateText(risk, words.promised, formats) };
    case 'at-risk':
      return {
        tone: 'at-risk',
        text: t('portal.promise.atRisk', { why: whyText(risk, words.promised, formats) }),
      };
    case 'unknown':
      return {
        tone: 'quiet',
        text: t('portal.promise.unknown', { why: whyText(risk, words.promised, formats) }),
      };
  }
}

function lateText({ hoursLeft, finishedAt }: OrderPromise, promised: string, { t, locale }: Formats): string {
  if (finishedAt !== null || hoursLeft === 0) return t('portal.promise.late', { promised });
  return t('portal.promise.lateWithWork', { promised, hours: hoursText(hoursLeft, locale) });
}

/** The time that explains a reason; where it is not known, only the work that is left is named. */
const timeOfReason: Partial<Record<OrderPromise['reasons'][number], 'freeAt' | 'closesAt' | 'holdUntil'>> = {
  'does-not-fit': 'freeAt',
  'day-ends': 'closesAt',
  'hold-lasts': 'holdUntil',
};

function whyText(risk: OrderPromise, promised: string, { t, locale, time }: Formats): string {
  // What decided comes first; there is one wherever an answer has to be explained.
  const reason = risk.reasons[0] ?? 'tight';
  const words = { promised, hours: hoursText(risk.hoursLeft, locale) };
  if (reason === 'hours-unknown') {
    return t('portal.promise.why.hours-unknown', { ...words, count: risk.jobsWithoutHours });
  }
  const field = timeOfReason[reason];
  const at = field === undefined ? null : risk[field];
  if (field !== undefined && at === null) return t('portal.promise.workLeft', words);
  return t(`portal.promise.why.${reason}`, { ...words, at: at === null ? '' : time(Date.parse(at)) });
}

function hoursText(hours: number, locale: string): string {
  return numberFormat(locale, 1).format(hours);
}
