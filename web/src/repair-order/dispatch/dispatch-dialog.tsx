// Gives an order to a technician: the work on top, the technicians with their load below. The best fit is chosen
// already, so that Enter dispatches. Several orders have a dialog of their own.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Candidate } from '../../api/candidates.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useClock } from '../../shop/clock.ts';
import { idsOn } from '../assigned-technicians.ts';
import { useChanges } from '../change-execution.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { techniciansField, useDialogOrders } from '../dialog-orders.ts';
import { TechnicianChoice } from '../technician-choice.tsx';
import { isOverToday, loadOf, nothingAdded, workOfOrder } from '../technician-load.ts';
import { bestFit, useRanking, whyText } from '../technician-ranking.ts';
import { weekOf, weekText } from '../technician-week.ts';
import { technicians } from '../technicians.ts';
import { BatchDispatchDialog } from './batch-dialog.tsx';
import { OrderWork } from './order-work.tsx';
import { listedOf, useFirst } from './use-proposals.ts';

interface DispatchProps {
  orders: readonly number[];
  /** Those of them that the list does not show. */
  hidden?: readonly number[] | undefined;
  close(): void;
}

export function DispatchDialog({ orders, hidden, close }: DispatchProps) {
  const [first, ...others] = orders;
  if (first === undefined || others.length > 0) {
    return <BatchDispatchDialog orders={orders} hidden={hidden ?? []} close={close} />;
  }
  return <OneOrderDialog roNumber={first} close={close} />;
}

interface OneOrderProps extends Omit<DispatchProps, 'orders' | 'hidden'> {
  roNumber: number;
}

function OneOrderDialog({ roNumber, close }: OneOrderProps) {
  const { t } = useTranslation();
  const { now } = useClock();
  const changes = useChanges();
  const orders = useDialogOrders([roNumber], techniciansField);
  const [only] = orders.all;
  const without = only === undefined ? [] : idsOn(only);
  const best = useBestFit(roNumber, without);
  const [picked, pick] = useState<number | null>(null);
  const chosen = picked ?? best ?? null;
  return (
    <DecisionDialog
      title={t('decision.dispatch.title', { number: only?.original.order.roNumber ?? roNumber })}
      orders={orders}
      verb={t('decision.dispatch.verb')}
      doing={t('decision.dispatch.doing')}
      ready={chosen !== null}
      send={([orderVersion]) => {
        if (orderVersion === undefined || chosen === null) throw new Error('There is nothing to send.');
        return changes.send(orderVersion, {
          field: 'technicians',
          action: 'assign',
          technician: { id: chosen },
        });
      }}
      // Somebody else has dispatched the order.
      takeTheirs={close}
      close={close}
    >
      {only && <OrderWork order={only.original.order} />}
      <Why roNumber={roNumber} best={best} chosen={chosen} />
      <TechnicianChoice
        chosen={chosen}
        choose={pick}
        orders={[roNumber]}
        without={without}
        added={() => (only === undefined ? nothingAdded : workOfOrder(only.original.order, now))}
      />
    </DecisionDialog>
  );
}

/** Undefined while it is not known; null: there is none. Later answers do not change it. */
function useBestFit(roNumber: number, without: readonly number[]): number | null | undefined {
  const { candidates } = useRanking([roNumber]);
  const { data } = useQuery(technicians);
  return useFirst(() => {
    if (data === undefined || candidates === undefined) return undefined;
    return bestFit(listedOf(candidates, data), without)?.idTechnician ?? null;
  });
}

/** False: today is full of who fits best, and so it is of those who fit as well. */
function hasRoom(candidate: Candidate | undefined): boolean {
  const load = loadOf(candidate);
  return load === null || !isOverToday(load);
}

/** Skills count first, so that with a gap of the first candidate's everybody has one. */
function hasSkills(candidate: Candidate | undefined): boolean {
  return candidate?.reasons.every((reason) => reason.kind !== 'skill' || reason.state === 'has') ?? true;
}

function headingOf(candidate: Candidate | undefined) {
  if (!hasRoom(candidate)) return 'nobodyHasRoom';
  return hasSkills(candidate) ? 'bestFit' : 'nobodySkilled';
}

interface WhyProps {
  roNumber: number;
  best: number | null | undefined;
  chosen: number | null;
}

/** In a sentence, why somebody is proposed, and what is to be known of whoever is chosen instead. */
function Why({ roNumber, best, chosen }: WhyProps) {
  const { t, locale } = useTranslation();
  const { candidate: candidateOf } = useRanking([roNumber]);
  const { data, isError } = useQuery(technicians);
  if (chosen === null) {
    // Without the technicians the list below says what is the matter.
    if (isError && data === undefined) return null;
    return best === undefined ? (
      <p role="status" className="appear-late text-13 text-quiet">
        {t('dispatching.finding')}
      </p>
    ) : (
      <p className="text-13 text-quiet">{t('dispatching.noProposal')}</p>
    );
  }
  const name = data?.find(({ idTechnician }) => idTechnician === chosen)?.displayName ?? '';
  const candidate = candidateOf(chosen);
  const week = weekOf(candidate?.reasons ?? []);
  return (
    <p role="status" className="rounded-lg bg-accent-tint px-3 py-2 text-13">
      <span className="block font-medium">
        {t(`dispatching.${chosen === best ? headingOf(candidate) : 'chosen'}`, { name })}
      </span>
      {candidate !== undefined && (
        <span className="block first-letter:uppercase">
          {whyText(candidate, loadOf(candidate), t, locale)}.
        </span>
      )}
      {week !== null && <span className="block first-letter:uppercase">{weekText(week, t, locale)}.</span>}
    </p>
  );
}
