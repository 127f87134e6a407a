// The clock in thumb's reach: the running job, its time, and each action with one tap.
import { Check, CirclePause, Clock3, LogOut, Play, Square, TriangleAlert, Wrench } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { RunningClock, TechnicianClock } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { advanceClock, clockedOn } from './clock-state.ts';
import { stopwatch, useServerTime } from './durations.ts';
import type { KnownOrder } from './left-order.ts';
import type { Tap } from './technician-clock.ts';

interface ClockBarProps {
  clock: TechnicianClock;
  /** The order whose job is running, if it is known. */
  order: KnownOrder | undefined;
  /** The order is not the technician's any more. */
  hasLeft: boolean;
  /** Null when the reader may only look. */
  tap: Tap | null;
}

/** A job on which less was clocked (ms) is hardly finished: it is asked about. */
const SHORT_MS = 60_000;

export function ClockBar({ clock, order, hasLeft, tap }: ClockBarProps) {
  const { t } = useTranslation();
  const { running } = clock;
  const job = jobOf(running);
  const [asked, setAsked] = useState<JobOnClock | null>(null);
  const finish = (finished: JobOnClock) => {
    const { roNumber, jobNumber } = finished;
    const isShort = clockedOn(advanceClock(clock, serverNow()), roNumber, jobNumber) < SHORT_MS;
    if (isShort) setAsked(finished);
    else tap?.('finish', finished);
  };
  return (
    <section
      aria-label={t('clock.label')}
      className={`z-20 flex shrink-0 items-center gap-x-6 gap-y-2.5 border-t bg-raised px-4 py-2.5 max-md:flex-col max-md:items-stretch max-md:px-3 max-md:pb-[max(0.625rem,env(safe-area-inset-bottom))] low:flex-row low:items-center low:gap-x-3 low:py-1 low:pb-[max(0.25rem,env(safe-area-inset-bottom))] ${job === null ? 'border-line' : 'border-accent'}`}
    >
      <State running={running} order={order} />
      {tap !== null && (
        <div className="flex gap-2.5 low:gap-1.5">
          {running === null ? (
            <BarButton variant="primary" glyph={Play} onClick={() => tap('clock-in')}>
              {t('clock.in')}
            </BarButton>
          ) : (
            <>
              {job !== null && (
                <JobButtons hasLeft={hasLeft} finish={() => finish(job)} stop={() => tap('stop')} />
              )}
              <BarButton glyph={LogOut} onClick={() => tap('clock-out')}>
                {t('clock.out')}
              </BarButton>
            </>
          )}
        </div>
      )}
      {asked !== null && (
        <FinishQuestion
          number={order?.roNumber ?? running?.displayNumber ?? String(asked.roNumber)}
          job={asked.jobNumber}
          clocked={clockedOn(advanceClock(clock, serverNow()), asked.roNumber, asked.jobNumber)}
          finish={() => {
            setAsked(null);
            tap?.('finish', asked);
          }}
          close={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface JobButtonsProps {
  hasLeft: boolean;
  finish(): void;
  stop(): void;
}

/**
 * What is done with the running job; the likeliest comes first. The clock of a car that was taken away is to be stopped:
 * its job may still be finished, for as long as the clock runs on it, but is mostly somebody else's to finish.
 */
function JobButtons({ hasLeft, finish, stop }: JobButtonsProps) {
  const { t } = useTranslation();
  const buttons = [
    <BarButton key="finish" variant={hasLeft ? 'plain' : 'primary'} glyph={Check} onClick={finish}>
      {t('clock.finish')}
    </BarButton>,
    <BarButton key="stop" variant={hasLeft ? 'primary' : 'plain'} glyph={Square} onClick={stop}>
      {t('clock.stop')}
    </BarButton>,
  ];
  return hasLeft ? buttons.toReversed() : buttons;
}

interface FinishQuestionProps {
  number: string;
  job: number;
  /** Milliseconds. */
  clocked: number;
  finish(): void;
  close(): void;
}

function FinishQuestion({ number, job, clocked, finish, close }: FinishQuestionProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('clock.finishShort', { number, job })}
      detail={t('clock.finishShortDetail', { time: stopwatch(clocked) })}
      verb={t('clock.finish')}
      cancelLabel={t('clock.finishNot')}
      variant="primary"
      confirm={finish}
      close={close}
    />
  );
}

interface JobOnClock {
  roNumber: number;
  jobNumber: number;
}

/** Null when the technician is clocked in without a job. */
function jobOf(running: RunningClock | null): JobOnClock | null {
  const { roNumber = null, jobNumber = null } = running ?? {};
  return roNumber === null || jobNumber === null ? null : { roNumber, jobNumber };
}

function State({ running, order }: { running: RunningClock | null; order: KnownOrder | undefined }) {
  const { t } = useTranslation();
  const job = jobOf(running);
  const Glyph = running === null ? Clock3 : job === null ? CirclePause : Wrench;
  const number = order?.roNumber ?? running?.displayNumber ?? String(job?.roNumber ?? '');
  const listedJob = order?.jobs.find(({ jobNumber }) => jobNumber === job?.jobNumber);
  const detail =
    job === null
      ? t(running === null ? 'clock.offHint' : 'clock.idleHint')
      : [listedJob?.opcode, order?.vehicle].filter((text) => text !== undefined && text !== '').join(' · ');
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <span
        aria-hidden
        className={`grid size-10 shrink-0 place-items-center rounded-full low:size-8 max-sm:low:hidden ${job === null ? 'bg-sunken text-quiet' : 'bg-accent text-on-accent'}`}
      >
        <Glyph className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p role="status" className="truncate text-14 font-semibold">
          {job !== null
            ? t('clock.onJob', { number, job: job.jobNumber })
            : t(running === null ? 'clock.off' : 'clock.idle')}
        </p>
        <p className="truncate text-13 text-quiet">{detail}</p>
        {running?.forgotten && (
          <p className="flex items-center gap-1 text-13 font-medium text-stale">
            <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
            {t('clock.forgotten')}
          </p>
        )}
      </div>
      {running !== null && <Elapsed since={running.since} strong={job !== null} />}
    </div>
  );
}

/** The digits tick for the eye; a screen reader hears the start time. */
function Elapsed({ since, strong }: { since: string; strong: boolean }) {
  const { t } = useTranslation();
  const clock = useClock();
  const startedAt = Date.parse(since);
  const passed = useServerTime(1_000) - startedAt;
  const sinceText = t('clock.since', { time: clock.short(startedAt) });
  return (
    <p title={sinceText} className="shrink-0 text-right">
      <span className="sr-only">{sinceText}</span>
      <span
        aria-hidden
        className={`font-mono low:text-16 ${strong ? 'text-28 font-medium text-accent' : 'text-20 text-quiet'}`}
      >
        {stopwatch(passed)}
      </span>
    </p>
  );
}

interface BarButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'plain';
  glyph: typeof Play;
}

/** For a thumb in a glove. */
function BarButton({ variant = 'plain', glyph: Glyph, children, ...rest }: BarButtonProps) {
  const ground =
    variant === 'primary'
      ? 'border-transparent bg-accent text-on-accent hover:bg-accent-strong'
      : 'border-line bg-raised hover:bg-sunken';
  return (
    <button
      type="button"
      className={`inline-flex h-14 min-w-0 items-center justify-center gap-2 rounded-lg max-sm:flex-col max-sm:gap-0.5 max-sm:text-13 max-sm:low:flex-row border px-5 text-14 font-semibold max-md:flex-1 max-md:px-2 max-md:leading-4 low:h-11 low:flex-none low:px-3 ${ground}`}
      {...rest}
    >
      <Glyph aria-hidden className="size-5 shrink-0 max-sm:size-4 max-md:low:hidden" />
      <span className="min-w-0 text-center">{children}</span>
    </button>
  );
}
