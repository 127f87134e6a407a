// A technician's work that is promised for today against the hours that are left of their day, in numbers and in words,
// the same on every screen. Nobody is over because of what is promised for later. Jobs without hours make a number a
// bound or nothing at all, and the words say so.
import type { Candidate, CandidateReason } from '../api/candidates.ts';
import type { Workload } from '../api/technicians.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { wallDay } from '../shop/wall-time.ts';
import type { RepairOrder } from './order.ts';
import { noWork, sumHours, sumOfWork, toTenth, type Work, workOf } from './sold-hours.ts';

export type Today = Pick<Workload, 'dueTodayHours' | 'dueTodayJobsWithoutHours' | 'hoursLeftToday'>;

/** Work that somebody would get, and what of it is promised for today. */
export interface AddedWork {
  all: Work;
  dueToday: Work;
}

export const nothingAdded: AddedWork = { all: noWork, dueToday: noWork };

type Translate = ReturnType<typeof useTranslation>['t'];

/** Null: the ranking does not have it. */
export function loadOf(candidate: Candidate | undefined): Extract<CandidateReason, { kind: 'load' }> | null {
  return candidate?.reasons.find((reason) => reason.kind === 'load') ?? null;
}

export function workOfOrder(order: Pick<RepairOrder, 'jobs' | 'promised'>, now: number): AddedWork {
  const all = workOf(order.jobs);
  return { all, dueToday: isPromisedForToday(order, now) ? all : noWork };
}

/** Late ones are, too. */
export function isPromisedForToday({ promised }: Pick<RepairOrder, 'promised'>, now: number): boolean {
  return promised !== null && wallDay(promised) <= wallDay(now);
}

export function sumOfAdded(works: readonly AddedWork[]): AddedWork {
  return {
    all: sumOfWork(works.map(({ all }) => all)),
    dueToday: sumOfWork(works.map(({ dueToday }) => dueToday)),
  };
}

export function withWork(today: Today, { dueToday }: AddedWork): Today {
  return {
    dueTodayHours: sumHours([today.dueTodayHours, dueToday.hours]),
    dueTodayJobsWithoutHours: today.dueTodayJobsWithoutHours + dueToday.jobsWithoutHours,
    hoursLeftToday: today.hoursLeftToday,
  };
}

/** There is work for today, and no hours of any of it. */
export function isUnknownToday({ dueTodayHours, dueTodayJobsWithoutHours }: Today): boolean {
  return dueTodayHours === 0 && dueTodayJobsWithoutHours > 0;
}

/** Hours promised for today beyond those that are left, as both are shown; 0 when they suffice. */
export function hoursOverToday({ dueTodayHours, hoursLeftToday }: Today): number {
  return Math.max(0, sumHours([toTenth(dueTodayHours), -toTenth(hoursLeftToday)]));
}

/** Once the day is over, any work that is still promised for it is too much. */
export function isOverToday(today: Today): boolean {
  return hoursOverToday(today) > 0 || (today.hoursLeftToday === 0 && isUnknownToday(today));
}

/** To the tenth. */
export function hoursText(hours: number, locale: string): string {
  return hours.toLocaleString(locale, { maximumFractionDigits: 1 });
}

/** '2.5 of 6 h promised today', '1.2 h over today (6 h left)', 'at least …', 'no hours left today', 'hours not known'. */
export function loadText(today: Today | null, t: Translate, locale: string): string {
  if (today === null || isUnknownToday(today)) return t('load.unknown');
  const { dueTodayHours, dueTodayJobsWithoutHours, hoursLeftToday } = today;
  if (hoursLeftToday === 0 && dueTodayHours === 0) return t('load.noneLeft');
  const over = hoursOverToday(today);
  const left = hoursText(hoursLeftToday, locale);
  const text =
    over > 0
      ? t('load.over', { hours: hoursText(over, locale), left })
      : t('load.today', { due: hoursText(dueTodayHours, locale), left });
  return dueTodayJobsWithoutHours > 0 ? t('load.atLeast', { text }) : text;
}
