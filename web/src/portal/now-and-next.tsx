// The car in hand and what comes next with the reason, above the list, which stays in the order in which it is worked.
import { ArrowRight, Play, TriangleAlert, Wrench } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { NumberLink } from '../dashboard/order-fields.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import type { DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import { useServerTime } from './durations.ts';
import { JobHours } from './job-lines.tsx';
import type { LeftOrder } from './left-order.ts';
import { type NextReason, nextJob } from './next-job.ts';
import type { PortalOrder } from './order-list.ts';
import { PromiseLine } from './promise-line.tsx';
import type { Tap } from './technician-clock.ts';

interface NowAndNextProps {
  orders: readonly PortalOrder[];
  /** The order that the clock runs on, if it is not in the list any more. */
  left: LeftOrder | null;
  clock: TechnicianClock;
  isOwn: boolean;
  /** Null when the reader may only look. */
  tap: Tap | null;
}

export function NowAndNext({ orders, left, clock, isOwn, tap }: NowAndNextProps) {
  const { t } = useTranslation();
  const minute = useServerTime(60_000);
  const next = useMemo(
    () =>
      nextJob(
        orders.map(({ order }) => order),
        clock,
        minute,
      ),
    [orders, clock, minute],
  );
  const now = runningJob(orders, left, clock.running);
  if (now === null && next === null) return null;
  return (
    // On a low screen the orders need the room.
    <div className="flex shrink-0 flex-col divide-y divide-line rounded-lg border border-line bg-raised low:hidden">
      {now !== null && (
        <JobLine
          {...now}
          clock={clock}
          title={t('portal.now')}
          glyph={<Wrench className={glyph} />}
          warning={isOwn && left?.isCertain === true ? t('portal.left.now') : undefined}
        />
      )}
      {next !== null && (
        <JobLine
          {...next}
          clock={clock}
          title={t('portal.next.label')}
          glyph={<ArrowRight className={glyph} />}
          detail={next.reasons
            .filter(isToldHere)
            .map(({ kind }) => t(`portal.next.${kind}`))
            .join(' · ')}
          promise={
            next.order.promised !== null && (
              <PromiseLine
                order={next.order}
                promised={next.order.promised}
                running={clock.running?.entryId ?? null}
              />
            )
          }
        >
          {tap !== null && <StartButton order={next.order} job={next.job} tap={tap} />}
        </JobLine>
      )}
    </div>
  );
}

const glyph = 'size-5 shrink-0 text-accent';

/** The line below says what there is to say of the promise. */
function isToldHere(reason: NextReason): reason is Exclude<NextReason, { at: number }> {
  return !('at' in reason);
}

/** What is known of the order that the clock runs on. */
type NumberedOrder = Pick<RepairOrder, 'key' | 'roNumber'> & Partial<RepairOrder>;
/** What is known of the job that the clock runs on. */
type NumberedJob = Pick<DisplayedJob, 'jobNumber'> & Partial<DisplayedJob>;

/** Null: none runs, or on an order of which nothing is known. */
function runningJob(
  orders: readonly PortalOrder[],
  left: LeftOrder | null,
  running: TechnicianClock['running'],
): { order: NumberedOrder; job: NumberedJob } | null {
  const listed = orders.find((one) => one.order.key === running?.roNumber)?.order;
  const order: NumberedOrder | null =
    listed ?? left?.order ?? (left && { key: left.roNumber, roNumber: left.number });
  const job =
    order?.jobs?.find(({ jobNumber }) => jobNumber === running?.jobNumber) ??
    (left && { jobNumber: left.jobNumber });
  return order === null || job === null ? null : { order, job };
}

interface JobLineProps {
  order: NumberedOrder;
  job: NumberedJob;
  clock: TechnicianClock;
  title: string;
  glyph: ReactNode;
  detail?: string;
  /** What is wrong, and what to do. */
  warning?: string | undefined;
  promise?: ReactNode;
  children?: ReactNode;
}

function JobLine({ order, job, clock, title, glyph, detail, warning, promise, children }: JobLineProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={title} className="flex items-center gap-3 px-3 py-2">
      <span aria-hidden>{glyph}</span>
      <div className="min-w-0 flex-1 text-13">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{title}</span>
          {/* A thumb's target is higher than the line. */}
          <span className="pointer-coarse:-my-3 pointer-coarse:*:inline-flex pointer-coarse:*:min-h-11 pointer-coarse:*:min-w-11 pointer-coarse:*:items-center">
            <NumberLink order={order} place={title} />
          </span>
          <span className="min-w-0 truncate">{order.vehicle}</span>
          {detail !== undefined && detail !== '' && <span className="font-medium text-accent">{detail}</span>}
        </p>
        {warning !== undefined && (
          <p className="my-0.5 flex items-start gap-1.5 font-medium text-stale">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {warning}
          </p>
        )}
        {promise}
        <div className="flex flex-col gap-x-1.5 text-quiet md:flex-row md:items-baseline">
          <p className="line-clamp-2 min-w-0 break-words md:line-clamp-1 md:break-all">
            {job.opcode === undefined ? (
              t('clock.onJob', { number: order.roNumber, job: job.jobNumber })
            ) : (
              <>
                {job.jobNumber}. <span className="font-mono">{job.opcode || t('order.noOpcode')}</span>{' '}
                {job.concern || job.description}
              </>
            )}
          </p>
          <JobHours job={job} roNumber={order.key} clock={clock} />
        </div>
      </div>
      {children}
    </section>
  );
}

function StartButton({ order, job, tap }: { order: RepairOrder; job: DisplayedJob; tap: Tap }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t('portal.next.start', { number: order.roNumber, job: job.jobNumber })}
      onClick={() => tap('start', { roNumber: order.key, jobNumber: job.jobNumber })}
      className="inline-flex h-11 shrink-0 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-4 text-13 font-semibold hover:border-accent hover:text-accent"
    >
      <Play aria-hidden className="size-4" />
      {t('portal.start')}
    </button>
  );
}
