import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';

/**
 * What it was given at the last render. A hook of its own, since closures of one function share what any of them uses: one
 * that is kept for the life of a page would keep the first value, and with it all orders of that time.
 */
export function useNewest<Value>(value: Value): RefObject<Value> {
  const newest = useRef(value);
  useLayoutEffect(() => {
    newest.current = value;
  });
  return newest;
}

/** Always the same function, which does what the one of the last render does: whoever is given it need not render again. */
export function useLatest<Arguments extends unknown[]>(
  call: (...given: Arguments) => void,
): (...given: Arguments) => void {
  const latest = useNewest(call);
  return useCallback((...given) => latest.current(...given), [latest]);
}
