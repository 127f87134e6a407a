// Rows keep their place while somebody is about to touch one: what a row says changes at once, where it stands waits
// until the hand is gone. What was on screen last is the order that is held.
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OpenOrder } from '../repair-order/order-cache.ts';

export interface FrozenRow {
  cached: OpenOrder;
  /** Why it is only there because its place is held: it was closed, or belongs to another tab or search now. */
  removal: 'closed' | 'elsewhere' | null;
}

/** What is held back: how many rows come, stand elsewhere, and go. */
export interface PendingRows {
  coming: number;
  moved: number;
  going: number;
}

type Open = ReadonlyMap<number, OpenOrder>;

/** The rows as they stand on screen, saying what is known of them now. */
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

/** How many can stay where they are when the others are put right: the longest rising subsequence. */
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
  /** Null: what is on screen is the newest order. */
  waiting: PendingRows | null;
  showNow(): void;
}

/** `view`: what the user chose to see; another one is shown in its newest order at once. */
export function useFrozenRowOrder(
  newest: readonly OpenOrder[],
  open: Open,
  view: string,
  holding: boolean,
): FrozenRowOrder {
  const onScreen = useRef<{ view: string; showNowCount: number; rows: readonly FrozenRow[] } | null>(null);
  const [showNowCount, setAsked] = useState(0);

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
  const showNow = useCallback(() => setAsked((times) => times + 1), []);
  return { rows, waiting, showNow };
}
