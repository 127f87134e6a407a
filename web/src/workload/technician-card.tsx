// One technician at a glance, and the way to their portal: the whole card is the link's.
import { Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Status } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { statusLook } from '../repair-order/look.ts';
import { ClockSign } from './clock-sign.tsx';
import { HoursBar } from './hours-bar.tsx';

interface TechnicianCardProps {
  technician: Workload;
  /** How the order is called that the clock runs on. */
  number: string | undefined;
}

export function TechnicianCard({ technician, number }: TechnicianCardProps) {
  const { t } = useTranslation();
  const { technicianId, fullName, specialty, portalEnabled, counts, clock } = technician;
  const { waiting, drop, pdi, used, total } = counts;
  const isIdle = clock.state === 'idle';
  return (
    <article
      aria-labelledby={`technician-${technicianId}`}
      className={`relative flex h-full min-w-0 flex-col gap-1.5 rounded-lg border bg-raised px-3 py-2 hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-1 has-[a:focus-visible]:outline-accent ${isIdle ? 'border-accent' : 'border-line'}`}
    >
      <div>
        <div className="flex items-start justify-between gap-2">
          <h2 id={`technician-${technicianId}`} className="min-w-0 text-14 font-semibold">
            <Link
              to={`/technicians/${technicianId}`}
              title={fullName}
              className="block truncate outline-none after:absolute after:inset-0 after:rounded-lg max-md:whitespace-normal"
            >
              {fullName}
            </Link>
          </h2>
          {portalEnabled && (
            <span className="inline-flex shrink-0 items-center gap-1 rounded-sm bg-sunken px-1 text-12 leading-5 text-quiet">
              <Smartphone aria-hidden className="size-3" />
              {t('workload.portalEnabled')}
            </span>
          )}
        </div>
        <p className="flex items-center gap-2">
          <span className="shrink-0 empty:hidden text-12 text-quiet">{specialty}</span>
          <span className="relative flex min-w-0">
            <ClockSign clock={clock} number={number} />
          </span>
        </p>
      </div>
      <dl className="grid grid-cols-4 gap-x-1 text-12">
        <Count status="Waiting" count={waiting} />
        <Count status="Drop" count={drop.total} />
        <Count status="PDI" count={pdi} />
        <Count status="Used" count={used} />
      </dl>
      <dl className="flex flex-wrap items-baseline gap-x-2.5 text-12 text-quiet">
        <Part name={t('priority.High')} count={drop.high} />
        <Part name={t('priority.Medium')} count={drop.medium} />
        <Part name={t('priority.Low')} count={drop.low} />
        <div className="ml-auto flex items-baseline gap-1.5">
          <dt>{t('workload.total')}</dt>
          <dd className="text-14 font-semibold text-ink">{total}</dd>
        </div>
      </dl>
      <div className="mt-auto">
        <HoursBar technician={technician} />
      </div>
    </article>
  );
}

function Count({ status, count }: { status: Status; count: number }): ReactNode {
  const { t } = useTranslation();
  const { glyph: Glyph, ink } = statusLook[status];
  return (
    <div className="flex min-w-0 items-center gap-1">
      <dt className="flex min-w-0 items-center gap-1 text-quiet">
        <Glyph aria-hidden className={`size-3 shrink-0 ${count > 0 ? ink : ''}`} />
        <span className="truncate" title={t(`status.${status}`)}>
          {t(`status.${status}`)}
        </span>
      </dt>
      <dd className={count > 0 ? 'font-semibold text-ink' : 'text-quiet'}>{count}</dd>
    </div>
  );
}

/** One of the priorities that the drop-offs are made of. */
function Part({ name, count }: { name: string; count: number }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-baseline gap-1">
      <dt>
        <span className="sr-only">{t('status.Drop')} </span>
        {name}
      </dt>
      <dd className={count > 0 ? 'font-medium text-ink' : ''}>{count}</dd>
    </div>
  );
}
