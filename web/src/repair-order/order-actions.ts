// What can be done with an order, by whom and by which key. The row's buttons, the keyboard, the command palette and
// the sheet of keys all read it here.
import { usePermission } from '../auth/use-session.ts';
import { openDialog } from './asked-dialog.ts';
import type { RepairOrder } from './order.ts';

export const orderActions = [
  'details',
  'status',
  'priority',
  'dispatch',
  'reassign',
  'add',
  'remove',
] as const;
export type OrderAction = (typeof orderActions)[number];

/** Pressed alone, while an order has the focus. */
export const actionKey: Record<OrderAction, string> = {
  details: 'o',
  status: 's',
  priority: 'p',
  dispatch: 'd',
  reassign: 'r',
  add: 'a',
  remove: 'u',
};

export interface Permitted {
  status: boolean;
  /** Only on the tab All. */
  priority: boolean;
  dispatch: boolean;
}

export function usePermitted(isTabAll: boolean): Permitted {
  return {
    status: usePermission('change-status'),
    priority: usePermission('change-priority') && isTabAll,
    dispatch: usePermission('dispatch'),
  };
}

/** What the user may do with this order as it is: nobody can be removed from an order that nobody is on. */
export function actionsOn(order: Pick<RepairOrder, 'technicians'>, may: Permitted): OrderAction[] {
  const assigned = order.technicians.length > 0;
  const possible: Record<OrderAction, boolean> = {
    details: true,
    status: may.status,
    priority: may.priority,
    dispatch: may.dispatch && !assigned,
    reassign: may.dispatch && assigned,
    add: may.dispatch && assigned,
    remove: may.dispatch && assigned,
  };
  return orderActions.filter((action) => possible[action]);
}

/** Opens the dialog of an action. The details are opened by their address, the status by its own control. */
export function askFor(action: Exclude<OrderAction, 'details' | 'status'>, order: number): void {
  openDialog(action === 'dispatch' ? { kind: 'dispatch', orders: [order] } : { kind: action, order });
}
