// An order's jobs as the technician works them: the opcode, and one tap to start.
import { CircleCheck, Play, RotateCcw } from 'lucide-react';
import { Fragment } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { numberFormat } from '../i18n/number-format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import { clockedOn, isClockedOn, isJobFinished } from './clock-state.ts';
import { stopwatch, useDurationText, useServerTime } from './durations.ts';
import type { Tap } from './technician-clock.ts';

export interface ClockControls {
  /** Null while it is not known. */
  clock: TechnicianClock | null;
  /** Null for who may only look. */
  tap: Tap | null;
}

export function JobLines({ order, clocked }: { order: RepairOrder; clocked: ClockControls }) {
  const { t } = useTranslation();
  if (order.jobs.length === 0) return <span className="text-13 text-quiet">{t('order.noJobs')}</span>;
  return (
    <ol className="flex flex-col gap-1">
      {order.jobs.map((job, place) => (
        // Two jobs may carry one number; their place tells them apart.
        <li
          key={[place, job.jobNumber].join()}
          className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11"
        >
          <span className="min-w-0 flex-1 text-13" title={job.description}>
            <span className="whitespace-nowrap">
              <span className="text-quiet">{job.jobNumber}. </span>
              <span className="font-mono font-medium">{job.opcode || t('order.noOpcode')}</span>
            </span>{' '}
            <JobHours job={job} roNumber={order.key} clock={clocked.clock} />
            <span className="block truncate text-12 text-quiet">{job.description}</span>
          </span>
          <JobClock order={order} jobNumber={job.jobNumber} clocked={clocked} />
        </li>
      ))}
    </ol>
  );
}

interface JobHoursProps {
  job: Pick<DisplayedJob, 'jobNumber'> & Partial<DisplayedJob>;
  roNumber: number;
  clock: TechnicianClock | null;
}

/** What the job is sold for, and what the technician has clocked on it. */
export function JobHours({ job: { jobNumber, soldHours }, roNumber, clock }: JobHoursProps) {
  const { t, locale } = useTranslation();
  const span = useDurationText();
  const clocked = clock === null ? 0 : clockedOn(clock, roNumber, jobNumber);
  const hours = soldHours == null ? null : numberFormat(locale).format(soldHours);
  const texts = [
    ...(hours === null ? [] : [t('portal.sold', { hours })]),
    ...(clocked < MINUTE_MS ? [] : [t('portal.clocked', { span: span(clocked) })]),
  ];
  if (texts.length === 0) return null;
  return (
    // It goes to a line of its own as a whole, and breaks only where it has no room there.
    <span className="inline-block max-w-full shrink-0 text-12 text-quiet">
      {texts.map((text, place) => (
        <Fragment key={text}>
          {place > 0 && ' '}
          <span className="whitespace-nowrap">
            {text}
            {place < texts.length - 1 && ' ·'}
          </span>
        </Fragment>
      ))}
    </span>
  );
}

const MINUTE_MS = 60_000;

interface JobClockProps {
  order: Pick<RepairOrder, 'key' | 'roNumber'>;
  jobNumber: number;
  clocked: ClockControls;
}

/** Whether the job runs or is finished, and the button that changes it. */
export function JobClock({ order, jobNumber, clocked: { clock, tap } }: JobClockProps) {
  const { t } = useTranslation();
  if (clock === null) return null;
  const job = { roNumber: order.key, jobNumber };
  const words = { number: order.roNumber, job: jobNumber };
  if (isClockedOn(clock.running, order.key, jobNumber) && clock.running !== null) {
    return (
      <span className="inline-flex h-9 shrink-0 items-center gap-2 rounded-md bg-accent-tint px-3 text-13 font-semibold text-accent pointer-coarse:h-11">
        <span aria-hidden className="size-2 rounded-full bg-current" />
        <span className="sr-only">{t('portal.runningJob', words)}</span>
        <span aria-hidden>{t('portal.running')}</span>
        <Elapsed since={clock.running.since} />
      </span>
    );
  }
  if (isJobFinished(clock, order.key, jobNumber)) {
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-13 font-medium text-used">
        <CircleCheck aria-hidden className="size-4" />
        {t('portal.finished')}
        {tap !== null && (
          <button
            type="button"
            aria-label={t('portal.reopenJob', words)}
            title={t('portal.reopen')}
            onClick={() => tap('reopen', job)}
            className="grid size-9 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink pointer-coarse:size-11"
          >
            <RotateCcw aria-hidden className="size-4" />
          </button>
        )}
      </span>
    );
  }
  if (tap === null) return null;
  return (
    <button
      type="button"
      aria-label={t('portal.startJob', words)}
      onClick={() => tap('start', job)}
      className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-3 text-13 font-semibold hover:border-accent hover:text-accent pointer-coarse:h-11 pointer-coarse:px-4"
    >
      <Play aria-hidden className="size-4" />
      {t('portal.start')}
    </button>
  );
}

function Elapsed({ since }: { since: string }) {
  const passed = useServerTime(1_000) - Date.parse(since);
  return (
    <span aria-hidden className="font-mono font-medium">
      {stopwatch(passed)}
    </span>
  );
}
