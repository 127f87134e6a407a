// The keys in an order's details: the row's keys, of which J and K go to the next and the previous order.
import type { KeyboardEvent } from 'react';
import type { Steps } from '../repair-order/details-steps.tsx';
import type { RepairOrder } from '../repair-order/order.ts';
import {
  actionKey,
  keyActionsOn,
  type OrderPermissions,
  orderActions,
  type StartAction,
} from '../repair-order/order-actions.ts';
import { startAction } from './row-keyboard.ts';

interface DetailsKeyContext {
  /** Undefined: it is closed. */
  order: RepairOrder | undefined;
  may: OrderPermissions;
  steps: Steps;
  open(key: number): void;
  start: StartAction;
}

/** What handles letters itself. */
const TAKES_LETTERS = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]';

/** Handles the key; unknown keys are left to others. */
export function detailsKey(event: KeyboardEvent<HTMLElement>, context: DetailsKeyContext): void {
  const { target, currentTarget, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  // Dialogs and menus that were opened here are rendered elsewhere, and handle their own keys.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(TAKES_LETTERS) !== null) return;

  const { steps } = context;
  if (key === 'j' || key === 'k') {
    const to = key === 'j' ? steps.next : steps.previous;
    if (to !== null) context.open(to);
  } else if (!startByKey(key, currentTarget, context)) return;
  event.preventDefault();
}

function startByKey(key: string, details: HTMLElement, { order, may, start }: DetailsKeyContext): boolean {
  const action = orderActions.find((one) => actionKey[one] === key);
  if (order === undefined || action === undefined || action === 'details') return false;
  if (!keyActionsOn(order, may).includes(action)) return false;
  startAction(details, action, order.key, start);
  return true;
}
