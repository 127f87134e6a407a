// When an order is due, and how soon. In minutes of the shop's clock, as the table shows them.
import type { RepairOrder } from '../repair-order/order.ts';

/** An order due within this long is soon due. */
const SOON_MS = 1_800_000;
const MINUTE_MS = 60_000;

/** The promised time, else the ETA. */
export function dueAt(order: Pick<RepairOrder, 'promised' | 'eta'>): number {
  return order.promised ?? order.eta;
}

export type Dueness =
  | { kind: 'later' }
  /** `minutes`: the time left; 0: due within this minute. */
  | { kind: 'soon'; minutes: number }
  | { kind: 'overdue'; minutes: number };

export function dueness(due: number, now: number): Dueness {
  const minutes = Math.floor(due / MINUTE_MS) - Math.floor(now / MINUTE_MS);
  if (minutes < 0) return { kind: 'overdue', minutes: -minutes };
  return minutes * MINUTE_MS <= SOON_MS ? { kind: 'soon', minutes } : { kind: 'later' };
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
