// How many open orders a technician is on, by status; drop-offs by priority, too.
import type { Status } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { statusAppearance } from '../repair-order/statuses.ts';

export function OrderCounts({ counts }: Pick<Workload, 'counts'>) {
  const { t } = useTranslation();
  const { waiting, drop, pdi, used, total } = counts;
  return (
    <dl className="flex min-w-0 flex-wrap content-start gap-x-2 text-12">
      <Count status="Waiting" count={waiting} />
      <Count status="PDI" count={pdi} />
      <Count status="Used" count={used} />
      <div aria-hidden className="basis-full max-xl:hidden" />
      <Count status="Drop" count={drop.total} />
      <Part name={t('priority.High')} count={drop.high} />
      <Part name={t('priority.Medium')} count={drop.medium} />
      <Part name={t('priority.Low')} count={drop.low} />
      <div aria-hidden className="basis-full max-xl:hidden" />
      <div className="flex items-baseline gap-1">
        <dt className="text-quiet">{t('workload.total')}</dt>
        <dd className="font-semibold text-ink">{total}</dd>
      </div>
    </dl>
  );
}

function Count({ status, count }: { status: Status; count: number }) {
  const { t } = useTranslation();
  const { glyph: Glyph, ink } = statusAppearance[status];
  return (
    <div className="flex items-center gap-1">
      <dt className={`flex items-center gap-1 ${nameTone(count)}`}>
        <Glyph aria-hidden className={`size-3 shrink-0 ${count > 0 ? ink : 'opacity-40'}`} />
        {t(`status.${status}`)}
      </dt>
      <dd className={count > 0 ? 'font-semibold text-ink' : 'text-quiet'}>{count}</dd>
    </div>
  );
}

/** What there is none of is read last. It keeps a contrast that can be read. */
const nameTone = (count: number) => (count > 0 ? 'text-ink' : 'text-quiet');

/** One of the priorities that make up the drop-offs. */
function Part({ name, count }: { name: string; count: number }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-baseline gap-1 text-quiet">
      <dt className={nameTone(count)}>
        <span className="sr-only">{t('status.Drop')} </span>
        {name}
      </dt>
      <dd className={count > 0 ? 'font-medium text-ink' : ''}>{count}</dd>
    </div>
  );
}
