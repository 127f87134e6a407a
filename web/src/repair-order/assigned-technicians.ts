// Who is on an order that a dialog is about.
import type { DialogOrder } from './dialog-orders.ts';
import type { AssignedTechnician } from './order.ts';

/** Uses the current order: assignments made meanwhile count. */
export function techniciansOn(order: DialogOrder): readonly AssignedTechnician[] {
  return order.kind === 'closed' ? order.original.order.technicians : order.now.order.technicians;
}

export function idsOn(order: DialogOrder): number[] {
  return techniciansOn(order).map(({ id }) => id);
}
