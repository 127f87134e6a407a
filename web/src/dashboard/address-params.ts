// The parameters of the desk's address, as they are at this moment: the router renders a change of the address later, and
// several changes may come before that.
import { useCallback, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { createListeners } from '../api/listeners.ts';
import { afterOverlays, screenState } from '../ui/history-entries.ts';
import { rememberEntry } from './open-details.ts';

const addressChanges = createListeners();

export function useAddressParam(name: string): string | null {
  const { pathname, search } = useLocation();
  const current = useSyncExternalStore(addressChanges.subscribe, () =>
    // On the way to another screen the address is that screen's already.
    window.location.pathname === pathname ? window.location.search : search,
  );
  return new URLSearchParams(current).get(name);
}

/** Given the parameters as they are, changes them. */
type Change = (params: URLSearchParams) => void;

/** Changes the address in place: no entry is added to the history. */
export function useChangeParams(): (change: Change) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (change) => {
      afterOverlays(() => {
        if (window.location.pathname !== pathname) return;
        const before = new URLSearchParams(window.location.search);
        const after = new URLSearchParams(before);
        change(after);
        if (after.toString() === before.toString()) return;
        void navigate({ search: after.toString() }, { replace: true, state: screenState() });
        rememberEntry();
        addressChanges.notify();
      });
    },
    [navigate, pathname],
  );
}

/** Sets one parameter of the address, '' to drop it. */
export function useSetParam(): (name: string, value: string) => void {
  const change = useChangeParams();
  return useCallback(
    (name, value) =>
      change((params) => {
        if (value === '') params.delete(name);
        else params.set(name, value);
      }),
    [change],
  );
}
