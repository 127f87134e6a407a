import { type RepairOrder, searchableText } from '../repair-order/order.ts';

export const SEARCH_DEBOUNCE_MS = 300;

/** Case-insensitive search over the searchable texts of an order. */
export function searchOrders(orders: readonly RepairOrder[], search: string): readonly RepairOrder[] {
  const wanted = folded(search.trim());
  if (wanted === '') return orders;
  return orders.filter((order) => searchText(order).includes(wanted));
}

/** An order stays the same object while nothing about it changes, and folding is most of the search. */
const searchTexts = new WeakMap<RepairOrder, string>();

function searchText(order: RepairOrder): string {
  let text = searchTexts.get(order);
  if (text === undefined) {
    text = folded(searchableText(order));
    searchTexts.set(order, text);
  }
  return text;
}

/** Without case. Upper case first: ß has none of its own and becomes SS. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
