import { createRef } from 'react';
import type { OpenDetails } from './order-details.tsx';

/** Details over the list, of one order of its own. */
export function openDetails(roNumber: number | null, changes: Partial<OpenDetails> = {}): OpenDetails {
  return {
    roNumber,
    beside: false,
    pane: createRef(),
    steps: { previous: null, next: null, position: null, count: 0 },
    open: () => undefined,
    close: () => undefined,
    returnFocus: () => undefined,
    onKeyDown: () => undefined,
    ...changes,
  };
}

export const noPermissions = { status: false, priority: false, dispatch: false };

/** Controls that only read. */
export const plainControls = {
  Status: () => null,
  Priority: () => null,
  Assignment: () => null,
};
