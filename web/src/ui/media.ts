// Media queries as hooks.
import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Below this width rows become cards and the rail moves to the bottom. */
const NARROW = '(max-width: 767px)';

export function useNarrow(): boolean {
  return useMedia(NARROW);
}

export function useMedia(media: string): boolean {
  const query = useMemo(() => matchMedia(media), [media]);
  const subscribe = useCallback(
    (listener: () => void) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => query.matches);
}
