// Whom a change of technicians was about, and which orders: the quieter line of its toast.
import type { ChangedResult } from '../api/repair-orders.ts';
import { i18n } from '../i18n/i18n.ts';
import { type RepairOrder, toRepairOrder } from './order.ts';
import type { OrdersBefore } from './recent-changes.ts';

/** 'Bo Li · RO 104217'; between two technicians an arrow from the old one to the new one, or what `joint` says. */
export function subjectOf(
  technicians: readonly number[],
  changed: readonly ChangedResult[],
  before: OrdersBefore,
  joint = ' → ',
): string {
  const orders = changed.flatMap(({ roNumber, rows: [row, ...others] }) => [
    before.get(roNumber),
    row && toRepairOrder([row, ...others]),
  ]);
  const names = technicians.map((id) => nameOf(id, orders)).join(joint);
  return `${names} · ${ordersText(changed)}`;
}

function nameOf(id: number, orders: readonly (RepairOrder | undefined)[]): string {
  for (const order of orders) {
    const found = order?.technicians.find((technician) => technician.id === id);
    if (found !== undefined) return found.name;
  }
  return `#${id}`;
}

/** 'RO 104217' of one order, '3 ROs' of several. */
export function ordersText(changed: readonly ChangedResult[]): string {
  const [first, ...others] = changed;
  if (first === undefined || others.length > 0) return i18n.t('toast.orders', { count: changed.length });
  return i18n.t('recent.order', { number: first.rows[0]?.displayNumber ?? first.roNumber });
}
