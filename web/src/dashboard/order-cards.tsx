// The same orders on a phone: a card each, two beside each other where there is room.
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type Ref,
  useCallback,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { useNewest } from '../ui/latest.ts';
import { useMedia } from '../ui/media.ts';
import type { ListHandle } from './first-hit.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { OrderCard } from './order-card.tsx';
import { rowClicks } from './row-click.ts';

/** px, until a card has been measured. */
const CARD_HEIGHT = 120;
const GAP = 8;
/** A wide screen at 200 %, or a phone on its side. */
const TWO_LANES = '(min-width: 640px)';

interface OrderCardsProps {
  rows: readonly FrozenRow[];
  may: OrderPermissions;
  /** Null: nothing can be ticked here. */
  selected: ReadonlySet<number> | null;
  /** px left free below the last card. */
  foot: number;
  ref?: Ref<ListHandle>;
}

export function OrderCards({ rows, may, selected, foot, ref }: OrderCardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lanes = useMedia(TWO_LANES) ? 2 : 1;
  const openDetails = useContext(OpenDetailsContext);
  const onScreen = useKeysOnScreen(rows);
  const [unfolded, toggleUnfolded] = useUnfoldedCards();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => rows[index]?.cached.order.key ?? index,
    gap: GAP,
    lanes,
    paddingEnd: Math.max(foot, GAP),
    overscan: 4,
  });
  useFirstCard(scroller, ref);
  return (
    <div ref={scroller} className="-mx-3 min-h-0 flex-1 overflow-auto px-3">
      {/* By keyboard the number's link opens the details. */}
      <ul
        data-holds="touch"
        {...rowClicks((key) => openDetails?.(key))}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={placeOf(item, lanes)}
              className="absolute top-0"
            >
              <OrderCard
                cached={row.cached}
                removal={row.removal}
                may={may}
                selected={selected === null ? null : selected.has(row.cached.order.key)}
                onScreen={onScreen}
                isUnfolded={unfolded.has(row.cached.order.key)}
                unfold={toggleUnfolded}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function placeOf({ start, lane }: VirtualItem, lanes: number): CSSProperties {
  return {
    transform: `translateY(${start}px)`,
    left: lanes === 1 || lane === 0 ? 0 : `calc(50% + ${GAP / 2}px)`,
    width: lanes === 1 ? '100%' : `calc(50% - ${GAP / 2}px)`,
  };
}

/** The orders that can still be ticked, in screen order; the function stays the same, so that no card renders for it. */
function useKeysOnScreen(rows: readonly FrozenRow[]): () => readonly number[] {
  const keys = useMemo(
    () => rows.filter(({ removal }) => removal === null).map(({ cached }) => cached.order.key),
    [rows],
  );
  const keysNow = useNewest(keys);
  return useCallback(() => keysNow.current, [keysNow]);
}

function useUnfoldedCards(): [ReadonlySet<number>, (key: number) => void] {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((key: number) => {
    setUnfolded((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  return [unfolded, toggle];
}

/** The first card takes the focus as soon as it is drawn. */
function useFirstCard(scroller: { current: HTMLDivElement | null }, ref: Ref<ListHandle> | undefined): void {
  const [isWanted, setIsWanted] = useState(false);
  useImperativeHandle(ref, () => ({
    focusFirst: () => {
      if (scroller.current !== null) scroller.current.scrollTop = 0;
      setIsWanted(true);
    },
  }));
  useLayoutEffect(() => {
    if (!isWanted) return;
    const link = scroller.current?.querySelector<HTMLElement>('[aria-posinset="1"] a');
    if (link == null) return;
    link.focus({ preventScroll: true });
    setIsWanted(false);
  });
}
