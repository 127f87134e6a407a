import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { cardLink } from './card-focus.ts';

/** When another order's details open, its card becomes the Tab stop and comes into view. */
export function useShownCard(
  open: number | null,
  board: RefObject<HTMLElement | null>,
  stopAt: (key: number) => void,
): void {
  const latest = useRef(stopAt);
  useLayoutEffect(() => {
    latest.current = stopAt;
  });
  useLayoutEffect(() => {
    if (open !== null) latest.current(open);
  }, [open]);
  useEffect(() => {
    // As the Tab stop it is drawn, wherever its column is scrolled to.
    if (open === null) return;
    cardLink(board.current, open)?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open, board]);
}
