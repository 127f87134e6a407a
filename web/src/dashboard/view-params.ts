// The dashboard's view, kept in the URL where it is not the default: a reload and a copied link show the same.
// Columns and row height are also stored on this device, as defaults for an address without them.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { afterTravel, screenState } from '../ui/history-entries.ts';
import { useMedia } from '../ui/media.ts';
import { isTab, type Tab } from './categories.ts';
import { defaultLayout, type Layout, layoutText, readLayout } from './column-layout.ts';
import { type DueFilter, dueFilters } from './due-time.ts';
import { rememberEntry } from './open-details.ts';
import { SEARCH_DEBOUNCE_MS } from './search.ts';
import { readSort, type Sort, sortText } from './sorting.ts';

/** Sets one parameter of the address, '' to drop it. */
function useSetParam(): (name: string, value: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (name, value) => {
      afterTravel(() => {
        // Reads the current address, not the one of the last render: two changes may come before a render.
        const now = new URLSearchParams(window.location.search);
        if ((now.get(name) ?? '') === value) return;
        void navigate(searchOf(now, name, value), { replace: true, state: screenState() });
        rememberEntry();
      });
    },
    [navigate],
  );
}

export function useTab(): [Tab, (tab: Tab) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = params.get('tab');
  return [isTab(param) ? param : 'all', (tab) => setParam('tab', tab === 'all' ? '' : tab)];
}

/** The filter by due time; null: all orders are listed. */
export function useDueFilter(): [DueFilter | null, (filter: DueFilter | null) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = params.get('due');
  return [dueFilters.find((one) => one === param) ?? null, (filter) => setParam('due', filter ?? '')];
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
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = params.get('q') ?? '';
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
    const timer = setTimeout(() => {
      search(typed);
      setParam('q', typed);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, setParam]);
  const searchFor = (text: string) => {
    type(text);
    search(text);
    setParam('q', text);
  };
  return { typed, type, searched, searchFor };
}

export function useSort(): [Sort | null, (sort: Sort | null) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = params.get('sort');
  const sort = useMemo(() => readSort(param), [param]);
  return [sort, (chosen) => setParam('sort', sortText(chosen))];
}

function searchOf(before: URLSearchParams, name: string, value: string): { search: string } {
  const after = new URLSearchParams(before);
  if (value === '') after.delete(name);
  else after.set(name, value);
  return { search: after.toString() };
}

export const densities = ['comfortable', 'dense'] as const;
export type Density = (typeof densities)[number];
/** px */
export const rowHeight: Record<Density, number> = { comfortable: 44, dense: 34 };
/** px; a row holds targets for a thumb. */
export const touchRowHeight: Record<Density, number> = { comfortable: 52, dense: 46 };

const density: StoredChoice<Density> = {
  name: 'density',
  keptAt: 'dispatch.density',
  fallback: 'comfortable',
  read: (text) => densities.find((one) => one === text) ?? null,
  write: (chosen) => (chosen === 'comfortable' ? '' : chosen),
};

export function useDensity(): [Density, (density: Density) => void] {
  return useStoredChoice(density);
}

const layout: StoredChoice<Layout> = {
  name: 'columns',
  keptAt: 'dispatch.columns',
  fallback: defaultLayout,
  read: readLayout,
  write: layoutText,
};

export function useLayout(): [Layout, (layout: Layout) => void] {
  return useStoredChoice(layout);
}

/** A choice that is kept in the address and on this device. */
interface StoredChoice<T> {
  /** The address's parameter. */
  name: string;
  keptAt: string;
  fallback: T;
  /** Null: the text is invalid. */
  read(text: string | null): T | null;
  /** '' for the default. */
  write(value: T): string;
}

const storedChoiceListeners = new Set<() => void>();

function onStoredChoice(listener: () => void): () => void {
  storedChoiceListeners.add(listener);
  return () => storedChoiceListeners.delete(listener);
}

function useStoredChoice<T>({
  name,
  keptAt,
  fallback,
  read,
  write,
}: StoredChoice<T>): [T, (value: T) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const stored = useSyncExternalStore(onStoredChoice, () => localStorage.getItem(keptAt));
  const param = params.get(name);
  const isSaid = read(param) !== null;
  const text = isSaid ? param : stored;
  const value = useMemo(() => read(text) ?? fallback, [text, read, fallback]);

  // A choice stored on this device is put in the address, so that a copied link shows it.
  const unsaid = isSaid ? '' : write(value);
  useEffect(() => {
    if (unsaid !== '') setParam(name, unsaid);
  }, [name, unsaid, setParam]);

  const choose = (chosen: T) => {
    localStorage.setItem(keptAt, write(chosen));
    for (const listener of storedChoiceListeners) listener();
    setParam(name, write(chosen));
  };
  return [value, choose];
}

/** From this width on the details stand beside the list; below it they cover it. */
const BESIDE = '(min-width: 1366px)';

export function useDetailsBeside(): boolean {
  return useMedia(BESIDE);
}

/** Below these widths the table's roomy columns do not fit beside the rail, a scrollbar and the details. */
const TIGHT = '(max-width: 1365px)';
const TIGHT_BESIDE_DETAILS = '(max-width: 1879px)';

export function useNarrowTable(isBesideDetails: boolean): boolean {
  return useMedia(isBesideDetails ? TIGHT_BESIDE_DETAILS : TIGHT);
}

/** A finger does the pointing: targets are larger, and nothing waits to be hovered. */
export function useTouchPointer(): boolean {
  return useMedia('(pointer: coarse)');
}
