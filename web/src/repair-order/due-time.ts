// When orders are due, and the units in which a time before or after that is told.
import type { RepairOrder } from './order.ts';

/** The promised time, else the ETA. */
export function dueAt(order: Pick<RepairOrder, 'promised' | 'eta'>): number {
  return order.promised ?? order.eta;
}

/** The units of a duration: minutes below an hour, hours and minutes below a day, else days and hours. */
export type Span = { days: number; hours: number } | { hours: number; minutes: number } | { minutes: number };

export function spanOf(minutes: number): Span {
  if (minutes < 60) return { minutes };
  if (minutes < 1_440) return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return { days: Math.floor(minutes / 1_440), hours: Math.floor((minutes % 1_440) / 60) };
}
