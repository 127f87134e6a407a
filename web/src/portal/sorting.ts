// The order in which a technician works.
import type { RepairOrder } from '../repair-order/order.ts';
import { urgency } from '../rules/urgency.ts';

type SortedOrder = Pick<RepairOrder, 'status' | 'priority' | 'key'>;

/** The most urgent first, then the lower RO number. */
export function byUrgency(a: SortedOrder, b: SortedOrder): number {
  return urgency(a) - urgency(b) || a.key - b.key;
}
