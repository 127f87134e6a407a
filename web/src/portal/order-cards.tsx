// The same orders where there is no room for a table: a card each, the facts in the table's order.
import { memo } from 'react';
import { NumberLink, TagNumber, VinWithCopy } from '../dashboard/order-fields.tsx';
import { useRowHighlight } from '../dashboard/row-highlight.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { JobLines } from './job-lines.tsx';
import { Advisor, DraftMark, DueTimes, Priority, Status } from './order-fields.tsx';
import type { ListProps, PortalOrder } from './order-list.ts';
import { StageSection } from './stage-section.tsx';

export function OrderCards({ orders, ...shared }: ListProps) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t('portal.orders')} className="grid grid-cols-1 gap-2 md:grid-cols-2">
      {orders.map((listed) => (
        // What is scrolled out of sight is neither styled, laid out nor painted; until it was once, it counts as that high.
        <li
          key={listed.order.key}
          className="min-w-0 [contain-intrinsic-height:auto_20rem] [content-visibility:auto]"
        >
          <OrderCard listed={listed} {...shared} />
        </li>
      ))}
    </ul>
  );
}

type OrderCardProps = Omit<ListProps, 'orders'> & { listed: PortalOrder };

function OrderCard(props: OrderCardProps) {
  const { order, changedAt } = props.listed;
  const highlight = useRowHighlight(changedAt);
  return (
    <article
      data-key={order.key}
      data-glow={highlight.on || undefined}
      style={highlight.style}
      className={`relative h-full rounded-lg border border-line bg-raised p-3 ${highlight.on ? 'glow overflow-hidden' : ''}`}
    >
      <OrderFacts {...props} />
    </article>
  );
}

/** Memoised apart from the card, which is drawn again when it stops glowing. */
const OrderFacts = memo(function OrderFacts({ listed, clocked, pick, staged }: OrderCardProps) {
  const { order, isEtl } = listed;
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 flex-1 text-16 font-medium break-words normal-nums">{order.customer}</span>
        <DraftMark roNumber={order.key} />
        <TagNumber order={order} />
        <span className="-my-3 inline-flex min-h-11 min-w-11 shrink-0 items-center justify-end *:flex *:min-h-11 *:items-center *:px-1 *:text-16">
          <NumberLink order={order} />
        </span>
      </div>
      <p className="mt-0.5 text-14">{order.vehicle}</p>
      {/* A thumb's target is higher than the line. */}
      <div className="max-md:-my-2">
        <VinWithCopy vin={order.vin} />
      </div>
      <div className="mt-2 flex items-center justify-between gap-3">
        <Status listed={listed} pick={pick} />
        <Priority listed={listed} />
      </div>
      <div className="mt-2.5 border-t border-line pt-2.5 text-13">
        <Advisor name={order.advisor} isEtl={isEtl} />
      </div>
      {/* A row of its own: it takes its width from the card and has none beside another. */}
      <div className="mt-2">
        <DueTimes order={order} clock={clocked.clock} />
      </div>
      <div className="mt-2 border-t border-line pt-2">
        <JobLines order={order} clocked={clocked} />
      </div>
      {staged !== null && <StageSection listed={listed} staged={staged} />}
    </>
  );
});
