// The cards Hours and Performance, from the technician's clocks. A dash where nothing is counted.
import type { ReactNode } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { advanceClock } from './clock-state.ts';
import { useDurationText, useServerTime } from './durations.ts';

const MINUTE_MS = 60_000;

interface FiguresProps {
  /** Null until it is loaded. */
  clock: TechnicianClock | null;
  /** The number of open orders; null until they are loaded. */
  active: number | null;
}

export function PerformanceCards({ clock, active }: FiguresProps) {
  const { t, locale } = useTranslation();
  const now = useServerTime(MINUTE_MS);
  const span = useDurationText();
  const counted = clock === null ? null : advanceClock(clock, now);
  const worked = (of: TechnicianClock['today'] | undefined) => {
    if (of === undefined || (of.attendedMs < MINUTE_MS && of.soldHours === 0)) return { figure: null };
    const [onJobs, attended] = [span(of.jobsMs), span(of.attendedMs)];
    const details = [
      ...(of.soldHours === 0 ? [] : [t('clock.soldHours', { hours: exact.format(of.soldHours) })]),
      // The same time twice says no more than once.
      ...(attended === onJobs ? [] : [t('clock.attended', { span: attended })]),
    ];
    return { figure: onJobs, ...(details.length > 0 && { detail: details.join(' · ') }) };
  };
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const { percent = null, soldHours = 0, clockedHours = 0, jobsWithoutHours = 0 } = clock?.efficiency ?? {};
  // What runs since yesterday is no day's work.
  const doubt =
    clock?.running?.forgotten === true ? { detail: t('clock.withForgotten'), isDoubtful: true } : {};
  const how = [
    t('clock.efficiencyHint', {
      sold: t('clock.hoursDecimal', { hours: number.format(soldHours) }),
      clocked: t('clock.hoursDecimal', { hours: number.format(clockedHours) }),
    }),
    ...(jobsWithoutHours > 0 ? [t('clock.withoutHours', { count: jobsWithoutHours })] : []),
  ].join(' ');
  return (
    <div className="grid shrink-0 grid-cols-2 gap-2 md:gap-3 xl:flex low:flex low:flex-wrap low:gap-2">
      <Card title={t('clock.hours')}>
        <Figure name={t('clock.today')} {...worked(counted?.today)} {...doubt} />
        <Figure name={t('clock.week')} {...worked(counted?.week)} {...doubt} />
      </Card>
      <Card title={t('clock.performance')}>
        <Figure
          name={t('clock.efficiency')}
          figure={percent === null ? null : `${number.format(Math.round(percent))} %`}
          how={how}
        />
        <Figure name={t('clock.active')} figure={active === null ? null : String(active)} />
        <Figure
          name={t('clock.completed')}
          figure={clock === null ? null : String(clock.completedToday)}
          how={t('clock.completedHint', { number: clock?.completedWeek ?? 0 })}
          {...(clock !== null && clock.completedWeek > clock.completedToday
            ? { detail: t('clock.completedWeek', { number: clock.completedWeek }) }
            : {})}
        />
      </Card>
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="min-w-0 rounded-lg border border-line bg-raised px-3.5 py-2.5 low:px-2.5 low:py-1"
    >
      <h2 className="text-12 font-medium text-quiet low:sr-only">{title}</h2>
      <dl className="mt-1 flex flex-col gap-x-8 gap-y-2 md:flex-row low:mt-0 low:flex-row low:gap-x-3">
        {children}
      </dl>
    </section>
  );
}

interface FigureProps {
  name: string;
  figure: string | null;
  detail?: string;
  how?: string;
  /** It is known to be wrong. */
  isDoubtful?: boolean;
}

function Figure({ name, figure, detail, how, isDoubtful = false }: FigureProps) {
  const { t } = useTranslation();
  return (
    <div
      title={how ?? detail}
      className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 md:flex-col md:items-start md:justify-start low:flex-row low:flex-nowrap low:items-baseline low:gap-x-1"
    >
      <dt className="text-13 text-quiet md:order-2 md:text-12 low:order-none low:text-12 low:whitespace-nowrap">
        {name}
      </dt>
      <dd
        className={`text-16 font-semibold whitespace-nowrap max-md:ml-auto md:text-20 low:text-14 ${isDoubtful ? 'text-stale' : ''}`}
      >
        {figure ?? (
          <>
            <span aria-hidden className="text-quiet">
              –
            </span>
            <span className="sr-only">{t('clock.nothing')}</span>
          </>
        )}
      </dd>
      {figure !== null && detail !== undefined && (
        <dd className="text-12 text-quiet max-md:w-full max-md:text-right md:order-3 low:sr-only">
          {detail}
        </dd>
      )}
    </div>
  );
}
