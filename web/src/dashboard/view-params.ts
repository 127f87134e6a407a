// The dashboard's view, kept in the URL where it is not the default: a reload and a copied link show the same.
// Columns and row height are also stored on this device, as defaults for an address without them.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useMedia } from '../ui/media.ts';
import { isTab, type Tab } from './categories.ts';
import { defaultLayout, type Layout, layoutText, readLayout } from './column-layout.ts';
import { SEARCH_DEBOUNCE_MS } from './search.ts';
import { readSort, type Sort, sortText } from './sorting.ts';

/** Sets one parameter of the address, '' to drop it. */
function useSetParam(): (name: string, value: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (name, value) => {
      // Reads the current address, not the one of the last render: two changes may come before a render.
      const now = new URLSearchParams(window.location.search);
      if ((now.get(name) ?? '') !== value) void navigate(searchOf(now, name, value), { replace: true });
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

/** What is typed at once, and what is searched for once typing has paused. */
export function useSearch(): { typed: string; type: (text: string) => void; searched: string } {
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
  return { typed, type, searched };
}

export function useSort(): [Sort | null, (sort: Sort | null) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = params.get('sort');
  const sort = useMemo(() => readSort(param), [param]);
  return [sort, (chosen) => setParam('sort', sortText(chosen))];
}

/** The order whose details are open. */
export function useOpenOrder(): [number | null, () => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const param = Number(params.get('ro'));
  return [Number.isSafeInteger(param) && param > 0 ? param : null, () => setParam('ro', '')];
}

export function useOpenDetails(): (key: number) => void {
  const setParam = useSetParam();
  return useCallback((key) => setParam('ro', String(key)), [setParam]);
}

/** The present address with that order's details open. */
export function useOrderLink(): (key: number) => { search: string } {
  const [params] = useSearchParams();
  return (key) => searchOf(params, 'ro', String(key));
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

/** Below this width the table's roomy columns do not fit beside the rail and a scrollbar. */
const TIGHT = '(max-width: 1365px)';

export function useNarrowTable(): boolean {
  return useMedia(TIGHT);
}

/** A finger does the pointing: targets are larger, and nothing waits to be hovered. */
export function useTouchPointer(): boolean {
  return useMedia('(pointer: coarse)');
}
