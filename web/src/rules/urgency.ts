// How urgent an order is, by the server's rules: for the desk, the portal, the boards and the notifications. 0 is the
// most urgent.
import { priorities, urgencies } from '../api/rules.ts';
import type { components } from '../api/schema.ts';

type Status = components['schemas']['DisplayedStatus'];
type Priority = components['schemas']['Priority'];

/** By the status; the orders of some statuses are ranked by priority (`isRankedByPriority`). */
export function urgency({ status, priority }: { status: Status; priority: Priority }): number {
  return urgencies[status][priority];
}

/** That of the status's most urgent order. */
export function statusUrgency(status: Status): number {
  return urgency({ status, priority: priorities[0].name });
}

/** A status that this build does not know is not. */
export function isRankedByPriority(status: string): boolean {
  const ranks: Readonly<Record<string, Readonly<Record<Priority, number>>>> = urgencies;
  return new Set(Object.values(ranks[status] ?? {})).size > 1;
}

export function priorityUrgency(priority: Priority): number {
  return priorities.findIndex(({ name }) => name === priority);
}
