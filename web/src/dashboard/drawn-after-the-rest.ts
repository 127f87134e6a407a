import { useDeferredValue } from 'react';
import { isTouchPointer } from '../ui/pointer-type.ts';

/**
 * For what a mouse shows only on hover: false in the frame in which a row comes, true in the next one that has time.
 * On a touch screen it is seen, and is drawn with the row.
 */
export function useDrawnAfterTheRest(): boolean {
  return useDeferredValue(true, isTouchPointer());
}
