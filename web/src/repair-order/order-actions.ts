// The actions on an order, who may do them, and their keys. The row's buttons, the keyboard, the command palette and
// the shortcuts sheet all use it.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toaster.ts';
import { changesOf } from './change-execution.ts';
import { nothingToChangeText } from './change-plans.ts';
import { isAlreadySo } from './choice.ts';
import { cachedOrders } from './live-orders.ts';
import { isSeen, openDialog, openWhenNoneIs } from './open-dialog.ts';
import type { RepairOrder } from './order.ts';
import type { OpenOrder } from './order-cache.ts';
import { changeKey } from './pending-changes.ts';
import { showOvertaken } from './refusal-toast.ts';
import { useStages } from './stages.ts';

export const orderActions = [
  'details',
  'status',
  'priority',
  'dispatch',
  'reassign',
  'add',
  'remove',
  'stage',
  'hold',
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
  stage: 't',
  hold: 'h',
};

export interface OrderPermissions {
  status: boolean;
  priority: boolean;
  dispatch: boolean;
  /** Stages and holds; false or left out where the shop uses none. */
  stage?: boolean;
}

export function useOrderPermissions(): OrderPermissions {
  // Whoever shows them has asked for them.
  const usesStages = useStages(false) !== null;
  return {
    status: usePermission('change-status'),
    priority: usePermission('change-priority'),
    dispatch: usePermission('dispatch'),
    stage: usePermission('change-stages') && usesStages,
  };
}

/**
 * The actions that this user may do on the order in its present state: for instance, nobody can be removed from an
 * unassigned order.
 */
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
    stage: may.stage === true,
    hold: may.stage === true,
  };
  return orderActions.filter((action) => possible[action]);
}

/** By its key the technicians of an assigned order are chosen, too: its picker adds and removes. */
export function keyActionsOn(
  order: Pick<RepairOrder, 'technicians'>,
  may: OrderPermissions,
): readonly OrderAction[] {
  return may.dispatch ? [...actionsOn(order, may), 'dispatch'] : actionsOn(order, may);
}

/**
 * Executes the action at once or opens its dialog. The details have an address, status and stage their own controls.
 */
export type StartAction = (
  action: Exclude<OrderAction, 'details' | 'status' | 'stage'>,
  roNumber: number,
) => void;

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
    // With one technician assigned there is nothing to ask, and it can be undone.
    void removeOnly(client, cached, only.id);
  } else if (action === 'dispatch') {
    openDialog({ kind: 'dispatch', orders: [roNumber] });
  } else if (action === 'hold') {
    openDialog({ kind: 'hold', order: roNumber, hold: cached?.order.holds[0]?.id ?? null });
  } else {
    openDialog({ kind: action, order: roNumber });
  }
};

async function removeOnly(client: QueryClient, cached: OpenOrder, technician: number): Promise<void> {
  const { order, version } = cached;
  // A second press, before the answer to the first.
  if (client.isMutating({ mutationKey: changeKey('technicians', order.key) }) > 0) return;
  const change = { field: 'technicians', action: 'unassign', technician: { id: technician } } as const;
  const outcome = await changesOf(client).send({ roNumber: order.key, version }, change);
  if (outcome.kind !== 'stale') return;
  const now = cachedOrders(client).open.get(order.key);
  if (now !== undefined && isAlreadySo(now.order, change)) {
    showToast(nothingToChangeText(now.order, change));
    return;
  }
  // The technicians have changed: the dialog shows them, and the user chooses.
  if (now === undefined) return;
  if (isSeen('remove')) openWhenNoneIs({ kind: 'remove', order: order.key });
  else showOvertaken(client, i18n.t('toast.unassignFailed'), now);
}
