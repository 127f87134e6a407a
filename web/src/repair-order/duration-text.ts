// Durations in words, the same on every screen. A part that is zero is left out.
import type { useTranslation } from '../i18n/use-translation.ts';

type Translate = ReturnType<typeof useTranslation>['t'];

const DAY_MINUTES = 1_440;

/** '25 min', '1 h 5 min', '2 h'; from a day on without minutes: '1 d 4 h', '3 d'. */
export function spanText(minutes: number, t: Translate): string {
  if (minutes < DAY_MINUTES) return hoursAndMinutes(minutes, t);
  const days = Math.floor(minutes / DAY_MINUTES);
  const hours = Math.floor((minutes % DAY_MINUTES) / 60);
  return hours === 0 ? t('table.wholeDays', { days }) : t('table.days', { days, hours });
}

/** The same without days, as hours of work are told: '25 min', '1 h 5 min', '41 h'. */
export function hoursAndMinutes(allMinutes: number, t: Translate): string {
  const hours = Math.floor(allMinutes / 60);
  const minutes = allMinutes % 60;
  if (hours === 0) return t('table.minutes', { minutes });
  return minutes === 0 ? t('table.wholeHours', { hours }) : t('table.hours', { hours, minutes });
}
