// What is promised for today against the hours left, and the backlog: in words, and drawn on the scale of all rows.
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { sumHours } from '../repair-order/sold-hours.ts';
import { isOverToday, isUnknownToday } from '../repair-order/technician-load.ts';
import { LoadBar } from '../ui/load-bar.tsx';
import { backlogText, projectionText, todayText } from './today-texts.ts';

interface TodayCellProps {
  technician: Workload;
  /** The same with the car that is held over the row. */
  withCar: Workload | null;
  /** Hours. */
  scale: number;
}

export function TodayCell({ technician, withCar, scale }: TodayCellProps) {
  const { t, locale } = useTranslation();
  const text = todayText(technician, t, locale);
  const after = withCar === null ? null : projectionText(technician, withCar, t, locale);
  const { jobsWithoutHours } = withCar ?? technician;
  const uncounted = jobsWithoutHours > 0 ? t('load.withoutHours', { count: jobsWithoutHours }) : null;
  return (
    <div className="relative min-w-0 text-12 text-quiet" title={uncounted ?? undefined}>
      {/* It keeps its room, so that no row moves under a car that is held. */}
      <div className={after === null ? '' : 'invisible'}>
        <TodayLines before={technician} now={technician} scale={scale}>
          {text}
        </TodayLines>
      </div>
      {withCar !== null && after !== null && (
        <div className="absolute inset-x-0 bottom-0 z-10">
          <TodayLines before={technician} now={withCar} scale={scale}>
            <span className="sr-only">{t('workload.today.withCar', { text: after.text })}</span>
            <span aria-hidden>{after.text}</span>
          </TodayLines>
        </div>
      )}
      {uncounted !== null && <span className="sr-only">. {uncounted}</span>}
    </div>
  );
}

interface TodayLinesProps {
  before: Workload;
  /** The same as `before`, or with the car that is held over the row: then the hours have one line, whatever the column. */
  now: Workload;
  scale: number;
  /** The hours. */
  children: ReactNode;
}

function TodayLines({ before, now, scale, children }: TodayLinesProps) {
  const { t, locale } = useTranslation();
  const isHeld = now !== before;
  const isUnknown = isUnknownToday(before) || isUnknownToday(now);
  return (
    <>
      <p
        className={`text-13 ${isHeld ? 'w-max min-w-full rounded-sm bg-raised pr-1.5 font-medium whitespace-nowrap' : ''}`}
      >
        <span className="lg:sr-only">{t('workload.today.label')} </span>
        <span className={isOverToday(now) ? 'font-medium text-stale' : 'text-ink'}>
          {isOverToday(now) && <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />}
          {children}
        </span>
      </p>
      <div className="my-1">
        <LoadBar
          hours={isUnknown ? null : before.dueTodayHours}
          added={sumHours([now.dueTodayHours, -before.dueTodayHours])}
          capacity={before.hoursLeftToday}
          scale={scale}
        />
      </div>
      <p className="first-letter:uppercase">{backlogText(now, t, locale)}</p>
    </>
  );
}
