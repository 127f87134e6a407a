// A car that goes from one technician to another: who may get it, and the change that it is. Pure.
import type { Choice } from '../repair-order/choice.ts';
import type { AssignedTechnician, DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';

/** A car in somebody's hand, as it was shown when they took it. */
export interface MovingCar {
  shown: OpenOrder;
  /** Whose row it was taken from. */
  from: number;
  /** The jobs that are still to be done. */
  jobsLeft: readonly DisplayedJob[];
}

/** `own`: it is theirs already, by this row. `on-it`: they work on it beside the one whose row this is. */
export type Target = 'free' | 'own' | 'on-it';

export function targetOf({ technicians }: RepairOrder, from: number, to: number): Target {
  if (to === from) return 'own';
  return technicians.some(({ id }) => id === to) ? 'on-it' : 'free';
}

/** Null: there is nothing to change, or the desk did not give the order to `from`. Others on the order stay on it. */
export function moveOf(order: RepairOrder, from: number, to: AssignedTechnician): Choice | null {
  const giver = order.technicians.find(({ id }) => id === from);
  if (giver === undefined || targetOf(order, from, to.id) !== 'free') return null;
  return { field: 'technicians', action: 'reassign', from: giver, technician: to };
}
