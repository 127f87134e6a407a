// The dashboard's search and filter, kept in the address (what else is, `remembered-choices.ts` has), and what the
// window has room for.
import { useEffect, useState } from 'react';
import { useMedia } from '../ui/media.ts';
import { useAddressParam, useSetParam } from './address-params.ts';
import { type DueFilter, dueFilters } from './due-filters.ts';
import type { Density } from './remembered-choices.ts';
import { SEARCH_DEBOUNCE_MS } from './search.ts';

/** The filter by due time; null: all orders are listed. */
export function useDueFilter(): [DueFilter | null, (filter: DueFilter | null) => void] {
  const setParam = useSetParam();
  const param = useAddressParam('due');
  return [dueFilters.find((one) => one === param) ?? null, (filter) => setParam('due', filter ?? '')];
}

/** The filter by stage (an id); null: all orders are listed. */
export function useStageFilter(): [string | null, (stage: string | null) => void] {
  const setParam = useSetParam();
  const param = useAddressParam('stage');
  return [param || null, (stage) => setParam('stage', stage ?? '')];
}

export interface ListSearch {
  typed: string;
  type(text: string): void;
  searched: string;
  /** Searches for this at once. */
  searchFor(text: string): void;
}

/** What is typed at once, and what is searched for once typing has paused. */
export function useSearch(): ListSearch {
  const setParam = useSetParam();
  const param = useAddressParam('q') ?? '';
  const [typed, type] = useState(param);
  // Searched for at once: the address follows when the router gets to it.
  const [searched, search] = useState(param);
  const [before, remember] = useState(param);

  // The address has another search (a link, the command palette): the field follows.
  if (param !== before) {
    remember(param);
    if (param !== searched) {
      type(param);
      search(param);
    }
  }

  useEffect(() => {
    // Otherwise the search of a view that was just opened would be overwritten.
    if (typed === searched) return;
    const timer = setTimeout(() => {
      search(typed);
      setParam('q', typed);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, searched, setParam]);
  const searchFor = (text: string) => {
    type(text);
    search(text);
    setParam('q', text);
  };
  return { typed, type, searched, searchFor };
}

/** px */
export const rowHeight: Record<Density, number> = { comfortable: 44, dense: 34 };
/** px; a row holds targets for a thumb. */
export const touchRowHeight: Record<Density, number> = { comfortable: 52, dense: 46 };

/** From this width on the details stand beside the list; below it they cover it. */
const BESIDE = '(min-width: 1366px)';

export function useDetailsBeside(): boolean {
  return useMedia(BESIDE);
}

/** Below these widths the table's roomy columns do not fit beside the rail, a scrollbar and the details. */
const TIGHT = '(max-width: 1365px)';
const TIGHT_BESIDE_DETAILS = '(max-width: 1879px)';
const CROWDED_BESIDE_DETAILS = '(max-width: 1499px)';

export function useNarrowTable(isBesideDetails: boolean): boolean {
  return useMedia(isBesideDetails ? TIGHT_BESIDE_DETAILS : TIGHT);
}

/** Beside the details, on a screen that is no wider than the one at which they first stand there, or not by much. */
export function useCrowdedTable(isBesideDetails: boolean): boolean {
  return useMedia(CROWDED_BESIDE_DETAILS) && isBesideDetails;
}

/** A finger does the pointing: targets are larger, and nothing waits to be hovered. */
export function useTouchPointer(): boolean {
  return useMedia('(pointer: coarse)');
}
