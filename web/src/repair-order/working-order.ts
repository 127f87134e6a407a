// The order in which a technician works.

import { urgency } from '../rules/urgency.ts';
import type { RepairOrder } from './order.ts';

type SortedOrder = Pick<RepairOrder, 'status' | 'priority' | 'key'>;

/** The most urgent first, then the lower RO number. */
export function byUrgency(a: SortedOrder, b: SortedOrder): number {
  return urgency(a) - urgency(b) || a.key - b.key;
}
