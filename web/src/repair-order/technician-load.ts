// A technician's hours in hand against the hours of their day, in numbers and in words. Jobs without hours make a
// number a bound or nothing at all, and the words say so.
import type { Candidate, CandidateReason } from '../api/candidates.ts';
import type { Workload } from '../api/technicians.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { sumHours, toTenth, type Work } from './sold-hours.ts';

export type Load = Pick<Workload, 'assignedHours' | 'dailyHours' | 'jobsWithoutHours'>;

type Translate = ReturnType<typeof useTranslation>['t'];

/** Null: the ranking does not have it. */
export function loadOf(candidate: Candidate | undefined): Extract<CandidateReason, { kind: 'load' }> | null {
  return candidate?.reasons.find((reason) => reason.kind === 'load') ?? null;
}

export function withWork(load: Load, { hours, jobsWithoutHours }: Work): Load {
  return {
    dailyHours: load.dailyHours,
    assignedHours: sumHours([load.assignedHours, hours]),
    jobsWithoutHours: load.jobsWithoutHours + jobsWithoutHours,
  };
}

/** The hours beyond the technician's day, as both are shown; 0 when it is not full. */
export function hoursOver({ assignedHours, dailyHours }: Load): number {
  return Math.max(0, sumHours([toTenth(assignedHours), -toTenth(dailyHours)]));
}

/** There is work, and no hours of any of it. */
export function isUnknown({ assignedHours, jobsWithoutHours }: Load): boolean {
  return assignedHours === 0 && jobsWithoutHours > 0;
}

/** To the tenth. */
export function hoursText(hours: number, locale: string): string {
  return hours.toLocaleString(locale, { maximumFractionDigits: 1 });
}

/** '2.5 of 8 h', '1.2 h over (8 h day)', 'at least 2.5 of 8 h', 'hours not known'. */
export function loadText(load: Load | null, t: Translate, locale: string): string {
  if (load === null || isUnknown(load)) return t('load.unknown');
  const { assignedHours, dailyHours, jobsWithoutHours } = load;
  const over = hoursOver(load);
  const daily = hoursText(dailyHours, locale);
  const text =
    over > 0
      ? t('load.over', { hours: hoursText(over, locale), daily })
      : t('load.hours', { assigned: hoursText(assignedHours, locale), daily });
  return jobsWithoutHours > 0 ? t('load.atLeast', { text }) : text;
}

/** '2.1 of 8 h free', '1.2 h over (8 h day)', 'at most 2.1 of 8 h free', 'hours not known'. */
export function freeText(load: Load | null, t: Translate, locale: string): string {
  if (load === null || isUnknown(load) || hoursOver(load) > 0) return loadText(load, t, locale);
  const { assignedHours, dailyHours, jobsWithoutHours } = load;
  const text = t('load.free', {
    hours: hoursText(sumHours([toTenth(dailyHours), -toTenth(assignedHours)]), locale),
    daily: hoursText(dailyHours, locale),
  });
  return jobsWithoutHours > 0 ? t('load.atMost', { text }) : text;
}
