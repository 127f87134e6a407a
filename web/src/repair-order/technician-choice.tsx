// The technicians to choose from, the best fit first: name, specialty, why, and how many open orders each is on.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { fetchTechnicians } from '../api/repair-orders.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { type Choice, ChoiceList } from '../ui/choice-list.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { openOrders } from './live-orders.ts';
import type { OrderCache } from './order-cache.ts';
import { reasonText, useRanking } from './technician-ranking.ts';

/** Technicians change rarely, and opening a dialog loads them again. */
const STALE_TIME_MS = 30_000;

export const technicians = queryOptions({
  queryKey: ['technicians'],
  queryFn: ({ signal }) => fetchTechnicians(signal),
  staleTime: STALE_TIME_MS,
});

interface TechnicianChoiceProps {
  chosen: number | null;
  choose(technician: number): void;
  /** The orders to assign. */
  orders: readonly number[];
  /** The technicians who are already assigned. */
  without?: readonly number[];
}

export function TechnicianChoice({ chosen, choose, orders, without = [] }: TechnicianChoiceProps) {
  const { t, language } = useTranslation();
  const ranking = useRanking(orders);
  const { data, error, refetch, isFetching } = useQuery(technicians);
  const { data: cache } = useQuery(openOrders);
  const loads = useMemo(() => loadsOf(cache), [cache]);

  useEffect(() => {
    if (error === null) return;
    showToast({ tone: 'destructive', text: t('toast.techniciansFailed'), detail: errorMessage(error, t) });
  }, [error, t]);

  if (data === undefined && error !== null) {
    return (
      <div className="flex flex-col items-start gap-3 text-13">
        <p role="alert">
          {t('toast.techniciansFailed')}. <span className="text-quiet">{errorMessage(error, t)}</span>
        </p>
        <Button onClick={() => void refetch()} disabled={isFetching}>
          {t('details.retry')}
        </Button>
      </div>
    );
  }
  if (data === undefined || !ranking.settled) {
    return (
      <div role="status" className="flex flex-col gap-3">
        <span className="appear-late text-13 text-quiet">{t('decision.loadingTechnicians')}</span>
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  const { placeOf } = ranking;
  const offered = data.filter(({ idTechnician }) => !without.includes(idTechnician));
  const choices = (
    placeOf === null
      ? offered
      : offered.toSorted((one, other) => placeOf(one.idTechnician) - placeOf(other.idTechnician))
  ).map(
    (technician): TechnicianLine => ({
      value: String(technician.idTechnician),
      text: `${technician.displayName} ${technician.specialty}`,
      name: technician.displayName,
      specialty: technician.specialty,
      reasons: reasonText(ranking.reasonsFor(technician.idTechnician), t, language).join(' · '),
      load: loads.get(technician.idTechnician) ?? 0,
    }),
  );
  if (choices.length === 0) return <p className="text-13 text-quiet">{t('decision.nobodyLeft')}</p>;
  return (
    <ChoiceList
      label={t('decision.technician')}
      choices={choices}
      chosen={chosen === null ? null : String(chosen)}
      choose={(value) => choose(Number(value))}
      search={{ placeholder: t('decision.search'), none: t('decision.noMatch') }}
      draw={({ name, specialty, reasons, load }) => (
        <>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium" title={name}>
              {name}
            </span>
            <span className="block text-12 text-quiet max-md:py-0.5 md:truncate" title={reasons}>
              {[specialty, reasons].filter((text) => text !== '').join(' · ')}
            </span>
          </span>
          <span className="shrink-0 text-12 text-quiet">{t('decision.load', { count: load })}</span>
        </>
      )}
    />
  );
}

interface TechnicianLine extends Choice {
  name: string;
  specialty: string;
  reasons: string;
  load: number;
}

/** Open orders by technician. */
export function loadsOf(cache: OrderCache | undefined): Map<number, number> {
  const loads = new Map<number, number>();
  for (const { order } of cache?.open.values() ?? []) {
    for (const { id } of order.technicians) loads.set(id, (loads.get(id) ?? 0) + 1);
  }
  return loads;
}
