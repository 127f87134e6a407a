// The same orders on a phone: a card each, the facts in the table's order, targets a thumb can hit.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { PresenceIndicator } from '../repair-order/presence-indicator.tsx';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import { Assignment, Jobs, NumberLink, TagNumber, VinWithCopy } from './order-fields.tsx';
import { CardActions, PriorityControl } from './row-actions.tsx';
import { useRowHighlight } from './row-highlight.ts';
import { SelectOrder } from './row-selection.tsx';
import { StatusPicker } from './status-picker.tsx';
import { Timeline } from './timeline.tsx';

/** px, until a card has been measured. */
const CARD_HEIGHT = 280;
const GAP = 8;
/** px; what lies over the foot of the list can be scrolled away from the last card. */
const FOOT = 68;

interface OrderCardsProps {
  rows: readonly FrozenRow[];
  may: OrderPermissions;
  /** Null: nothing can be ticked here. */
  selected: ReadonlySet<number> | null;
}

export function OrderCards({ rows, may, selected }: OrderCardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useMemo(
    () => rows.filter(({ removal }) => removal === null).map(({ cached }) => cached.order.key),
    [rows],
  );
  const keysNow = useRef(keys);
  useEffect(() => {
    keysNow.current = keys;
  }, [keys]);
  const onScreen = useCallback(() => keysNow.current, []);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => rows[index]?.cached.order.key ?? index,
    gap: GAP,
    paddingEnd: selected !== null && selected.size > 0 ? FOOT : GAP,
    overscan: 4,
  });
  return (
    <div ref={scroller} className="-mx-3 min-h-0 flex-1 overflow-auto px-3">
      <ul data-holds="touch" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <OrderCard
                cached={row.cached}
                removal={row.removal}
                may={may}
                selected={selected === null ? null : selected.has(row.cached.order.key)}
                onScreen={onScreen}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface OrderCardProps extends FrozenRow {
  may: OrderPermissions;
  selected: boolean | null;
  onScreen: () => readonly number[];
}

const OrderCard = memo(function OrderCard({ cached, removal, may, selected, onScreen }: OrderCardProps) {
  const { t } = useTranslation();
  const { order, changedAt } = cached;
  const highlight = useRowHighlight(changedAt);
  const isGlowing = highlight.on && removal === null;
  const ground = selected === true ? 'border-accent bg-accent-tint' : 'border-line bg-raised';
  return (
    <article
      data-glow={isGlowing || undefined}
      aria-disabled={removal !== null || undefined}
      style={highlight.style}
      className={`relative overflow-hidden rounded-lg border p-3 ${ground} ${isGlowing ? 'glow' : ''}`}
    >
      {removal !== null && <p className="mb-1 text-13 font-medium">{t(`table.${removal}`)}</p>}
      <div className={removal === null ? '' : 'opacity-45 saturate-50'}>
        <div className="flex items-baseline justify-between gap-3">
          {selected !== null && removal === null && (
            <span className="-my-3.5 -mr-3 -ml-3 self-center">
              <SelectOrder order={order} selected={selected} onScreen={onScreen} />
            </span>
          )}
          <span className="min-w-0 flex-1 text-14 font-medium break-words">{order.customer}</span>
          <span className="-my-3 inline-flex min-h-11 shrink-0 items-center gap-2.5">
            <PresenceIndicator roNumber={order.key} />
            <TagNumber order={order} />
            {removal === null ? (
              <NumberLink order={order} />
            ) : (
              <span className="font-mono text-13">{order.roNumber}</span>
            )}
          </span>
        </div>
        <div className="mt-0.5 text-13">{order.vehicle}</div>
        <div className="-my-2">
          <VinWithCopy vin={order.vin} />
        </div>
        <div className="mt-2 flex items-center justify-between gap-3">
          <StatusPicker order={order} readOnly={!may.status || removal !== null} />
          {removal === null ? (
            <PriorityControl order={order} may={may} />
          ) : (
            <PriorityIcon priority={order.priority} />
          )}
        </div>
        <div className="mt-2.5 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 border-t border-line pt-2.5 text-13">
          <Assignment order={order} />
          <Timeline order={order} />
          <div className="col-span-2">
            <Jobs order={order} />
          </div>
        </div>
        {removal === null && <CardActions order={order} may={may} />}
      </div>
    </article>
  );
});
