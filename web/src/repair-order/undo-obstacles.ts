// Why a change can no longer be undone, as far as this page knows. The server decides: it refuses where anything
// newer touched the same field.

import type { RepairOrder } from './order.ts';
import type { OrderCache } from './order-cache.ts';
import type { ChangedOrder, RecentChange } from './recent-changes.ts';

type Field = 'status' | 'priority' | `technician ${number}`;

export type UndoObstacle =
  | { kind: 'undone' | 'reset' }
  | { kind: 'refused'; reason: string }
  /** The order is no longer open. */
  | { kind: 'closed'; order: RepairOrder }
  /** Something newer touched what was changed. */
  | { kind: 'changed'; field: 'status' | 'priority' | 'technicians'; now: RepairOrder };

/** Null: it can be undone. `changes`: all of the page's, the newest first. */
export function undoObstacle(
  change: RecentChange,
  changes: readonly RecentChange[],
  cache: Pick<OrderCache, 'open' | 'listSeq'> | undefined,
): UndoObstacle | null {
  if (change.outcome !== null) return change.outcome;
  // While the list loads nothing is known.
  if (cache === undefined || cache.listSeq < 0) return null;
  const newer = changes.slice(0, changes.indexOf(change)).flatMap(({ orders }) => orders);
  let first: UndoObstacle | null = null;
  for (const order of change.orders) {
    const obstacle = obstacleOf(order, newer, cache);
    // Of several orders it is undone where that is possible.
    if (obstacle === null) return null;
    first ??= obstacle;
  }
  return first;
}

function obstacleOf(
  changed: ChangedOrder,
  newer: readonly ChangedOrder[],
  cache: Pick<OrderCache, 'open'>,
): UndoObstacle | null {
  const { after } = changed;
  const fields = changedFields(changed);
  // A change of something else, such as a story, is not among what is displayed here.
  if (fields.length === 0) return null;
  const now = cache.open.get(after.key)?.order;
  if (now === undefined) return { kind: 'closed', order: after };
  const later = newer.filter((one) => one.after.key === after.key).flatMap(changedFields);
  const touched = fields.find(
    (field) => later.includes(field) || displayedValue(after, field) !== displayedValue(now, field),
  );
  if (touched === undefined) return null;
  return {
    kind: 'changed',
    field: touched === 'status' || touched === 'priority' ? touched : 'technicians',
    now,
  };
}

function changedFields({ before, after }: ChangedOrder): Field[] {
  if (before === null) return [];
  const technicians = [...before.technicians, ...after.technicians].map(
    ({ id }): Field => `technician ${id}`,
  );
  const fields = new Set<Field>(['status', 'priority', ...technicians]);
  return [...fields].filter((field) => displayedValue(before, field) !== displayedValue(after, field));
}

function displayedValue(order: RepairOrder, field: Field): string | boolean {
  if (field === 'status' || field === 'priority') return order[field];
  return order.technicians.some(({ id }) => `technician ${id}` === field);
}
