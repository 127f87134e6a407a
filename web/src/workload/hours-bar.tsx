// Assigned hours compared with the day's hours. Overload is shown by words and a hatched end beyond a mark, not by
// colour alone; hours that are not known are no number.
import { TriangleAlert } from 'lucide-react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { hoursOver, isUnknown, loadText } from '../repair-order/technician-load.ts';
import { LoadBar } from '../ui/load-bar.tsx';

interface TechnicianProps {
  technician: Workload;
}

export function Hours({ technician }: TechnicianProps) {
  const { t, locale } = useTranslation();
  const { jobsWithoutHours } = technician;
  const text = loadText(technician, t, locale);
  const uncounted = jobsWithoutHours > 0 ? t('load.withoutHours', { count: jobsWithoutHours }) : null;
  return (
    <p className="text-12 text-quiet" title={uncounted === null ? text : `${text}. ${uncounted}`}>
      {hoursOver(technician) > 0 ? (
        <span className="font-medium text-stale">
          <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />
          {text}
        </span>
      ) : (
        <span className="inline-block first-letter:uppercase">{text}</span>
      )}
      {uncounted !== null && <span className="sr-only">. {uncounted}</span>}
    </p>
  );
}

export function HoursBar({ technician }: TechnicianProps) {
  const { assignedHours, dailyHours } = technician;
  return (
    <div className="mt-0.5">
      <LoadBar hours={isUnknown(technician) ? null : assignedHours} capacity={dailyHours} />
    </div>
  );
}
