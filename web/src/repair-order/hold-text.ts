// What is said of a hold in a line: the reason, and until when it is expected to last.
import type { Hold } from '../api/stages.ts';
import type { useTranslation } from '../i18n/use-translation.ts';

type Translate = ReturnType<typeof useTranslation>['t'];

/** Its expected end is over: it comes back to the desk. */
export function isHoldDue({ expectedUntil }: Pick<Hold, 'expectedUntil'>, now: number): boolean {
  return expectedUntil != null && Date.parse(expectedUntil) <= now;
}

interface Times {
  /** The start of the present minute. */
  now: number;
  short(at: number): string;
}

/** 'Parts (Job 2)' */
function namedReason({ reason, jobNumber }: Hold, t: Translate): string {
  const name = t(`stages.reason.${reason}`);
  return jobNumber == null ? name : `${name} (${t('stages.hold.job', { job: jobNumber })})`;
}

/** 'Parts, until 14:30', 'Parts, due since 14:30' */
export function holdText(hold: Hold, t: Translate, { now, short }: Times): string {
  const named = namedReason(hold, t);
  if (hold.expectedUntil == null) return named;
  const words = { reason: named, time: short(Date.parse(hold.expectedUntil)) };
  return t(isHoldDue(hold, now) ? 'stages.cell.wasUntil' : 'stages.cell.until', words);
}

/**
 * In a row, which has little room: what the stage above it does not say comes first, until when it waits; 'until 14:30 ·
 * Parts'. Of one that is due, who must act; 'Due: Parts counter'.
 */
export function holdNote(hold: Hold, t: Translate, times: Times): string {
  if (isHoldDue(hold, times.now)) return t('stages.cell.due', { actor: t(`stages.actor.${hold.whoActs}`) });
  if (hold.expectedUntil == null) return holdText(hold, t, times);
  return t('stages.cell.untilFirst', {
    reason: namedReason(hold, t),
    time: times.short(Date.parse(hold.expectedUntil)),
  });
}

/** The one to look at first: one that is due, else the oldest. */
export function firstHold(holds: readonly Hold[], now: number): Hold | undefined {
  return holds.find((hold) => isHoldDue(hold, now)) ?? holds[0];
}
