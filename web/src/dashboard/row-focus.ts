// Which row is the Tab stop. It follows its order when the order moves, and the focus is never lost with a row.
import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { FrozenRow } from './frozen-row-order.ts';

export interface RowFocus {
  /** The index of the Tab stop; -1 without rows. */
  index: number;
  goTo(index: number): void;
  /** Makes it the Tab stop without moving the focus. */
  stopAt(index: number): void;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

/** `list`: in another list the first row is the Tab stop. */
export function useRowFocus(
  list: string,
  rows: readonly FrozenRow[],
  keys: readonly number[],
  body: RefObject<HTMLElement | null>,
): RowFocus {
  const [stop, setStop] = useState<{ key: number; index: number } | null>(null);
  const [stoppedIn, setStoppedIn] = useState(list);
  if (stoppedIn !== list) {
    setStoppedIn(list);
    setStop(null);
  }
  const found = stop === null ? -1 : keys.indexOf(stop.key);
  // The row that took the place of one that left.
  const index = found >= 0 ? found : Math.min(stop?.index ?? 0, keys.length - 1);
  const wanted = useRef<number | null>(null);
  const within = useRef(false);

  useLayoutEffect(() => {
    const key = keys[index];
    // A row that left took the focus with it, or a row that lost its actions lost the focused button.
    const isLost = found < 0 || (rows[index]?.removal ?? null) !== null;
    if (within.current && isLost && document.activeElement === document.body) wanted.current = key ?? null;
    if (wanted.current === null) return;
    body.current
      ?.querySelector<HTMLElement>(`[data-key="${wanted.current}"]`)
      ?.focus({ preventScroll: true });
    wanted.current = null;
  });

  return {
    index,
    goTo: (to) => {
      const key = keys[to];
      if (key === undefined) return;
      wanted.current = key;
      setStop({ key, index: to });
    },
    stopAt: (to) => {
      const key = keys[to];
      if (key !== undefined) setStop({ key, index: to });
    },
    onFocus: ({ target }) => {
      // Focus events also bubble here from menus and dialogs that a row opened elsewhere on the page.
      const row = body.current?.contains(target) ? target.closest<HTMLElement>('[data-key]') : null;
      if (row == null) return;
      within.current = true;
      const key = Number(row.dataset.key);
      if (stop?.key !== key) setStop({ key, index: Number(row.dataset.index) });
    },
    onBlur: ({ target }) => {
      // A button that is disabled during its request gets the focus back.
      within.current = target instanceof HTMLButtonElement && target.disabled;
    },
  };
}
