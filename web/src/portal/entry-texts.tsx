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

interface EntryTimes {
  /** 'Tue 3 Mar, 08:05 – 11:40' */
  times(entry: Times): string;
  /** '08:05 – 11:40', below the day. */
  timesOfDay(entry: Times): string;
}

interface Times {
  startedAt: string;
  endedAt: string | null;
}

export function useEntryTimes(): EntryTimes {
  const { t } = useTranslation();
  const { day, time } = useClock();
  const timesOfDay = ({ startedAt, endedAt }: Times) => {
    const start = Date.parse(startedAt);
    if (endedAt === null) return `${time(start)} – ${t('clock.entries.running')}`;
    const end = Date.parse(endedAt);
    const isSameDay = wallDay(start) === wallDay(end);
    return `${time(start)} – ${isSameDay ? '' : `${day(end)}, `}${time(end)}`;
  };
  return {
    timesOfDay,
    times: (entry) => `${day(Date.parse(entry.startedAt))}, ${timesOfDay(entry)}`,
  };
}
