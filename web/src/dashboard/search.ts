import type { RepairOrder } from '../repair-order/order.ts';
import { matchesOrder, orderWords } from '../repair-order/order-matching.ts';

export const SEARCH_DEBOUNCE_MS = 300;

export function searchOrders(orders: readonly RepairOrder[], search: string): readonly RepairOrder[] {
  const words = orderWords(search);
  return words.length === 0 ? orders : orders.filter((order) => matchesOrder(order, words));
}
