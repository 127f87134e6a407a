// The hours in each stage, drawn on one scale and stacked by day, and how long cars stayed. On a phone as a list with the
// same facts.
import { AlarmClock } from 'lucide-react';
import type { TimeInStages } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from '../repair-order/duration-text.ts';
import type { Stages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { fromWallTime } from '../shop/wall-time.ts';
import { useNarrow } from '../ui/media.ts';
import { cell, Figure, Head, outer, Section } from './section.tsx';
import { Bar, StageName, useStageDrawing } from './stage-drawing.tsx';
import { hoursText, knownMs, type StageTime } from './totals.ts';

const MINUTE_MS = 60_000;

interface StageHoursProps {
  totals: TimeInStages;
  stages: Stages;
}

export function StageHours({ totals, stages }: StageHoursProps) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const Hours = narrow ? List : Table;
  return (
    <Section title={t('stageTimes.byStage')} note={t('stageTimes.byStageNote')}>
      <Hours totals={totals} stages={stages} />
    </Section>
  );
}

const NONE = '–';

function useStays() {
  const { t } = useTranslation();
  return (ms: number | null) => (ms === null ? NONE : spanText(Math.round(ms / MINUTE_MS), t));
}

function Table({ totals, stages }: StageHoursProps) {
  const { t, locale } = useTranslation();
  const stay = useStays();
  const maxMs = maxOf(totals);
  return (
    <table aria-label={t('stageTimes.byStage')} className="w-full border-separate border-spacing-0">
      <thead>
        <tr>
          <Head className={`w-52 ${outer.first}`}>{t('stageTimes.column.stage')}</Head>
          <Head number className="w-20">
            {t('stageTimes.column.hours')}
          </Head>
          <Head>{t('stageTimes.column.byDay')}</Head>
          <Head number className="w-16">
            {t('stageTimes.column.cars')}
          </Head>
          <Head number className="w-28">
            {t('stageTimes.column.median')}
          </Head>
          <Head number className="w-28">
            {t('stageTimes.column.p90')}
          </Head>
          <Head number className="w-20">
            {t('stageTimes.column.tooLong')}
          </Head>
          <Head number className={`w-24 ${outer.last}`}>
            {t('stageTimes.column.goingOn')}
          </Head>
        </tr>
      </thead>
      <tbody>
        {totals.stages.map((time) => (
          <tr key={time.stage ?? ''} className="hover:bg-sunken/60">
            <th scope="row" className={`${cell} ${outer.first} text-left font-medium`}>
              <StageName stage={time.stage} stages={stages} />
            </th>
            <Figure className="font-medium">{hoursText(time.totalMs, locale)}</Figure>
            <td className={`${cell} min-w-24`}>
              <DayBar time={time} days={totals.days} maxMs={maxMs} stages={stages} />
            </td>
            <Figure>{time.cars}</Figure>
            <Figure>{stay(time.stays.medianMs)}</Figure>
            <Figure>{stay(time.stays.p90Ms)}</Figure>
            <Figure>
              <TooLong count={time.stays.tooLong} />
            </Figure>
            <Figure className={outer.last}>{time.stays.goingOn === 0 ? NONE : time.stays.goingOn}</Figure>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const maxOf = ({ stages }: TimeInStages) => Math.max(0, ...stages.map((time) => knownMs([time])));

/** By shape and colour where there are any. */
function TooLong({ count }: { count: number }) {
  if (count === 0) return NONE;
  return (
    <span className="flex items-center justify-end gap-1 font-medium text-stale">
      <AlarmClock aria-hidden className="size-3.5" />
      {count}
    </span>
  );
}

interface DayBarProps {
  time: StageTime;
  days: readonly string[];
  maxMs: number;
  stages: Stages;
}

function DayBar({ time, days, maxMs, stages }: DayBarProps) {
  const { t, locale } = useTranslation();
  const clock = useClock();
  const { fillOf } = useStageDrawing(stages);
  if (time.stage === null) return null;
  const pieces = time.byDayMs.map((ms, place) => {
    const day = days[place] ?? '';
    const title = t('stageTimes.dayHours', {
      day: clock.day(fromWallTime(`${day}T12:00`)),
      hours: hoursText(ms, locale),
    });
    return { key: day, ms, fill: fillOf(time.stage), title };
  });
  return <Bar pieces={pieces} maxMs={maxMs} />;
}

function List({ totals, stages }: StageHoursProps) {
  const { t, locale } = useTranslation();
  const stay = useStays();
  const maxMs = maxOf(totals);
  return (
    <ul aria-label={t('stageTimes.byStage')} className="flex flex-col gap-3 px-3 pt-1 pb-3">
      {totals.stages.map((time) => {
        const { cars, stays } = time;
        const facts = [
          t('stageTimes.cars', { count: cars }),
          ...(stays.medianMs === null ? [] : [t('stageTimes.half', { span: stay(stays.medianMs) })]),
          ...(stays.p90Ms === null ? [] : [t('stageTimes.nineOfTen', { span: stay(stays.p90Ms) })]),
          ...(stays.goingOn === 0 ? [] : [t('stageTimes.goingOn', { count: stays.goingOn })]),
        ];
        return (
          <li key={time.stage ?? ''} className="flex flex-col gap-1">
            <p className="flex items-baseline justify-between gap-3 text-14">
              <StageName stage={time.stage} stages={stages} />
              <span className="shrink-0 font-medium tabular-nums">
                {t('stageTimes.hours', { hours: hoursText(time.totalMs, locale) })}
              </span>
            </p>
            <DayBar time={time} days={totals.days} maxMs={maxMs} stages={stages} />
            <p className="text-12 text-quiet">
              {facts.join(' · ')}
              {stays.tooLong > 0 && (
                <span className="font-medium text-stale">
                  {' · '}
                  {t('stageTimes.tooLong', { count: stays.tooLong })}
                </span>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
