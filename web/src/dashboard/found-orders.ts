// What the desk lists of a tab's orders: those that match the search and are as due as the filter asks.
import { useMemo } from 'react';
import type { RepairOrder } from '../repair-order/order.ts';
import type { Tab } from './categories.ts';
import { countDue, type DueCounts, type DueFilter, filterDue } from './due-filters.ts';
import { searchOrders } from './search.ts';

interface ListQuery {
  tab: Tab;
  searched: string;
  due: DueFilter | null;
  /** The start of the present minute. */
  now: number;
}

interface FoundOrders {
  found: readonly RepairOrder[];
  /** Of the orders that match the search, how many each filter would list. */
  due: DueCounts;
  /** How many the same search and filter list on the tab All; null there, and without a search. */
  inAll: number | null;
}

/** `ofTab`: the tab's orders, sorted. */
export function useFoundOrders(
  all: readonly RepairOrder[],
  ofTab: readonly RepairOrder[],
  { tab, searched, due, now }: ListQuery,
): FoundOrders {
  const matching = useMemo(() => searchOrders(ofTab, searched), [ofTab, searched]);
  const found = useMemo(() => filterDue(matching, due, now), [matching, due, now]);
  const counts = useMemo(() => countDue(matching, now), [matching, now]);
  const asksForAll = tab !== 'all' && searched.trim() !== '';
  const inAll = useMemo(
    () => (asksForAll ? filterDue(searchOrders(all, searched), due, now).length : null),
    [asksForAll, all, searched, due, now],
  );
  return { found, due: counts, inAll };
}
