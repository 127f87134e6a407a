// Which orders are in which stage.
import type { RepairOrder } from '../repair-order/order.ts';

/** Null: all of them. */
export function ordersInStage(orders: readonly RepairOrder[], stage: string | null): readonly RepairOrder[] {
  return stage === null ? orders : orders.filter((order) => order.stage === stage);
}

/** How many orders are in each stage, by its id. */
export function countStages(orders: Iterable<Pick<RepairOrder, 'stage'>>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stage } of orders) {
    if (stage !== null) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  return counts;
}
