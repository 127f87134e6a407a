// One technician at a glance; the whole card links to their portal.
import { Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Status } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { statusAppearance } from '../repair-order/statuses.ts';
import { ClockIndicator } from './clock-indicator.tsx';
import { Hours, HoursBar } from './hours-bar.tsx';

interface TechnicianCardProps {
  technician: Workload;
  /** The displayed number of the order that the clock runs on. */
  number: string | undefined;
}

export function TechnicianCard({ technician, number }: TechnicianCardProps) {
  const { t } = useTranslation();
  const { technicianId, portalEnabled, counts, clock } = technician;
  const { waiting, drop, pdi, used, total } = counts;
  const isIdle = clock.state === 'idle';
  return (
    <article
      aria-labelledby={`technician-${technicianId}`}
      className={`relative flex h-full min-w-0 flex-col gap-1 rounded-lg border bg-raised px-2 py-1.5 hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-1 has-[a:focus-visible]:outline-accent max-md:gap-2 max-md:px-3 max-md:py-2.5 ${isIdle ? 'border-accent' : 'border-line'}`}
    >
      <NameAndSpecialty technician={technician} />
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <ClockIndicator clock={clock} number={number} />
        {portalEnabled && (
          <span className="ml-auto inline-flex shrink-0 items-center gap-1 rounded-sm bg-sunken px-1 text-12 text-quiet">
            <Smartphone aria-hidden className="size-3" />
            {t('workload.portalEnabled')}
          </span>
        )}
      </div>
      <dl className="flex flex-wrap justify-between gap-x-1 text-12">
        <Count status="Waiting" count={waiting} />
        <Count status="Drop" count={drop.total} />
        <Count status="PDI" count={pdi} />
        <Count status="Used" count={used} />
      </dl>
      <div className="flex flex-wrap gap-x-3 text-12 text-quiet">
        <span aria-hidden>{t('workload.ofThem', { status: t('status.Drop') })}</span>
        <dl className="flex flex-wrap gap-x-3">
          <Part name={t('priority.High')} count={drop.high} />
          <Part name={t('priority.Medium')} count={drop.medium} />
          <Part name={t('priority.Low')} count={drop.low} />
        </dl>
      </div>
      <div className="mt-auto">
        <div className="flex flex-wrap items-baseline justify-between gap-x-2 whitespace-nowrap">
          <dl className="flex items-baseline gap-1.5 text-12 text-quiet">
            <dt>{t('workload.total')}</dt>
            <dd className="text-13 font-semibold text-ink">{total}</dd>
          </dl>
          <Hours technician={technician} />
        </div>
        <HoursBar technician={technician} />
      </div>
    </article>
  );
}

/** The specialty keeps its word; a long name is cut first, and its title has it whole. */
function NameAndSpecialty({ technician }: { technician: Workload }) {
  const { technicianId, fullName, specialty } = technician;
  return (
    <div className="flex items-baseline justify-between gap-2">
      <h2 id={`technician-${technicianId}`} className="min-w-0 text-14 font-semibold">
        <Link
          to={`/technicians/${technicianId}`}
          title={fullName}
          className="block truncate outline-none after:absolute after:inset-0 after:rounded-lg max-md:whitespace-normal"
        >
          {fullName}
        </Link>
      </h2>
      <span className="max-w-1/2 shrink-0 truncate text-12 text-quiet empty:hidden" title={specialty}>
        {specialty}
      </span>
    </div>
  );
}

function Count({ status, count }: { status: Status; count: number }): ReactNode {
  const { t } = useTranslation();
  const { glyph: Glyph, ink } = statusAppearance[status];
  return (
    <div className="flex items-center gap-1">
      <dt className="flex items-center gap-0.5 text-quiet max-md:gap-1">
        <Glyph aria-hidden className={`size-3 shrink-0 ${count > 0 ? ink : ''}`} />
        {t(`status.${status}`)}
      </dt>
      <dd className={count > 0 ? 'font-semibold text-ink' : 'text-quiet'}>{count}</dd>
    </div>
  );
}

/** One of the priorities that make up the drop-offs. */
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
