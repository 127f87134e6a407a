import { type RefObject, useEffect, useRef } from 'react';

/** A disabled control loses the focus; keyboard users get it back, unless they have moved on. */
export function useFocusAfterChange(control: RefObject<HTMLElement | null>, changing: boolean): void {
  const wasChanging = useRef(changing);
  useEffect(() => {
    const ended = wasChanging.current && !changing;
    wasChanging.current = changing;
    if (ended && document.activeElement === document.body) control.current?.focus({ preventScroll: true });
  }, [control, changing]);
}
