// What of the dashboard is shown: tab and search in the URL (a reload and a copied link keep them), the row height
// on this device.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { SEARCH_DEBOUNCE_MS } from './search.ts';
import { isTab, type Tab } from './tabs.ts';

/** Sets one parameter of the address, '' to drop it. */
function useSetParam(): (name: string, value: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (name, value) => {
      // The address itself, not the one of the last drawing: two changes may come before it is drawn again.
      const now = new URLSearchParams(window.location.search);
      if ((now.get(name) ?? '') !== value) void navigate(searchOf(now, name, value), { replace: true });
    },
    [navigate],
  );
}

export function useTab(): [Tab, (tab: Tab) => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const said = params.get('tab');
  return [isTab(said) ? said : 'all', (tab) => setParam('tab', tab === 'all' ? '' : tab)];
}

/** What is typed at once, and what is searched for once typing has paused. */
export function useSearch(): { typed: string; type: (text: string) => void; searched: string } {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const searched = params.get('q') ?? '';
  const [typed, type] = useState(searched);
  const [asked, ask] = useState(searched);
  const [before, remember] = useState(searched);

  // Another search came by the address (a link, the command palette): the field follows.
  if (searched !== before) {
    remember(searched);
    if (searched !== asked) type(searched);
  }

  useEffect(() => {
    const timer = setTimeout(() => {
      ask(typed);
      setParam('q', typed);
    }, SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, setParam]);
  return { typed, type, searched };
}

/** The order whose details are open. */
export function useOpenOrder(): [number | null, () => void] {
  const [params] = useSearchParams();
  const setParam = useSetParam();
  const said = Number(params.get('ro'));
  return [Number.isSafeInteger(said) && said > 0 ? said : null, () => setParam('ro', '')];
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

const DENSITY_KEPT_AT = 'dispatch.density';
const densityListeners = new Set<() => void>();

export function useDensity(): [Density, (density: Density) => void] {
  const density = useSyncExternalStore(
    (listener) => {
      densityListeners.add(listener);
      return () => densityListeners.delete(listener);
    },
    (): Density => (localStorage.getItem(DENSITY_KEPT_AT) === 'dense' ? 'dense' : 'comfortable'),
  );
  const choose = (chosen: Density) => {
    localStorage.setItem(DENSITY_KEPT_AT, chosen);
    for (const listener of densityListeners) listener();
  };
  return [density, choose];
}

/** Below this width rows are cards and the rail lies at the bottom. */
const NARROW = '(max-width: 767px)';

export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** Below this width the table's roomy columns do not fit beside the rail and a scrollbar. */
const TIGHT = '(max-width: 1365px)';

export function useTight(): boolean {
  return useMedia(TIGHT);
}

function useMedia(media: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(media);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(media).matches);
}
