// The dashboard's search and filter, kept in the address (what else is, `remembered-choices.ts` has), and what the
// window has room for.
import { type Atom, createAtom } from '@tanstack/react-store';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '../ui/media.ts';
import { afterPaint } from '../ui/painted.ts';
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
  /** What is in the search box. A key there renders the box, and not the desk. */
  typed: Atom<string>;
  type(text: string): void;
  searched: string;
  /** Searches for this at once. */
  searchFor(text: string): void;
}

/** What is typed at once, and what is searched for once typing has paused. */
export function useSearch(): ListSearch {
  const setParam = useSetParam();
  const param = useAddressParam('q') ?? '';
  const [typed] = useState(() => createAtom(param));
  const [{ searched, isOfAddress }, search] = useState({ searched: param, isOfAddress: true });
  const latest = useRef(param);
  const inAddress = useRef(param);
  /** What was typed or searched for and is not in the address yet; null: the address has it. */
  const awaited = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const begin = useCallback(
    (text: string, isOfAddress: boolean) => {
      clearTimeout(timer.current);
      typed.set(text);
      latest.current = text;
      awaited.current = text === inAddress.current ? null : text;
      search({ searched: text, isOfAddress });
    },
    [typed],
  );
  const searchFor = useCallback((text: string) => begin(text, false), [begin]);
  const type = useCallback(
    (text: string) => {
      clearTimeout(timer.current);
      typed.set(text);
      awaited.current = text;
      timer.current = setTimeout(searchFor, SEARCH_DEBOUNCE_MS, text);
    },
    [typed, searchFor],
  );
  useEffect(() => () => clearTimeout(timer.current), []);

  // The address has another search (a link, the command palette, Back): the field follows, but what was just typed
  // stays, and comes into the address.
  useLayoutEffect(() => {
    inAddress.current = param;
    if (param === awaited.current) awaited.current = null;
    if (awaited.current === null && param !== latest.current) begin(param, true);
  }, [param, begin]);
  // Changing the address makes the browser lay out the page: the result is painted before.
  const showInAddress = useEffectEvent(() => setParam('q', searched));
  useEffect(() => {
    void searched;
    return isOfAddress ? undefined : afterPaint(showInAddress);
  }, [searched, isOfAddress]);
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
