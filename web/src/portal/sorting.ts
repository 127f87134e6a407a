// The order in which a technician works: waiting customers first, then drop-offs by priority.
import type { Priority } from '../api/repair-orders.ts';
import type { RepairOrder } from '../repair-order/order.ts';

type Sorted = Pick<RepairOrder, 'status' | 'priority' | 'key'>;

/** A drop-off with a waiting customer's priority is the most urgent of its kind. */
const dropUrgency: Record<Priority, number> = { Waiting: 1, High: 2, Medium: 3, Low: 4 };

function urgency({ status, priority }: Sorted): number {
  switch (status) {
    case 'Waiting':
      return 0;
    case 'Drop':
      return dropUrgency[priority];
    case 'Used':
      return 5;
    case 'PDI':
      return 6;
    default:
      return 7;
  }
}

/** Waiting; Drop by High, Medium, Low; Used; PDI; then the lower RO number. */
export function byUrgency(a: Sorted, b: Sorted): number {
  return urgency(a) - urgency(b) || a.key - b.key;
}
