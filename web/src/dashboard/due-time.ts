// When orders are due, and which of them soon.
import type { RepairOrder } from '../repair-order/order.ts';
import { dueness } from '../rules/dueness.ts';

/** The promised time, else the ETA. */
export function dueAt(order: Pick<RepairOrder, 'promised' | 'eta'>): number {
  return order.promised ?? order.eta;
}

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

/** The units of a duration: minutes below an hour, hours and minutes below a day, else days and hours. */
export type Span = { days: number; hours: number } | { hours: number; minutes: number } | { minutes: number };

export function spanOf(minutes: number): Span {
  if (minutes < 60) return { minutes };
  if (minutes < 1_440) return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return { days: Math.floor(minutes / 1_440), hours: Math.floor((minutes % 1_440) / 60) };
}
