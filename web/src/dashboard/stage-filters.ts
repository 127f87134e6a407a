// Which orders are in which stage, and which wait for longer than was expected.
import { isHoldDue } from '../repair-order/hold-text.ts';
import type { RepairOrder } from '../repair-order/order.ts';

/** In place of a stage's id, of which none is this: the orders with a hold that is due. */
export const DUE_HOLDS = 'due-holds';

export function hasDueHold({ holds }: Pick<RepairOrder, 'holds'>, now: number): boolean {
  return holds.some((hold) => isHoldDue(hold, now));
}

/** Null: all of them. */
export function ordersInStage(
  orders: readonly RepairOrder[],
  stage: string | null,
  now: number,
): readonly RepairOrder[] {
  if (stage === null) return orders;
  return orders.filter(
    stage === DUE_HOLDS ? (order) => hasDueHold(order, now) : (order) => order.stage === stage,
  );
}

/** How many orders are in each stage, by its id. */
export function countStages(orders: Iterable<Pick<RepairOrder, 'stage'>>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stage } of orders) {
    if (stage !== null) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  return counts;
}
