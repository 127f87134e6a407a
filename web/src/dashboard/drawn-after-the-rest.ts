import { startTransition, useEffect, useState } from 'react';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { whenStill } from './still.ts';

/**
 * For what a mouse shows only on hover: false when a row comes, true once the list stands still and there is time. Rows
 * that are scrolled past never draw it. On a touch screen it is seen, and is drawn with the row.
 */
export function useDrawnAfterTheRest(): boolean {
  const [isDrawn, setIsDrawn] = useState(isTouchPointer);
  useEffect(
    () => (isDrawn ? undefined : whenStill(() => startTransition(() => setIsDrawn(true)))),
    [isDrawn],
  );
  return isDrawn;
}
