// The orders before and after the open one, in the list as it stands on screen.
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Steps } from '../repair-order/details-steps.tsx';
import type { FrozenRow } from './frozen-row-order.ts';

/** `lastIndex`: where the open order was when it was last in the list; -1: it never was. */
export function stepsFrom(
  rows: readonly FrozenRow[],
  openOrder: number | null,
  lastIndex: number,
): Steps & { index: number } {
  const index = indexOf(rows, openOrder);
  const isListed = index >= 0;
  // The row that took the place of one that left is the next one.
  const before = rows.slice(0, Math.max(isListed ? index : lastIndex, 0)).toReversed();
  const after = isListed ? rows.slice(index + 1) : lastIndex < 0 ? [] : rows.slice(lastIndex);
  return {
    index,
    previous: firstOpen(before),
    next: firstOpen(after),
    position: isListed && rows[index]?.removal === null ? index + 1 : null,
    count: rows.length,
  };
}

function indexOf(rows: readonly FrozenRow[], order: number | null): number {
  return order === null ? -1 : rows.findIndex(({ cached }) => cached.order.key === order);
}

function firstOpen(rows: readonly FrozenRow[]): number | null {
  return rows.find(({ removal }) => removal === null)?.cached.order.key ?? null;
}

export function useSteps(rows: readonly FrozenRow[], openOrder: number | null): Steps {
  const last = useRef({ order: openOrder, index: -1 });
  const steps = useMemo(
    () => stepsFrom(rows, openOrder, last.current.order === openOrder ? last.current.index : -1),
    [rows, openOrder],
  );
  useLayoutEffect(() => {
    if (last.current.order !== openOrder || steps.index >= 0)
      last.current = { order: openOrder, index: steps.index };
  }, [openOrder, steps]);
  return steps;
}
