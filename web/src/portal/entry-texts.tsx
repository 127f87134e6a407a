// How a clock entry is written: its times and its job.
import type { ClockEntry } from '../api/clock.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { wallDay } from '../shop/wall-time.ts';

export function JobOf({ entry }: { entry: Pick<ClockEntry, 'roNumber' | 'jobNumber' | 'displayNumber'> }) {
  const { t } = useTranslation();
  const { roNumber, jobNumber, displayNumber } = entry;
  return roNumber === null || jobNumber === null
    ? t('clock.entries.noJob')
    : t('clock.entries.job', { number: displayNumber ?? roNumber, job: jobNumber });
}

/** 'Tue 3 Mar, 08:05 – 11:40' */
export function useTimes(): (entry: { startedAt: string; endedAt: string | null }) => string {
  const { t } = useTranslation();
  const { day, time } = useClock();
  return ({ startedAt, endedAt }) => {
    const start = Date.parse(startedAt);
    if (endedAt === null) return `${day(start)}, ${time(start)} – ${t('clock.entries.running')}`;
    const end = Date.parse(endedAt);
    const isSameDay = wallDay(start) === wallDay(end);
    return `${day(start)}, ${time(start)} – ${isSameDay ? '' : `${day(end)}, `}${time(end)}`;
  };
}
