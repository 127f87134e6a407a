import type { RepairOrder } from '../repair-order/order.ts';

export const SEARCH_DEBOUNCE_MS = 300;

/** Without regard to case: RO number, VIN, vehicle, customer, regular and ETL technicians, advisor. */
export function matching(orders: readonly RepairOrder[], search: string): readonly RepairOrder[] {
  const wanted = folded(search.trim());
  if (wanted === '') return orders;
  return orders.filter((order) =>
    [
      order.roNumber,
      String(order.key),
      order.vin,
      order.vehicle,
      order.customer,
      order.allRegularTechs,
      order.allEtlTechs,
      order.advisor,
    ].some((text) => folded(text).includes(wanted)),
  );
}

/** Without case. Upper case first: ß has none of its own and becomes SS. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
