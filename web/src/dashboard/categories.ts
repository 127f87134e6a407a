// The tabs of the rail: which orders each lists, and their sort order.
import type { RepairOrder } from '../repair-order/order.ts';
import { byDisplayedStatus, type DisplayedStatus, displayedStatuses } from '../repair-order/statuses.ts';
import { urgency } from '../rules/urgency.ts';

export type Tab = 'all' | Lowercase<DisplayedStatus> | 'unassigned';
export const tabOf = byDisplayedStatus(lowerCase);
export const tabs: readonly Tab[] = ['all', ...displayedStatuses.map(lowerCase), 'unassigned'];

export function isTab(value: string | null): value is Tab {
  return tabs.some((tab) => tab === value);
}

function lowerCase<Status extends DisplayedStatus>(status: Status): Lowercase<Status> {
  return status.toLowerCase() as Lowercase<Status>;
}

function isInTab(order: RepairOrder, tab: Tab): boolean {
  if (tab === 'all') return true;
  // The desk has assigned nobody; ETL assignments come from outside.
  return tab === 'unassigned' ? order.technician === '' : tabOf[order.status] === tab;
}

export function ordersInTab(orders: readonly RepairOrder[], tab: Tab): RepairOrder[] {
  return orders.filter((order) => isInTab(order, tab));
}

export type TabCounts = Record<Tab, number>;

export function countTabs(orders: readonly RepairOrder[]): TabCounts {
  const counts = Object.fromEntries(tabs.map((tab) => [tab, 0])) as TabCounts;
  for (const order of orders) {
    counts.all++;
    counts[tabOf[order.status]]++;
    if (isInTab(order, 'unassigned')) counts.unassigned++;
  }
  return counts;
}

/** All and Unassigned: by urgency, then newest first. The other tabs: newest first. */
export function sortByTab(orders: readonly RepairOrder[], tab: Tab): RepairOrder[] {
  const newestFirst = (a: RepairOrder, b: RepairOrder) => b.key - a.key;
  if (tab !== 'all' && tab !== 'unassigned') return orders.toSorted(newestFirst);
  // This runs for each landed change, and there are few ranks.
  const ofRank: RepairOrder[][] = [];
  for (const order of orders) {
    ofRank[urgency(order)] ??= [];
    ofRank[urgency(order)]?.push(order);
  }
  return ofRank.flatMap((equal) => equal.sort(newestFirst));
}
