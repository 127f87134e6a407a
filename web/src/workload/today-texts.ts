// A technician's today and backlog in words. Where jobs have no hours, the words say that the number is a bound.
import type { useTranslation } from '../i18n/use-translation.ts';
import { sumHours } from '../repair-order/sold-hours.ts';
import { hoursOverToday, isUnknownToday, type Today } from '../repair-order/technician-load.ts';
import { type Backlog, backlogDays } from './today.ts';

type Translate = ReturnType<typeof useTranslation>['t'];

function oneDecimal(value: number, locale: string): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 1 });
}

/** '2.5 of 6 h', '7.1 of 6 h, 1.1 h over', '2 h, no hours left', 'no hours left', 'at least 2.5 of 6 h', 'hours not known'. */
export function todayText(today: Today, t: Translate, locale: string): string {
  const { dueTodayHours, dueTodayJobsWithoutHours, hoursLeftToday } = today;
  const isUnknown = isUnknownToday(today);
  if (hoursLeftToday === 0 && dueTodayHours === 0 && !isUnknown) return t('workload.today.noneLeft');
  const isDayOver = hoursLeftToday === 0;
  const text = isUnknown ? t('load.unknown') : hoursText(today, isDayOver, t, locale);
  const bound = !isUnknown && dueTodayJobsWithoutHours > 0 ? t('load.atLeast', { text }) : text;
  if (isDayOver) return t('workload.today.dayOver', { text: bound });
  const over = hoursOverToday(today);
  return over > 0 ? t('workload.today.over', { text: bound, hours: oneDecimal(over, locale) }) : bound;
}

/**
 * What a car would make of a technician's today or, where it is not promised for today, add to their backlog: 'then' would
 * be what it is now. `isToday`: the text is of today.
 */
export function projectionText(
  before: Today & Backlog,
  after: Today & Backlog,
  t: Translate,
  locale: string,
): { text: string; isToday: boolean } {
  const hours = sumHours([after.assignedHours, -before.assignedHours]);
  const addsJobs = after.jobsWithoutHours > before.jobsWithoutHours;
  const isToday =
    after.dueTodayHours !== before.dueTodayHours ||
    after.dueTodayJobsWithoutHours !== before.dueTodayJobsWithoutHours ||
    (hours === 0 && !addsJobs);
  if (isToday) return { text: todayText(after, t, locale), isToday };
  if (hours === 0) return { text: t('workload.today.addsUnknown'), isToday };
  const adds = t('workload.today.addsBacklog', { hours: oneDecimal(hours, locale) });
  return { text: addsJobs ? t('load.atLeast', { text: adds }) : adds, isToday };
}

function hoursText(
  { dueTodayHours, hoursLeftToday }: Today,
  isDayOver: boolean,
  t: Translate,
  locale: string,
): string {
  const due = oneDecimal(dueTodayHours, locale);
  if (isDayOver) return t('workload.today.hours', { hours: due });
  return t('load.hours', { assigned: due, daily: oneDecimal(hoursLeftToday, locale) });
}

/** 'backlog 1.3 days', 'backlog at least 1.3 days', 'backlog not known', 'no backlog'. */
export function backlogText(backlog: Backlog, t: Translate, locale: string): string {
  const { assignedHours, jobsWithoutHours } = backlog;
  if (assignedHours === 0)
    return t(jobsWithoutHours > 0 ? 'workload.backlog.unknown' : 'workload.backlog.none');
  const count = Math.round(10 * backlogDays(backlog)) / 10;
  const days = t('workload.backlog.days', { count, days: oneDecimal(count, locale) });
  const text = jobsWithoutHours > 0 ? t('workload.backlog.atLeast', { text: days }) : days;
  return t('workload.backlog.of', { text });
}
