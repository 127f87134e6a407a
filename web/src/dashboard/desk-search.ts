// The search field of the desk: what focuses and clears it, and what its Enter and its hits on the tab All do.
import { type RefObject, useCallback, useRef } from 'react';
import { isTouchPointer } from '../ui/pointer-type.ts';
import type { DeskView } from './desk-view.ts';
import { type ListHandle, useFirstHit } from './first-hit.ts';

export interface DeskSearch {
  input: RefObject<HTMLInputElement | null>;
  focus(): void;
  clear(): void;
  /** Goes to the first order found, on the tab All where this one has none, among the closed ones where there is no open one. */
  goToFirst(): void;
  /** The first closed order takes the focus as soon as it is there. */
  goesToClosed: boolean;
  /** Null: the tab All lists no more than this one. */
  showAll: (() => void) | null;
}

export function useDeskSearch(
  { typed, searched, searchFor, chooseTab }: DeskView,
  rowCount: number,
  isMoreInAll: boolean,
  list: RefObject<ListHandle | null>,
): DeskSearch {
  const input = useRef<HTMLInputElement>(null);
  const focus = useCallback(() => input.current?.focus(), []);
  /** Where a button that was pressed is gone; a touch screen would open its keyboard. */
  const refocus = () => {
    if (!isTouchPointer()) focus();
  };
  const clear = () => {
    searchFor('');
    refocus();
  };
  const toAll = () => {
    chooseTab('all');
    refocus();
  };
  const showAll = isMoreInAll ? toAll : null;
  const { goToFirst, goesToClosed } = useFirstHit({
    typed,
    searchNow: () => searchFor(typed.get()),
    rowCount,
    list,
    showAll,
    searched,
  });
  return { input, focus, clear, goToFirst, goesToClosed, showAll };
}
