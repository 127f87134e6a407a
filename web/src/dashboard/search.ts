import type { RepairOrder } from '../repair-order/order.ts';

export const SEARCH_DEBOUNCE_MS = 300;

/** Without regard to case: RO number, VIN, vehicle, customer, regular and ETL technicians, advisor. */
export function searchOrders(orders: readonly RepairOrder[], search: string): readonly RepairOrder[] {
  const wanted = folded(search.trim());
  if (wanted === '') return orders;
  return orders.filter((order) => searchText(order).includes(wanted));
}

/** Cannot be typed into the box, so that no search reaches from one text into the next. */
const BETWEEN = '\n';
/** An order stays the same object while nothing about it changes, and folding is most of the search. */
const searchTexts = new WeakMap<RepairOrder, string>();

function searchText(order: RepairOrder): string {
  let text = searchTexts.get(order);
  if (text === undefined) {
    const { roNumber, key, vin, vehicle, customer, allRegularTechs, allEtlTechs, advisor } = order;
    const texts = [roNumber, key, vin, vehicle, customer, allRegularTechs, allEtlTechs, advisor];
    text = folded(texts.join(BETWEEN));
    searchTexts.set(order, text);
  }
  return text;
}

/** Without case. Upper case first: ß has none of its own and becomes SS. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
