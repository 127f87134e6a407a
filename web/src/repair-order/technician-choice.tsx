// The technicians to choose from, the best fit first, each with what speaks for and against them.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest, failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { type Choice, ChoiceList } from '../ui/choice-list.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import type { OrderCache } from './order-cache.ts';
import { type TechnicianFacts, TechnicianLine } from './technician-line.tsx';
import { type AddedWork, loadOf } from './technician-load.ts';
import { useRanking } from './technician-ranking.ts';
import { teamWeekText, weekOf } from './technician-week.ts';
import { technicians } from './technicians.ts';
import { useOrders } from './use-orders.ts';

interface TechnicianChoiceProps {
  chosen: number | null;
  choose(technician: number): void;
  /** The orders to assign. */
  orders: readonly number[];
  /** The technicians who are already assigned. */
  without?: readonly number[];
  /** The work that the choice would give to a technician. */
  added?: (technician: number) => AddedWork;
  /** False: something else in the dialog gets the focus first. */
  takesFocus?: boolean;
}

export function TechnicianChoice(props: TechnicianChoiceProps) {
  const { chosen, choose, orders, without = [], added, takesFocus } = props;
  const { t, locale } = useTranslation();
  const ranking = useRanking(orders);
  const { data, error, refetch, isFetching } = useQuery(technicians);
  const cache = useOrders();
  const loads = useMemo(() => loadsOf(cache), [cache]);

  useEffect(() => {
    if (error === null) return;
    showToast({ tone: 'destructive', text: t('toast.techniciansFailed'), ...failureDetail(error, t) });
  }, [error, t]);

  if (data === undefined && error !== null) {
    return (
      <div className="flex flex-col items-start gap-3 text-13">
        <p role="alert">
          {t('toast.techniciansFailed')}. <span className="text-quiet">{errorMessage(error, t)}</span>
        </p>
        <RequestReference request={failedRequest(error, t)} />
        <Button onClick={() => void refetch()} disabled={isFetching}>
          {t('details.retry')}
        </Button>
      </div>
    );
  }
  if (data === undefined || !ranking.settled) return <LoadingTechnicians />;
  const { placeOf } = ranking;
  const offered = data.filter(({ idTechnician }) => !without.includes(idTechnician));
  const choices = (
    placeOf === null
      ? offered
      : offered.toSorted((one, other) => placeOf(one.idTechnician) - placeOf(other.idTechnician))
  ).map((technician): TechnicianOption => {
    const { idTechnician: id, displayName: name, specialty } = technician;
    const candidate = ranking.candidate(id);
    // Of the same moment as the hours; without a ranking as they are now.
    const openOrders = loadOf(candidate)?.openOrders ?? loads.get(id) ?? 0;
    const facts = { name, specialty, candidate, openOrders, added: added?.(id) };
    return { value: String(id), text: `${name} ${specialty}`, facts };
  });
  if (choices.length === 0) return <p className="text-13 text-quiet">{t('decision.nobodyLeft')}</p>;
  // It is the same in each line.
  const week = weekOf(choices.flatMap(({ facts }) => facts.candidate?.reasons ?? []));
  const team = week === null ? null : teamWeekText(week, t, locale);
  return (
    <>
      {team !== null && <p className="mb-1.5 text-12 text-quiet">{team}</p>}
      <ChoiceList
        label={t('decision.technician')}
        choices={choices}
        chosen={chosen === null ? null : String(chosen)}
        choose={(value) => choose(Number(value))}
        search={{ placeholder: t('decision.search'), none: t('decision.noMatch') }}
        takesFocus={takesFocus}
        draw={({ facts }) => <TechnicianLine {...facts} />}
      />
    </>
  );
}

interface TechnicianOption extends Choice {
  facts: TechnicianFacts;
}

function LoadingTechnicians() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('decision.loadingTechnicians')}</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

/** Open orders by technician. */
export function loadsOf(cache: OrderCache | undefined): Map<number, number> {
  const loads = new Map<number, number>();
  for (const { order } of cache?.open.values() ?? []) {
    for (const { id } of order.technicians) loads.set(id, (loads.get(id) ?? 0) + 1);
  }
  return loads;
}
