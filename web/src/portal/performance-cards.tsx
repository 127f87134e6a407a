// The cards Hours and Performance, from the technician's clocks. A dash where nothing is counted.
import { ChevronDown } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { numberFormat } from '../i18n/number-format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { advanceClock, isDayOver } from './clock-state.ts';
import { useDurationText, useServerTime } from './durations.ts';

const MINUTE_MS = 60_000;

interface FiguresProps {
  /** Null until it is loaded. */
  clock: TechnicianClock | null;
  /** The number of open orders; null until they are loaded. */
  active: number | null;
}

/** Memoised: the figures stay when the list changes. */
export const PerformanceCards = memo(function PerformanceCards({ clock, active }: FiguresProps) {
  const { t } = useTranslation();
  const [isFolded, setFolded] = useState(true);
  const now = useServerTime(MINUTE_MS);
  const counted = clock === null ? null : advanceClock(clock, now);
  // What was completed since the midnight is not known before the server says it.
  const isKnownToday = clock !== null && !isDayOver(clock, now);
  return (
    <div
      data-folded={isFolded || undefined}
      className="group/figures flex items-center rounded-lg border-line max-md:border max-md:bg-raised"
    >
      <div className="grid min-w-0 flex-1 grid-cols-2 gap-x-3 md:gap-3 xl:flex low:flex low:flex-wrap low:gap-2 max-md:group-data-folded/figures:flex max-md:group-data-folded/figures:flex-col">
        <Hours counted={counted} />
        <Card title={t('clock.performance')}>
          <Efficiency efficiency={counted?.efficiency} />
          <Figure name={t('clock.active')} figure={active === null ? null : String(active)} />
          <Completed counted={isKnownToday ? counted : null} />
        </Card>
      </div>
      <button
        type="button"
        aria-expanded={!isFolded}
        aria-label={t('clock.inFull')}
        title={t('clock.inFull')}
        onClick={() => setFolded(!isFolded)}
        className="grid size-11 shrink-0 place-items-center self-start rounded-md text-quiet hover:text-ink md:hidden low:hidden"
      >
        <ChevronDown aria-hidden className={`size-4 ${isFolded ? '' : 'rotate-180'}`} />
      </button>
    </div>
  );
});

interface CountedProps {
  /** Up to now; null: not known. */
  counted: TechnicianClock | null;
}

function Hours({ counted }: CountedProps) {
  const { t, locale } = useTranslation();
  const span = useDurationText();
  const exact = numberFormat(locale, 2);
  const worked = (of: TechnicianClock['today'] | undefined) => {
    if (of === undefined || (of.attendedMs < MINUTE_MS && of.soldHours === 0)) return { figure: null };
    const [onJobs, attended] = [span(of.jobsMs), span(of.attendedMs)];
    const details = [
      ...(of.soldHours === 0 ? [] : [t('clock.soldHours', { hours: exact.format(of.soldHours) })]),
      // The same time twice says no more than once.
      ...(attended === onJobs ? [] : [t('clock.attended', { span: attended })]),
    ];
    return {
      figure: onJobs,
      unit: t('clock.onJobs'),
      ...(details.length > 0 && { detail: details.join(' · ') }),
    };
  };
  // What runs since yesterday is no day's work.
  const doubt =
    counted?.running?.forgotten === true ? { detail: t('clock.withForgotten'), isDoubtful: true } : {};
  return (
    <Card title={t('clock.hours')}>
      <Figure name={t('clock.today')} {...worked(counted?.today)} {...doubt} />
      <Figure name={t('clock.week')} isUnitRepeated {...worked(counted?.week)} {...doubt} />
    </Card>
  );
}

