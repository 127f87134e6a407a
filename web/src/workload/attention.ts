// What on the floor needs a hand now: orders that nobody has, that were handed back or not accepted, clocks that were
// forgotten, and technicians without a job. Pure.
import type { Workload } from '../api/technicians.ts';
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { AssignmentState } from '../repair-order/receipts.ts';
import { type Dueness, dueness } from '../rules/dueness.ts';

type Urgent = Exclude<Dueness, { kind: 'later' }>;

export type Attention =
  /** Due soon or overdue, and nobody has it. Due by its promise or, without one, by its ETA. */
  | { kind: 'unassigned'; order: RepairOrder; due: Urgent }
  /** Nobody has it since. */
  | { kind: 'handed-back'; order: RepairOrder; technician: number; reason: string | null }
  /** `since`: assigned, ms. */
  | { kind: 'not-accepted'; order: RepairOrder; technician: number; since: number }
  | { kind: 'forgotten'; technician: Workload }
  /** For `IDLE_AFTER_MS` at least. */
  | { kind: 'idle'; technician: Workload };

/** A minute between two jobs is no idleness. */
const IDLE_AFTER_MS = 600_000;

interface Floor {
  orders: Iterable<RepairOrder>;
  /** By order. */
  assignments: ReadonlyMap<number, readonly AssignmentState[]>;
  technicians: readonly Workload[];
}

/**
 * In the order of `KINDS`; each order once, by what is worst about it. Of the orders the nearest promise comes first: one
 * that is days late is known, and half an hour can still be won. Those without a promise follow. Of the technicians whose
 * clock has run the longest comes first.
 */
export function attentionOf({ orders, assignments, technicians }: Floor, now: number): Attention[] {
  const all: Attention[] = [];
  for (const order of orders) {
    const attention = ofOrder(order, assignments.get(order.key) ?? [], now);
    if (attention !== null) all.push(attention);
  }
  for (const technician of technicians) {
    if (technician.clock.forgotten) all.push({ kind: 'forgotten', technician });
    else if (isIdle(technician, now)) all.push({ kind: 'idle', technician });
  }
  return all.toSorted(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
      Number(isPromised(b)) - Number(isPromised(a)) ||
      rankOf(a, now) - rankOf(b, now),
  );
}

function isIdle({ clock: { state, since } }: Workload, now: number): boolean {
  return state === 'idle' && since !== null && now - Date.parse(since) >= IDLE_AFTER_MS;
}

const isPromised = (one: Attention) => 'order' in one && one.order.promised !== null;

/** Of the same kind the lowest comes first. */
function rankOf(one: Attention, now: number): number {
  if ('order' in one) return Math.abs(dueAt(one.order) - now);
  return Date.parse(one.technician.clock.since ?? '') || 0;
}

/** What is rare and quickly put right comes before what there may be much of. */
const KINDS: readonly Attention['kind'][] = [
  'handed-back',
  'not-accepted',
  'forgotten',
  'unassigned',
  'idle',
];

function ofOrder(order: RepairOrder, states: readonly AssignmentState[], now: number): Attention | null {
  const isFree = order.technicians.length === 0 && order.etlIds.length === 0;
  if (!isFree) {
    const late = states.find(
      (state) => state.late && order.technicians.some(({ id }) => id === state.technician),
    );
    if (late === undefined) return null;
    return { kind: 'not-accepted', order, technician: late.technician, since: late.assignedAt };
  }
  const back = states.filter(({ stage }) => stage === 'handed-back').toSorted((a, b) => b.at - a.at)[0];
  if (back !== undefined) {
    return { kind: 'handed-back', order, technician: back.technician, reason: back.reason };
  }
  const due = dueness(dueAt(order), now);
  return due.kind === 'later' ? null : { kind: 'unassigned', order, due };
}
