// When orders are due.
import type { RepairOrder } from './order.ts';

/** The promised time, else the ETA. */
export function dueAt(order: Pick<RepairOrder, 'promised' | 'eta'>): number {
  return order.promised ?? order.eta;
}