function Efficiency({ efficiency }: { efficiency: TechnicianClock['efficiency'] | undefined }) {
  const { t, locale } = useTranslation();
  const number = numberFormat(locale, 1);
  const { percent = null, soldHours = 0, clockedHours = 0, jobsWithoutHours = 0 } = efficiency ?? {};
  const how = [
    t('clock.efficiencyHint', {
      sold: t('clock.hoursDecimal', { hours: number.format(soldHours) }),
      clocked: t('clock.hoursDecimal', { hours: number.format(clockedHours) }),
    }),
    ...(jobsWithoutHours > 0 ? [t('clock.withoutHours', { count: jobsWithoutHours })] : []),
  ].join(' ');
  const figure = percent === null ? null : `${number.format(Math.round(percent))} %`;
  return <Figure name={t('clock.efficiency')} figure={figure} how={how} />;
}

function Completed({ counted }: CountedProps) {
  const { t } = useTranslation();
  const { completedToday = 0, completedWeek = 0 } = counted ?? {};
  return (
    <Figure
      name={t('clock.completed')}
      figure={counted === null ? null : String(completedToday)}
      how={t('clock.completedHint', { number: completedWeek })}
      {...(completedWeek > completedToday && {
        detail: t('clock.completedWeek', { number: completedWeek }),
      })}
    />
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="min-w-0 rounded-lg border-line bg-raised px-3 py-2 max-md:pr-0 md:border md:px-3.5 md:py-2.5 low:px-2.5 low:py-1 max-md:group-data-folded/figures:py-1 max-md:group-data-folded/figures:last:pt-0"
    >
      <h2 className="text-12 font-medium text-quiet low:sr-only max-md:group-data-folded/figures:sr-only">
        {title}
      </h2>
      <dl className="mt-1 flex flex-col gap-x-8 gap-y-2 md:flex-row low:mt-0 low:flex-row low:gap-x-3 max-md:group-data-folded/figures:mt-0 max-md:group-data-folded/figures:flex-row max-md:group-data-folded/figures:flex-wrap max-md:group-data-folded/figures:gap-x-3 max-md:group-data-folded/figures:gap-y-0">
        {children}
      </dl>
    </section>
  );
}

interface FigureProps {
  name: string;
  figure: string | null;
  /** What the figure counts, where the name does not say it. */
  unit?: string;
  /** The figure before it says so, too: there is no room for it twice in a line. */
  isUnitRepeated?: boolean;
  detail?: string;
  how?: string;
  /** It is known to be wrong. */
  isDoubtful?: boolean;
}

function Figure({
  name,
  figure,
  unit,
  detail,
  how,
  isUnitRepeated = false,
  isDoubtful = false,
}: FigureProps) {
  const { t } = useTranslation();
  return (
    <div
      title={how ?? detail}
      className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 md:flex-col md:items-start md:justify-start low:flex-row low:flex-nowrap low:items-baseline low:gap-x-1 max-md:group-data-folded/figures:flex-nowrap max-md:group-data-folded/figures:gap-x-1"
    >
      <dt className="text-13 text-quiet md:order-2 md:text-12 low:order-none low:text-12 low:whitespace-nowrap max-md:group-data-folded/figures:text-12 max-md:group-data-folded/figures:whitespace-nowrap">
        {name}
      </dt>
      <dd
        className={`text-16 font-semibold whitespace-nowrap max-md:ml-auto md:text-20 low:text-14 max-md:group-data-folded/figures:ml-0 max-md:group-data-folded/figures:text-13 ${isDoubtful ? 'text-stale' : ''}`}
      >
        {figure ?? (
          <>
            <span aria-hidden className="text-quiet">
              –
            </span>
            <span className="sr-only">{t('clock.nothing')}</span>
          </>
        )}
        {figure !== null && unit !== undefined && (
          <span
            className={`text-12 font-normal text-quiet low:sr-only ${isUnitRepeated ? 'max-md:group-data-folded/figures:sr-only' : ''}`}
          >
            {' '}
            {unit}
          </span>
        )}
      </dd>
      {figure !== null && detail !== undefined && (
        <dd className="text-12 text-quiet max-md:w-full max-md:text-right md:order-3 low:sr-only max-md:group-data-folded/figures:sr-only">
          {detail}
        </dd>
      )}
    </div>
  );
}
