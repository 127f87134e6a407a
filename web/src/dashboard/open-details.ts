// The order whose details are open is in the address, so that a reload and a copied link open it again. It has an entry
// of its own in the history: Back closes the details, Forward opens them again, and another order takes the entry over.
import { useCallback, useEffect } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router';
import { afterTravel, goBack, historyIndex, screenState } from '../ui/history-entries.ts';

export const DETAILS_PARAM = 'ro';

/** In the state of the entry that opening the details added. */
const DETAILS_ENTRY = { isDetails: true };

function isDetailsEntry(): boolean {
  const state = screenState();
  return typeof state === 'object' && state !== null && 'isDetails' in state;
}

/** The link to an order's details. */
export function detailsLink(key: number): string {
  return `?${DETAILS_PARAM}=${key}`;
}

/** The order whose details are open, and what closes them. */
export function useOpenOrder(): [number | null, () => void] {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  useKeptView();
  const close = useCallback(
    () =>
      afterTravel(() => {
        const params = new URLSearchParams(window.location.search);
        if (!params.has(DETAILS_PARAM)) return;
        params.delete(DETAILS_PARAM);
        const wasOpenedHere = isDetailsEntry();
        // At once; the entry goes when the browser gets to it.
        void navigate({ search: params.toString() }, { replace: true, state: screenState() });
        rememberEntry();
        if (wasOpenedHere) goBack();
      }),
    [navigate],
  );
  const order = Number(params.get(DETAILS_PARAM));
  return [Number.isSafeInteger(order) && order > 0 ? order : null, close];
}

export function useOpenDetails(): (key: number) => void {
  const navigate = useNavigate();
  return useCallback(
    (key) =>
      afterTravel(() => {
        const params = new URLSearchParams(window.location.search);
        if (params.get(DETAILS_PARAM) === String(key)) return;
        const hasEntry = params.has(DETAILS_PARAM) || isDetailsEntry();
        params.set(DETAILS_PARAM, String(key));
        const entry = hasEntry ? { replace: true, state: screenState() } : { state: DETAILS_ENTRY };
        void navigate({ search: params.toString() }, entry);
        rememberEntry();
      }),
    [navigate],
  );
}

interface Entry {
  index: number;
  isDetails: boolean;
  search: string;
}

let current: Entry | null = null;

/** To be called after every change of the address. */
export function rememberEntry(): void {
  current = { index: historyIndex(), isDetails: isDetailsEntry(), search: window.location.search };
}

/**
 * The view (tab, search, sort order and the like) is not in the history: it stays as it is when Back closes the details
 * or Forward opens them.
 */
function useKeptView(): void {
  const location = useLocation();
  const type = useNavigationType();
  const navigate = useNavigate();
  useEffect(() => {
    // On the way: this effect may run when Back has changed the address, and before it is told here.
    if (location.search !== window.location.search) return;
    // Where Back or Forward came from is still to be read.
    if (type !== NavigationType.Pop || current === null) rememberEntry();
  }, [location, type]);
  useEffect(() => {
    const travelled = () => {
      const search = keptView();
      if (search !== null) void navigate({ search }, { replace: true, state: screenState() });
      rememberEntry();
    };
    window.addEventListener('popstate', travelled);
    return () => window.removeEventListener('popstate', travelled);
  }, [navigate]);
  useEffect(
    () => () => {
      current = null;
    },
    [],
  );
}

/** The view of the entry before, with the details of the entry that is there now. Null: they are not neighbours. */
function keptView(): string | null {
  if (current === null) return null;
  const isBack = current.isDetails && historyIndex() === current.index - 1;
  const isForward = isDetailsEntry() && historyIndex() === current.index + 1;
  if (!isBack && !isForward) return null;
  const view = new URLSearchParams(current.search);
  const order = new URLSearchParams(window.location.search).get(DETAILS_PARAM);
  if (order === null) view.delete(DETAILS_PARAM);
  else view.set(DETAILS_PARAM, order);
  return view.toString();
}
