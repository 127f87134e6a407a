import { useCallback, useLayoutEffect, useRef } from 'react';

/** Always the same function, which does what the one of the last render does: whoever is given it need not render again. */
export function useLatest<Arguments extends unknown[]>(
  call: (...given: Arguments) => void,
): (...given: Arguments) => void {
  const latest = useRef(call);
  useLayoutEffect(() => {
    latest.current = call;
  });
  return useCallback((...given) => latest.current(...given), []);
}
