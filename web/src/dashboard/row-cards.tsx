// The same orders on a phone: a card each, the facts in the table's order, targets a thumb can hit.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import type { OpenOrder } from '../repair-order/picture.ts';
import { PrioritySign } from '../repair-order/priority-sign.tsx';
import { Assignment, Jobs, NumberLink, Timeline, VinWithCopy } from './facts.tsx';
import { useGlow } from './glow.ts';
import { StatusPicker } from './status-picker.tsx';

/** px, until a card has been measured. */
const CARD_HEIGHT = 226;
const GAP = 8;

export function OrderCards({ orders, mayChangeStatus }: { orders: OpenOrder[]; mayChangeStatus: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: orders.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => orders[index]?.order.key ?? index,
    gap: GAP,
    overscan: 4,
  });
  return (
    <div ref={scroller} className="-mx-3 min-h-0 flex-1 overflow-auto px-3">
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const known = orders[item.index];
          return known === undefined ? null : (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              aria-setsize={orders.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <OrderCard known={known} mayChangeStatus={mayChangeStatus} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const OrderCard = memo(function OrderCard({
  known,
  mayChangeStatus,
}: {
  known: OpenOrder;
  mayChangeStatus: boolean;
}) {
  const { order, changedAt } = known;
  const glow = useGlow(changedAt);
  return (
    <article
      data-glow={glow.on || undefined}
      style={glow.style}
      className={`relative overflow-hidden rounded-lg border border-line bg-raised p-3 ${glow.on ? 'glow' : ''}`}
    >
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 text-14 font-medium break-words">{order.customer}</span>
        <span className="-my-3 inline-flex min-h-11 shrink-0 items-center">
          <NumberLink order={order} />
        </span>
      </div>
      <div className="mt-0.5 text-13">{order.vehicle}</div>
      <div className="-my-2">
        <VinWithCopy vin={order.vin} />
      </div>
      <div className="mt-2 flex items-center justify-between gap-3">
        <StatusPicker order={order} readOnly={!mayChangeStatus} />
        <PrioritySign priority={order.priority} />
      </div>
      <div className="mt-2.5 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 border-t border-line pt-2.5 text-13">
        <Assignment order={order} />
        <Timeline order={order} />
        <div className="col-span-2">
          <Jobs order={order} />
        </div>
      </div>
    </article>
  );
});
