// Gives several orders to technicians: to each order the one who fits it best, which can be changed in place, or all
// to one. Enter dispatches them all.
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { OrderVersion } from '../../api/repair-orders.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useClock } from '../../shop/clock.ts';
import { Button } from '../../ui/button.tsx';
import { useChanges } from '../change-execution.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { type DialogOrders, techniciansField, useDialogOrders } from '../dialog-orders.ts';
import type { DispatchShare } from '../dispatch-shares.ts';
import { HiddenOrders } from '../hidden-orders.tsx';
import type { RepairOrder } from '../order.ts';
import { sumOfWork, type Work, workOf } from '../sold-hours.ts';
import { TechnicianChoice } from '../technician-choice.tsx';
import { isOverToday, loadOf, loadText, withWork, workOfOrder } from '../technician-load.ts';
import { useRanking } from '../technician-ranking.ts';
import { technicians } from '../technicians.ts';
import { OrderChoice } from './order-choice.tsx';
import { SoldText } from './order-work.tsx';
import { type Choices, workByTechnician } from './proposals.ts';
import { byUrgency, useProposals } from './use-proposals.ts';

interface BatchProps {
  orders: readonly number[];
  /** Those of them that the list does not show. */
  hidden: readonly number[];
  close(): void;
}

export function BatchDispatchDialog({ orders: requested, hidden, close }: BatchProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders(requested, techniciansField);
  const batch = useBatch(orders);
  const { rows, technicianOf, added } = batch;
  return (
    <DecisionDialog
      title={t('decision.dispatch.batchTitle', { n: orders.all.length })}
      orders={orders}
      verb={t('decision.dispatch.verb')}
      doing={t('decision.dispatch.doing')}
      startsAtVerb
      ready={rows.every(({ key }) => technicianOf(key) !== null)}
      send={(orderVersions) => {
        const shares = sharesOf(orderVersions, technicianOf);
        const [share] = shares;
        const [order] = share?.orders ?? [];
        return orderVersions.length === 1 && share !== undefined && order !== undefined
          ? changes.send(order, {
              field: 'technicians',
              action: 'assign',
              technician: { id: share.technician },
            })
          : changes.dispatch(shares);
      }}
      // Somebody else has dispatched the order.
      takeTheirs={(seenTo) => {
        if (orders.all.length <= seenTo.length) close();
        else orders.drop(seenTo);
      }}
      close={close}
    >
      <Summary batch={batch} requested={requested} />
      <HiddenOrders orders={orders.all} hidden={hidden} />
      <ul aria-label={t('dispatching.orders')} className="divide-y divide-line rounded-lg border border-line">
        {rows.map((order) => (
          <OrderChoice
            key={order.key}
            order={order}
            proposals={batch.proposals}
            chosen={technicianOf(order.key)}
            choose={(technician) => batch.choose(order.key, technician)}
            added={added}
          />
        ))}
      </ul>
      <AllToOne batch={batch} requested={requested} />
    </DecisionDialog>
  );
}

type Batch = ReturnType<typeof useBatch>;

/** The orders of the dialog, the most urgent first, and who is chosen for each. */
function useBatch(orders: DialogOrders) {
  const { now } = useClock();
  const rows = orders.all.map(({ original }) => original.order).toSorted(byUrgency);
  const proposals = useProposals(rows);
  const [picked, pick] = useState<Choices>(new Map());
  const technicianOf = (order: number) => picked.get(order) ?? proposals?.technicians.get(order) ?? null;
  const [first, ...others] = rows.map(({ key }) => technicianOf(key));
  return {
    rows,
    /** What the batch, as it is chosen, gives to a technician. */
    added: workByTechnician(
      rows.map((order) => ({ key: order.key, work: workOfOrder(order, now) })),
      technicianOf,
    ),
    proposals,
    technicianOf,
    /** The technician of all orders; null where they have several, or none. */
    toOne: first !== undefined && others.every((one) => one === first) ? first : null,
    choose: (order: number, technician: number) => pick(new Map([...picked, [order, technician]])),
    chooseForAll: (technician: number) => pick(new Map(rows.map(({ key }) => [key, technician]))),
    chooseProposals: () => pick(new Map()),
  };
}

function sharesOf(
  orders: readonly OrderVersion[],
  technicianOf: (order: number) => number | null,
): DispatchShare[] {
  const shares = new Map<number, OrderVersion[]>();
  for (const order of orders) {
    const technician = technicianOf(order.roNumber);
    if (technician === null) throw new Error('There is an order without a technician.');
    shares.set(technician, [...(shares.get(technician) ?? []), order]);
  }
  return [...shares].map(([technician, theirs]) => ({ technician, orders: theirs }));
}

interface PartProps {
  batch: Batch;
  requested: readonly number[];
}

function AllToOne({ batch, requested }: PartProps) {
  const { t } = useTranslation();
  const hasProposals = batch.proposals !== undefined && batch.proposals.technicians.size > 0;
  return (
    <section aria-label={t('dispatching.allToOne')} className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 className="text-13 font-semibold">{t('dispatching.allToOne')}</h3>
        {hasProposals && (
          <Button className="h-8" onClick={batch.chooseProposals}>
            {t('dispatching.bestForEach')}
          </Button>
        )}
      </div>
      <TechnicianChoice
        chosen={batch.toOne}
        choose={batch.chooseForAll}
        orders={requested}
        added={batch.added}
        takesFocus={batch.proposals !== undefined && !hasProposals}
      />
    </section>
  );
}

/** How many technicians get how much, and whose day that overfills. */
function Summary({ batch, requested }: PartProps) {
  const { t, locale } = useTranslation();
  const { rows, added, technicianOf } = batch;
  const { data } = useQuery(technicians);
  const { candidate } = useRanking(requested);
  const chosen = new Set(rows.flatMap(({ key }) => technicianOf(key) ?? []));
  const overloaded = [...chosen].flatMap((id) => {
    const load = loadOf(candidate(id));
    const name = data?.find(({ idTechnician }) => idTechnician === id)?.displayName;
    if (load === null || name === undefined) return [];
    const after = withWork(load, added(id));
    return isOverToday(after) ? [{ id, name, text: loadText(after, t, locale) }] : [];
  });
  return (
    <div role="status" className="flex flex-col gap-1 text-13">
      <p className="font-medium">
        {batch.proposals === undefined
          ? t('dispatching.finding')
          : t('dispatching.shares', { orders: rows.length, count: chosen.size })}
        <span className="font-normal text-quiet">
          {' '}
          <span aria-hidden>·</span> <SoldText work={totalOf(rows)} />
        </span>
      </p>
      {overloaded.map(({ id, name, text }) => (
        <p key={id} className="flex items-center gap-1.5 font-medium text-stale">
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {t('dispatching.overloaded', { name, text })}
        </p>
      ))}
    </div>
  );
}

function totalOf(orders: readonly RepairOrder[]): Work {
  return sumOfWork(orders.map(({ jobs }) => workOf(jobs)));
}
