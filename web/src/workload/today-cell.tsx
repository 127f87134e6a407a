// What is promised for today against the hours left, and the backlog: in words, and drawn on the scale of all rows.
import { TriangleAlert } from 'lucide-react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { sumHours } from '../repair-order/sold-hours.ts';
import { LoadBar } from '../ui/load-bar.tsx';
import { isOverToday, isUnknownToday } from './today.ts';
import { backlogText, todayText } from './today-texts.ts';

interface TodayCellProps {
  technician: Workload;
  /** The same with the car that is held over the row. */
  withCar: Workload | null;
  /** Hours. */
  scale: number;
}

export function TodayCell({ technician, withCar, scale }: TodayCellProps) {
  const { t, locale } = useTranslation();
  const now = withCar ?? technician;
  const { jobsWithoutHours } = now;
  const text = todayText(now, t, locale);
  const uncounted = jobsWithoutHours > 0 ? t('load.withoutHours', { count: jobsWithoutHours }) : null;
  const words = withCar === null ? text : t('workload.today.withCar', { text });
  const isUnknown = isUnknownToday(technician) || isUnknownToday(now);
  return (
    <div className="min-w-0 text-12 text-quiet" title={uncounted ?? undefined}>
      <p className={`text-13 ${withCar === null ? '' : 'font-medium'}`}>
        <span className="lg:sr-only">{t('workload.today.label')} </span>
        <span className={isOverToday(now) ? 'font-medium text-stale' : 'text-ink'}>
          {isOverToday(now) && <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />}
          {words}
        </span>
      </p>
      <div className="my-1">
        <LoadBar
          hours={isUnknown ? null : technician.dueTodayHours}
          added={withCar === null ? 0 : sumHours([withCar.dueTodayHours, -technician.dueTodayHours])}
          capacity={technician.hoursLeftToday}
          scale={scale}
        />
      </div>
      <p className="first-letter:uppercase">{backlogText(now, t, locale)}</p>
      {uncounted !== null && <span className="sr-only">. {uncounted}</span>}
    </div>
  );
}
