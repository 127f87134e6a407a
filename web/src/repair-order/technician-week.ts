// What a technician was given this week, in words: their hours beside those of the team, and of which kinds of work.
import type { CandidateReason } from '../api/candidates.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { hoursText } from './technician-load.ts';

type Translate = ReturnType<typeof useTranslation>['t'];
export type Week = Extract<CandidateReason, { kind: 'week' }>;
type Amount = Pick<Week, 'hours' | 'jobs' | 'jobsWithoutHours'>;

/** Null: the ranking does not have it. */
export function weekOf(reasons: readonly CandidateReason[]): Week | null {
  return reasons.find((reason) => reason.kind === 'week') ?? null;
}

/** '6.5 h this week, the team 9.2 h on average' */
export function weekText(week: Week, t: Translate, locale: string): string {
  const own = ownText(week, t, locale);
  const team = teamText(week, t, locale);
  return team === null ? own : t('candidate.week.beside', { own, team });
}

/** Above a list, whose lines compare with it: 'Team this week: 9.2 h on average'. Null: there is no team. */
export function teamWeekText(week: Week, t: Translate, locale: string): string | null {
  const team = teamText(week, t, locale);
  return team === null ? null : t('candidate.week.team', { team });
}

/** Null: nobody to compare with came on the clock. One is no team. */
function teamText({ team, teamHours, teamJobsWithoutHours }: Week, t: Translate, locale: string) {
  if (team < 2 || teamHours === null) return null;
  const text = t('candidate.week.amount', { hours: hoursText(teamHours, locale) });
  return teamJobsWithoutHours > 0 ? t('load.atLeast', { text }) : text;
}

/** '6.5 h this week' */
export function ownText(week: Amount, t: Translate, locale: string): string {
  const { hours, jobs, jobsWithoutHours } = week;
  if (jobs === 0) return t('candidate.week.none');
  if (jobs === jobsWithoutHours) return t('candidate.week.jobs', { count: jobs });
  const text = t('candidate.week.hours', { hours: hoursText(hours, locale) });
  return jobsWithoutHours > 0 ? t('load.atLeast', { text }) : text;
}

/** 'waiters 1.5 h', 'diagnosis 2 jobs': of kinds of which there was some. */
export function kindTexts({ kinds }: Week, t: Translate, locale: string): string[] {
  return kinds.map(({ kind, ...amount }) =>
    t(`candidate.week.kind.${kind}`, { amount: kindAmountText(amount, t, locale) }),
  );
}

/** Short, beside a sum that is a bound, too: '1.5 h', '1.5+ h', '2 jobs'. */
function kindAmountText({ hours, jobs, jobsWithoutHours }: Amount, t: Translate, locale: string): string {
  if (jobs === jobsWithoutHours) return t('candidate.week.amountJobs', { count: jobs });
  const isBound = jobsWithoutHours > 0;
  return t(isBound ? 'candidate.week.amountOrMore' : 'candidate.week.amount', {
    hours: hoursText(hours, locale),
  });
}

/** Where what they were given is why they come first; null otherwise. */
export function decidedText(reasons: readonly CandidateReason[], t: Translate): string | null {
  const decided = reasons.some((reason) => reason.kind === 'week' && reason.decided);
  return decided ? t('candidate.week.decided') : null;
}
