// Which orders are late, and which due soon.
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { dueness } from '../rules/dueness.ts';

export const dueFilters = ['overdue', 'soon'] as const;
export type DueFilter = (typeof dueFilters)[number];
export type DueCounts = Record<DueFilter, number>;

export function countDue(orders: readonly RepairOrder[], now: number): DueCounts {
  const counts: DueCounts = { overdue: 0, soon: 0 };
  for (const order of orders) {
    const { kind } = dueness(dueAt(order), now);
    if (kind !== 'later') counts[kind]++;
  }
  return counts;
}

/** Null lists all of them. */
export function filterDue(
  orders: readonly RepairOrder[],
  filter: DueFilter | null,
  now: number,
): readonly RepairOrder[] {
  return filter === null ? orders : orders.filter((order) => dueness(dueAt(order), now).kind === filter);
}
