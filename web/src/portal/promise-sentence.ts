// What is said to whoever has the car next, in one sentence of its figures. Pure.
import type { OrderPromise } from '../api/promises.ts';
import { hoursText, isTooLate, type PromiseWords } from '../repair-order/promise-text.ts';

type Reason = OrderPromise['reasons'][number];

interface PromiseSentence {
  tone: 'quiet' | 'at-risk' | 'late';
  text: string;
}

/**
 * For whoever has the car next: when to begin, or what decided that it is late or at risk. `risk` null: the server says
 * nothing of it, or cannot be asked.
 */
export function promiseSentence(
  risk: OrderPromise | null,
  promisedAt: number,
  words: PromiseWords,
): PromiseSentence {
  const { t, short } = words;
  const promised = short(promisedAt);
  switch (risk?.state) {
    case 'late':
      return { tone: 'late', text: lateText(risk, promised, words) };
    case 'at-risk':
      if (isTooLate(risk)) {
        const figures = { promised, hours: hoursText(risk, words.locale) };
        return { tone: 'at-risk', text: t('portal.promise.tooLate', figures) };
      }
      return {
        tone: 'at-risk',
        text: t('portal.promise.atRisk', { why: whyText(risk, promised, words) }),
      };
    case 'unknown':
      return { tone: 'quiet', text: t('portal.promise.unknown', { why: whyText(risk, promised, words) }) };
    default: {
      const beginBy = risk?.beginBy ?? null;
      if (beginBy === null) return { tone: 'quiet', text: t('portal.promise.promised', { promised }) };
      const begin = short(Date.parse(beginBy));
      return { tone: 'quiet', text: t('portal.promise.onTime', { promised, begin }) };
    }
  }
}

function lateText(risk: OrderPromise, promised: string, { t, locale }: PromiseWords): string {
  if (risk.finishedAt !== null || risk.hoursLeft === 0) return t('portal.promise.late', { promised });
  return t('portal.promise.lateWithWork', { promised, hours: hoursText(risk, locale) });
}

/**
 * The time that explains a reason; where it is not known, only the work that is left is named. A day that ends has none: it
 * is the technician's or the shop's, whichever is sooner.
 */
const timeOfReason: Partial<Record<Reason, 'freeAt' | 'holdUntil'>> = {
  'does-not-fit': 'freeAt',
  'hold-lasts': 'holdUntil',
};

function whyText(risk: OrderPromise, promised: string, { t, locale, short }: PromiseWords): string {
  // What decided comes first; there is one wherever an answer has to be explained.
  const reason = risk.reasons[0] ?? 'tight';
  const words = { promised, hours: hoursText(risk, locale) };
  if (reason === 'hours-unknown') {
    return t('portal.promise.why.hours-unknown', { ...words, count: risk.jobsWithoutHours });
  }
  const field = timeOfReason[reason];
  const at = field === undefined ? null : risk[field];
  if (field !== undefined && at === null) return t('portal.promise.workLeft', words);
  return t(`portal.promise.why.${reason}`, { ...words, at: at === null ? '' : short(Date.parse(at)) });
}
