// Rows keep their place while the user interacts with one: the values update at once, the sort order waits until the
// interaction ends. The order last on screen is kept.
import { useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import type { OpenOrder } from '../repair-order/order-cache.ts';

export interface FrozenRow {
  cached: OpenOrder;
  /** Why the row is only kept in place: the order was closed, or moved to another tab or search. */
  removal: 'closed' | 'elsewhere' | null;
}

/** The pending changes: how many rows arrive, move and leave. */
export interface PendingRows {
  coming: number;
  moved: number;
  going: number;
}

type Open = ReadonlyMap<number, OpenOrder>;

/** The rows in their places on screen, with their current values. */
export function updateFrozenRows(
  onScreen: readonly FrozenRow[],
  newest: readonly OpenOrder[],
  open: Open,
): FrozenRow[] {
  const inList = new Set(newest.map(({ order }) => order.key));
  return onScreen.map((row) => {
    const { key } = row.cached.order;
    const cached = open.get(key);
    if (cached === undefined)
      return row.removal === 'closed' ? row : { cached: row.cached, removal: 'closed' };
    const removal = inList.has(key) ? null : 'elsewhere';
    return cached === row.cached && removal === row.removal ? row : { cached, removal };
  });
}

export function countPendingRows(onScreen: readonly FrozenRow[], newest: readonly OpenOrder[]): PendingRows {
  const places = new Map(newest.map(({ order }, place) => [order.key, place]));
  const newPlaces = onScreen.flatMap(({ cached }) => places.get(cached.order.key) ?? []);
  return {
    coming: newest.length - newPlaces.length,
    moved: newPlaces.length - longestRise(newPlaces),
    going: onScreen.length - newPlaces.length,
  };
}

/** How many rows can keep their place when the others are sorted: the longest increasing subsequence. */
function longestRise(places: readonly number[]): number {
  // The smallest end of a rise of each length.
  const ends: number[] = [];
  for (const place of places) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = place;
  }
  return ends.length;
}

export interface FrozenRowOrder {
  rows: readonly FrozenRow[];
  /** Null: the newest sort order is on screen. */
  waiting: PendingRows | null;
  showNow(): void;
}

const oneMore = (times: number) => times + 1;

/** `view`: the chosen view; another view shows its newest sort order at once. */
export function useFrozenRowOrder(
  newest: readonly OpenOrder[],
  open: Open,
  view: string,
  holding: boolean,
): FrozenRowOrder {
  const onScreen = useRef<{ view: string; showNowCount: number; rows: readonly FrozenRow[] } | null>(null);
  const [showNowCount, showNow] = useReducer(oneMore, 0);

  const rows = useMemo(() => {
    const before = onScreen.current;
    const isFrozen =
      holding && before?.view === view && before.showNowCount === showNowCount && before.rows.length > 0;
    return isFrozen
      ? updateFrozenRows(before.rows, newest, open)
      : newest.map((cached) => ({ cached, removal: null }));
  }, [newest, open, view, holding, showNowCount]);
  const waiting = useMemo(() => {
    if (!holding) return null;
    const waits = countPendingRows(rows, newest);
    return waits.coming + waits.moved + waits.going > 0 ? waits : null;
  }, [rows, newest, holding]);

  useLayoutEffect(() => {
    onScreen.current = { view, showNowCount, rows };
  }, [view, showNowCount, rows]);
  return { rows, waiting, showNow };
}
