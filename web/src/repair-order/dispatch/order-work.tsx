// What there is to do on an order: who waits, when it is due, and its jobs with the hours they are sold for.
import { Clock, TriangleAlert } from 'lucide-react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useClock } from '../../shop/clock.ts';
import type { DisplayedJob, RepairOrder } from '../order.ts';
import { type Work, workOf } from '../sold-hours.ts';
import { statusAppearance } from '../statuses.ts';

export function OrderWork({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t('dispatching.work')}
      className="flex flex-col gap-2 rounded-lg border border-line px-3 py-2.5 text-13"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusText order={order} />
        <DueText order={order} />
      </p>
      {order.jobs.length === 0 ? (
        <p className="text-quiet">{t('order.noJobs')}</p>
      ) : (
        <>
          <ul className="flex flex-col gap-1.5">
            {order.jobs.map((job) => (
              <Job key={job.jobNumber} job={job} />
            ))}
          </ul>
          <p className="border-t border-line pt-1.5 text-right font-medium">
            <SoldText work={workOf(order.jobs)} />
          </p>
        </>
      )}
    </section>
  );
}

/** The status; of a waiting customer in a sentence. */
export function StatusText({ order: { status } }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const { glyph: Glyph, ink, tint } = statusAppearance[status];
  return (
    <span className={`flex items-center gap-1 rounded-sm px-1.5 py-0.5 text-12 font-medium ${ink} ${tint}`}>
      <Glyph aria-hidden className="size-3.5 shrink-0" />
      {status === 'Waiting' ? t('dispatching.waiting') : t(`status.${status}`)}
    </span>
  );
}

/** What was promised; the ETA is an estimate and is named apart. */
export function DueText({ order: { promised, eta } }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const isOverdue = promised !== null && promised < clock.now;
  const Glyph = isOverdue ? TriangleAlert : Clock;
  return (
    <>
      <span
        title={promised === null ? undefined : clock.full(promised)}
        className={`flex items-center gap-1 ${isOverdue ? 'font-medium text-danger' : ''}`}
      >
        <Glyph aria-hidden className="size-3.5 shrink-0" />
        {promised === null
          ? t('dispatching.noPromise')
          : t('order.promisedTitle', { time: clock.short(promised) })}
        {isOverdue && `, ${t('dispatching.overdue')}`}
      </span>
      <span className="text-quiet" title={clock.full(eta)}>
        {t('order.etaTitle', { time: clock.short(eta) })}
      </span>
    </>
  );
}

function Job({ job: { opcode, concern, description, soldHours } }: { job: DisplayedJob }) {
  const { t, locale } = useTranslation();
  return (
    <li className="flex gap-3">
      <span className="w-18 shrink-0 font-mono text-12 leading-4.5 break-all">
        {opcode || t('order.noOpcode')}
      </span>
      <span className="min-w-0 flex-1">{concern || description || t('details.noConcern')}</span>
      <span className={`shrink-0 whitespace-nowrap ${soldHours === null ? 'text-quiet' : ''}`}>
        {soldHours === null
          ? t('dispatching.noHours')
          : t('dispatching.hours', { hours: soldHours.toLocaleString(locale) })}
      </span>
    </li>
  );
}

/** '2.5 h sold', 'at least 2.5 h sold', 'hours not known'. */
export function SoldText({ work: { hours, jobsWithoutHours } }: { work: Work }) {
  const { t, locale } = useTranslation();
  const values = { hours: hours.toLocaleString(locale) };
  if (jobsWithoutHours === 0) return t('dispatching.sold', values);
  return hours === 0 ? t('load.unknown') : t('dispatching.soldAtLeast', values);
}
