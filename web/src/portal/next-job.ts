// What a technician does next, and why. Pure.
import type { TechnicianClock } from '../api/clock.ts';
import type { DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import { isJobFinished } from './clock-state.ts';

export type NextReason =
  /** It is another job of the car in hand. */
  | { kind: 'same-car' }
  | { kind: 'waiting' }
  | { kind: 'high' }
  /** `at`: the promised time (ms). */
  | { kind: 'promised' | 'late'; at: number }
  /** It is the first in the order in which orders are worked. */
  | { kind: 'first' };

export interface NextJob {
  order: RepairOrder;
  job: DisplayedJob;
  reasons: readonly NextReason[];
}

/** A promise further away than this (ms) is no reason to hurry. */
const SOON_MS = 4 * 3_600_000;

/** `orders` as they are to be worked. Null: everything is finished, or runs. */
export function nextJob(
  orders: readonly RepairOrder[],
  clock: Pick<TechnicianClock, 'running' | 'finishedJobs'>,
  now: number,
): NextJob | null {
  const { running } = clock;
  const isOpen = (order: RepairOrder) => (job: DisplayedJob) =>
    !isJobFinished(clock, order.key, job.jobNumber) &&
    !(running?.roNumber === order.key && running.jobNumber === job.jobNumber);
  const place = orders.findIndex(({ key }) => key === running?.roNumber);
  const inHand = orders[place];
  // Another job of the car in hand is worked with it, unless a car before it cannot wait.
  const first =
    inHand === undefined ? [] : [...orders.slice(0, place).filter((one) => isPressing(one, now)), inHand];
  for (const order of [...first, ...orders]) {
    const job = order.jobs.find(isOpen(order));
    if (job !== undefined) return { order, job, reasons: reasonsFor(order, order === inHand, now) };
  }
  return null;
}

function isPressing({ status, promised }: RepairOrder, now: number): boolean {
  return status === 'Waiting' || (promised !== null && promised < now + SOON_MS);
}

function reasonsFor(order: RepairOrder, isInHand: boolean, now: number): readonly NextReason[] {
  const { status, priority, promised } = order;
  const reasons: NextReason[] = [];
  if (isInHand) reasons.push({ kind: 'same-car' });
  if (status === 'Waiting') reasons.push({ kind: 'waiting' });
  if (priority === 'High') reasons.push({ kind: 'high' });
  if (promised !== null && promised < now) reasons.push({ kind: 'late', at: promised });
  else if (promised !== null && promised < now + SOON_MS) reasons.push({ kind: 'promised', at: promised });
  return reasons.length === 0 ? [{ kind: 'first' }] : reasons;
}
