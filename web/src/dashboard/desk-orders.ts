// The orders of the desk: all open ones, and of them what the view lists, sorted.
import { useMemo } from 'react';
import { useListFailure } from '../repair-order/freshness.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { useListLoading, useOrders } from '../repair-order/use-orders.ts';
import { useClock } from '../shop/clock.ts';
import { countTabs, ordersInTab, type TabCounts } from './categories.ts';
import type { DeskView } from './desk-view.ts';
import type { DueCounts } from './due-filters.ts';
import { useFoundOrders } from './found-orders.ts';
import { sortOrders } from './sorting.ts';
import { DUE_HOLDS, ordersInStage } from './stage-filters.ts';

export interface DeskOrders {
  /** False until the first list is here. */
  loaded: boolean;
  open: ReadonlyMap<number, OpenOrder>;
  counts: TabCounts;
  found: readonly RepairOrder[];
  /** The orders found, as they are in the cache. */
  shown: readonly OpenOrder[];
  due: DueCounts;
  /** How many the tab All lists; null where it lists no more than this one. */
  moreInAll: number | null;
  failure: unknown;
  isFetching: boolean;
  retry(): void;
}

const noOrders: ReadonlyMap<number, OpenOrder> = new Map();

export function useDeskOrders({ tab, searched, due, stage, sort }: DeskView, locale: string): DeskOrders {
  const cache = useOrders();
  const { isLoading, load } = useListLoading();
  const failure = useListFailure();
  const { now } = useClock();
  const loaded = cache !== undefined && cache.listSeq >= 0;
  const open = cache?.open ?? noOrders;
  const all = useMemo(() => [...open.values()].map(({ order }) => order), [open]);
  // Single orders that are told of before the list is here are no count of all.
  const counts = useMemo(() => countTabs(loaded ? all : []), [all, loaded]);
  // A hold becomes due without a change; nothing else of it depends on the time.
  const nowOfStage = stage === DUE_HOLDS ? now : 0;
  const inStage = useMemo(() => ordersInStage(all, stage, nowOfStage), [all, stage, nowOfStage]);
  const sorted = useMemo(
    () => sortOrders(ordersInTab(inStage, tab), tab, sort, locale),
    [inStage, tab, sort, locale],
  );
  const { found, due: dueCounts, inAll } = useFoundOrders(inStage, sorted, { tab, searched, due, now });
  const shown = useMemo(() => found.flatMap(({ key }) => open.get(key) ?? []), [found, open]);
  return {
    loaded,
    open,
    counts,
    found,
    shown,
    due: dueCounts,
    moreInAll: inAll !== null && inAll > found.length ? inAll : null,
    failure,
    isFetching: isLoading,
    retry: load,
  };
}
