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

/** 'Parts, until 14:30', 'Parts, due since 14:30' */
export function holdText(hold: Hold, t: Translate, { now, short }: Times): string {
  const reason = t(`stages.reason.${hold.reason}`);
  const named =
    hold.jobNumber == null ? reason : `${reason} (${t('stages.hold.job', { job: hold.jobNumber })})`;
  if (hold.expectedUntil == null) return named;
  const words = { reason: named, time: short(Date.parse(hold.expectedUntil)) };
  return t(isHoldDue(hold, now) ? 'stages.cell.wasUntil' : 'stages.cell.until', words);
}

/** In a row, which has little room: of one that is due, who must act; 'Due: Parts counter'. */
export function holdNote(hold: Hold, t: Translate, times: Times): string {
  if (!isHoldDue(hold, times.now)) return holdText(hold, t, times);
  return t('stages.cell.due', { actor: t(`stages.actor.${hold.whoActs}`) });
}

/** The one to look at first: one that is due, else the oldest. */
export function firstHold(holds: readonly Hold[], now: number): Hold | undefined {
  return holds.find((hold) => isHoldDue(hold, now)) ?? holds[0];
}
