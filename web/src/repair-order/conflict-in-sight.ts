// A concurrent change that waits for a decision stands at the dialog's top, where somebody who has scrolled would not see
// it, while the button has gone dead.
import { type RefObject, useEffect, useRef } from 'react';
import type { DialogOrders } from './dialog-orders.ts';

/** On what asks for the decision. */
export const ASKS_FOR_DECISION = 'data-asks-for-decision';

export function useConflictInSight(form: RefObject<HTMLFormElement | null>, { all }: DialogOrders): void {
  const undecided = all
    .filter(({ kind }) => kind === 'conflict' || kind === 'closed')
    .map(({ original }) => original.order.key);
  const shown = useRef(undecided);
  const added = undecided.find((order) => !shown.current.includes(order));
  useEffect(() => {
    shown.current = undecided;
    if (added === undefined) return;
    const box = form.current?.querySelector<HTMLElement>(`[${ASKS_FOR_DECISION}="${added}"]`);
    box?.scrollIntoView({ block: 'nearest' });
    // Not from somebody who writes, whose next key would be lost.
    if (!(document.activeElement instanceof HTMLInputElement)) box?.focus({ preventScroll: true });
  });
}
