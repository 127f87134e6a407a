// Where cars wait: the hours in each stage on some days, by day, by technician and by advisor. For who sees all
// technicians, in a shop that uses stages.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, Hourglass, Info, RotateCw } from 'lucide-react';
import { useSearchParams } from 'react-router';
import type { TimeInStages } from '../api/stages.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { Stages } from '../repair-order/stages.ts';
import { StagesScreen } from '../repair-order/stages-screen.tsx';
import { useClock } from '../shop/clock.ts';
import { fromWallTime, wallDay } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { saveCsv } from '../ui/csv.ts';
import { LoadState } from '../ui/load-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toCsv } from './csv.ts';
import { DayHours } from './day-hours.tsx';
import { GroupHours } from './group-hours.tsx';
import { SpanPicker } from './span-picker.tsx';
import { useStageDrawing } from './stage-drawing.tsx';
import { StageHours } from './stage-hours.tsx';
import { readSpan, timeInStages } from './totals.ts';

export function StageTimesScreen() {
  return (
    <StagesScreen needs="see-all-technicians" width="max-w-[1240px]" loading={<Loading />}>
      {(stages) => <StageTimes stages={stages} />}
    </StagesScreen>
  );
}

function StageTimes({ stages }: { stages: Stages }) {
  const { t } = useTranslation();
  usePageTitle(t('stageTimes.title'));
  const today = wallDay(useClock().now);
  const [params, setParams] = useSearchParams();
  const span = readSpan(params, today);
  const { data, error, refetch, isFetching } = useQuery({
    ...timeInStages(span),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h1 className="text-20 font-semibold max-md:text-16">{t('stageTimes.title')}</h1>
          {data !== undefined && <Summary totals={data} />}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void refetch()} disabled={isFetching}>
            <RotateCw aria-hidden className="size-4" />
            {t('stageTimes.reload')}
          </Button>
          <FileButton totals={data} stages={stages} />
        </div>
      </div>
      <SpanPicker
        span={span}
        today={today}
        choose={({ from, to }) => setParams({ from, to }, { replace: true })}
      />
      <LoadState
        isLoaded={data !== undefined}
        {...failureReason(isFetching ? null : error, t)}
        failed={t('stageTimes.failed')}
        stale={(reason) => t('stageTimes.stale', { reason })}
        retryLabel={t('live.retry')}
        retry={() => void refetch()}
        loading={<Loading />}
      >
        {data !== undefined && <Totals totals={data} stages={stages} />}
      </LoadState>
    </>
  );
}

/** How many cars there were, and up to when they are counted where the days have not ended. */
function Summary({ totals }: { totals: TimeInStages }) {
  const { t } = useTranslation();
  const clock = useClock();
  const until = Date.parse(totals.until);
  const cars = t('stageTimes.cars', { count: totals.cars });
  const goesOn = totals.days.includes(wallDay(until));
  return (
    <p role="status" className="text-13 text-quiet">
      {goesOn ? t('stageTimes.countedUntil', { cars, time: clock.short(until) }) : cars}
    </p>
  );
}

function Totals({ totals, stages }: { totals: TimeInStages; stages: Stages }) {
  const { t } = useTranslation();
  const { knownFrom } = totals;
  return (
    <>
      {knownFrom !== null && <KnownFrom day={knownFrom} />}
      {totals.stages.length === 0 ? (
        <MessagePanel
          glyph={Hourglass}
          text={t('stageTimes.empty')}
          hint={knownFrom === null ? t('stageTimes.emptyHint') : undefined}
        />
      ) : (
        <>
          <StageHours totals={totals} stages={stages} />
          <DayHours totals={totals} stages={stages} />
          <GroupHours
            title={t('stageTimes.byTechnician')}
            note={t('stageTimes.byTechnicianNote')}
            who={t('stageTimes.column.technician')}
            groups={totals.technicians.map((one) => ({ ...one, key: String(one.technicianId) }))}
            stages={stages}
          />
          <GroupHours
            title={t('stageTimes.byAdvisor')}
            note={t('stageTimes.byAdvisorNote')}
            who={t('stageTimes.column.advisor')}
            groups={totals.advisors.map((one) => ({ ...one, key: one.name ?? '' }))}
            stages={stages}
          />
        </>
      )}
    </>
  );
}

/** Old rows were deleted: earlier days would be short of them, and are not counted. */
function KnownFrom({ day }: { day: string }) {
  const { t } = useTranslation();
  const clock = useClock();
  return (
    <p className="flex items-center gap-2 rounded-lg bg-sunken px-3 py-2 text-13">
      <Info aria-hidden className="size-4 shrink-0 text-quiet" />
      {t('stageTimes.knownFrom', { day: clock.day(fromWallTime(`${day}T12:00`)) })}
    </p>
  );
}

interface FileButtonProps {
  totals: TimeInStages | undefined;
  stages: Stages;
}

function FileButton({ totals, stages }: FileButtonProps) {
  const { t } = useTranslation();
  const { nameOf } = useStageDrawing(stages);
  return (
    <Button
      disabled={totals === undefined || totals.stages.length === 0}
      onClick={() => {
        if (totals === undefined) return;
        const [from, to] = [totals.days[0], totals.days.at(-1)];
        saveCsv(`stage-times-${from}-${to}.csv`, toCsv(totals, { t, nameOf }));
      }}
    >
      <Download aria-hidden className="size-4" />
      {t('stageTimes.file')}
    </Button>
  );
}

const rows = ['w-full', 'w-3/4', 'w-1/2', 'w-1/3', 'w-1/4'];

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-5 rounded-lg border border-line bg-raised px-4 py-4">
      <span className="sr-only">{t('page.loading')}</span>
      {rows.map((width) => (
        <div key={width} className="grid grid-cols-[9rem_1fr] items-center gap-4 max-md:grid-cols-1">
          <Skeleton className="w-28" />
          <Skeleton className={width} />
        </div>
      ))}
    </div>
  );
}
