// The technician's closed orders of the last weeks, searched by what a technician remembers of a car.
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import type { ClosedOrder } from '../api/technicians.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { toNameCase } from '../rules/name-case.ts';
import { useClock } from '../shop/clock.ts';
import { LoadingLines, LoadState } from '../ui/load-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { CLOSED_DAYS, findClosed, owesStory, useClosedOrders } from './closed-orders.ts';
import { PartLastKnown } from './part-last-known.tsx';

interface ClosedOrdersSheetProps {
  technician: number;
  openOrder(roNumber: number): void;
  close(): void;
}

export function ClosedOrdersSheet({ technician, openOrder, close }: ClosedOrdersSheetProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useClosedOrders(technician);
  const [search, type] = useState('');
  return (
    <Sheet open close={close} title={t('portal.closed.title')} closeLabel={t('details.close')}>
      <SearchField
        label={t('portal.closed.search')}
        clearLabel={t('portal.closed.clear')}
        typed={search}
        type={type}
        className="mb-3"
      />
      <LoadState
        isLoaded={data !== undefined}
        {...failureReason(error, t)}
        failed={t('portal.closed.failed')}
        stale={(reason) => t('portal.closed.stale', { reason })}
        retryLabel={t('details.retry')}
        retry={() => void refetch()}
        loading={<LoadingLines label={t('portal.loading')} />}
      >
        <PartLastKnown savedAt={data?.savedAt ?? null} />
        <ClosedList
          found={findClosed(data?.value ?? [], search)}
          isSearched={search.trim() !== ''}
          openOrder={openOrder}
        />
      </LoadState>
    </Sheet>
  );
}

interface ClosedListProps {
  found: readonly ClosedOrder[];
  isSearched: boolean;
  openOrder(roNumber: number): void;
}

function ClosedList({ found, isSearched, openOrder }: ClosedListProps) {
  const { t } = useTranslation();
  if (found.length === 0) {
    const text = isSearched
      ? t('portal.closed.nothingFound')
      : t('portal.closed.none', { days: CLOSED_DAYS });
    return <p className="py-6 text-center text-13 text-quiet">{text}</p>;
  }
  return (
    <ul className="flex flex-col gap-2">
      {found.map((order) => (
        <li key={order.repairOrderNumber}>
          <ClosedCard order={order} openOrder={openOrder} />
        </li>
      ))}
    </ul>
  );
}

function ClosedCard({ order, openOrder }: { order: ClosedOrder; openOrder(roNumber: number): void }) {
  const { t } = useTranslation();
  const clock = useClock();
  const closedAt = Date.parse(order.closedDateTime);
  return (
    <button
      type="button"
      onClick={() => openOrder(order.repairOrderNumber)}
      className="block w-full rounded-lg border border-line p-3 text-left text-13 hover:border-accent hover:bg-accent-tint"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-mono text-14 font-medium">
          {order.displayNumber ?? order.repairOrderNumber}
        </span>
        <span className="text-12 text-quiet" title={clock.full(closedAt)}>
          {t('portal.closed.at', { time: clock.short(closedAt) })}
        </span>
      </span>
      <span className="block font-medium break-words">{order.vehicle}</span>
      <span className="block text-quiet">{toNameCase(order.customer)}</span>
      {order.jobs
        .filter(({ workedOn }) => workedOn)
        .map((job, place) => (
          <span key={[place, job.jobNumber].join()} className="mt-1 flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate">
              <span className="text-quiet">{job.jobNumber}. </span>
              <span className="font-mono">{job.opcode || t('order.noOpcode')}</span> {job.concern}
            </span>
            {owesStory(job) && (
              <span className="inline-flex shrink-0 items-center gap-1 text-12 font-medium text-stale">
                <PencilLine aria-hidden className="size-3.5" />
                {t('portal.closed.owed')}
              </span>
            )}
          </span>
        ))}
    </button>
  );
}
