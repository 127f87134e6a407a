// Assigned hours compared with the day's hours. Overload is shown by words and a hatched end beyond a mark, not by
// colour alone.
import { TriangleAlert } from 'lucide-react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { hoursOver } from './filter-and-sort.ts';

interface TechnicianProps {
  technician: Workload;
}

export function Hours({ technician }: TechnicianProps) {
  const { t, language } = useTranslation();
  const { assignedHours, dailyHours, jobsWithoutHours } = technician;
  const over = hoursOver(technician);
  const hours = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 1 });
  const all = t('workload.hours', { assigned: hours(assignedHours), daily: hours(dailyHours) });
  const unknown = jobsWithoutHours > 0 ? t('workload.withoutHours', { count: jobsWithoutHours }) : null;
  return (
    <p className="text-12 text-quiet" title={unknown === null ? all : `${all}. ${unknown}`}>
      {over > 0 ? (
        <span className="font-medium text-stale">
          <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />
          {t('workload.over', { hours: hours(over), daily: hours(dailyHours) })}
        </span>
      ) : (
        all
      )}
      {unknown !== null && (
        <>
          <span aria-hidden> +{jobsWithoutHours}?</span>
          <span className="sr-only">. {unknown}</span>
        </>
      )}
    </p>
  );
}

export function HoursBar({ technician }: TechnicianProps) {
  const { assignedHours, dailyHours } = technician;
  const over = hoursOver(technician);
  /** A share of the bar's length. */
  const share = (value: number) => `${(100 * value) / Math.max(assignedHours, dailyHours)}%`;
  return (
    <div aria-hidden className="relative mt-0.5 h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className="absolute inset-y-0 left-0 bg-accent"
        style={{ width: share(Math.min(assignedHours, dailyHours)) }}
      />
      {over > 0 && (
        <div
          className="absolute inset-y-0 right-0 border-l-2 border-raised bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_4px)] text-stale"
          style={{ width: share(over) }}
        />
      )}
    </div>
  );
}
