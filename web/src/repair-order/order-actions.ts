// What can be done with an order, by whom and by which key. The row's buttons, the keyboard, the command palette and
// the sheet of keys all read it here.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { changesOf } from './changes.ts';
import { cachedOrders } from './live-orders.ts';
import { openDialog } from './open-dialog.ts';
import type { RepairOrder } from './order.ts';
import type { OpenOrder } from './order-cache.ts';

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

export interface OrderPermissions {
  status: boolean;
  /** Only on the tab All. */
  priority: boolean;
  dispatch: boolean;
}

export function useOrderPermissions(isTabAll: boolean): OrderPermissions {
  return {
    status: usePermission('change-status'),
    priority: usePermission('change-priority') && isTabAll,
    dispatch: usePermission('dispatch'),
  };
}

/** What the user may do with this order as it is: nobody can be removed from an order that nobody is on. */
export function actionsOn(order: Pick<RepairOrder, 'technicians'>, may: OrderPermissions): OrderAction[] {
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

/** Does what it says at once or asks what it must know. Details have an address, and the status its own control. */
export type StartAction = (action: Exclude<OrderAction, 'details' | 'status'>, roNumber: number) => void;

export function useStartAction(): StartAction {
  const client = useQueryClient();
  return useCallback((action, roNumber) => startAction(client, action, roNumber), [client]);
}

export const startAction = (
  client: QueryClient,
  action: Parameters<StartAction>[0],
  roNumber: number,
): void => {
  const cached = cachedOrders(client).open.get(roNumber);
  const [only, ...others] = cached?.order.technicians ?? [];
  if (action === 'remove' && cached !== undefined && only !== undefined && others.length === 0) {
    // With one on it there is nothing to ask, and it can be undone.
    void removeOnly(client, cached, only.id);
  } else if (action === 'dispatch') {
    openDialog({ kind: 'dispatch', orders: [roNumber] });
  } else {
    openDialog({ kind: action, order: roNumber });
  }
};

async function removeOnly(client: QueryClient, cached: OpenOrder, technician: number): Promise<void> {
  const { order, version } = cached;
  const outcome = await changesOf(client).unassign({ roNumber: order.key, version }, technician);
  if (outcome.kind !== 'stale') return;
  const now = cachedOrders(client).open.get(order.key);
  // Whoever is on it by now is for the user to see, who then chooses.
  if (now !== undefined) openDialog({ kind: 'remove', order: order.key });
}
