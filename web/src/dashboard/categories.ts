// The tabs of the rail: which orders each lists, and their sort order.
import type { Priority } from '../api/repair-orders.ts';
import type { DisplayedStatus, RepairOrder } from '../repair-order/order.ts';

export const tabs = ['all', 'waiting', 'drop', 'pdi', 'used', 'unassigned'] as const;
export type Tab = (typeof tabs)[number];

export function isTab(value: string | null): value is Tab {
  return tabs.some((tab) => tab === value);
}

const tabOf: Record<DisplayedStatus, Tab> = { Waiting: 'waiting', Drop: 'drop', PDI: 'pdi', Used: 'used' };
const tabFilters: Record<Tab, (order: RepairOrder) => boolean> = {
  all: () => true,
  waiting: (order) => order.status === 'Waiting',
  drop: (order) => order.status === 'Drop',
  pdi: (order) => order.status === 'PDI',
  used: (order) => order.status === 'Used',
  // The desk has assigned nobody; ETL assignments come from outside.
  unassigned: (order) => order.technician === '',
};

export function ordersInTab(orders: readonly RepairOrder[], tab: Tab): RepairOrder[] {
  return orders.filter(tabFilters[tab]);
}

export type TabCounts = Record<Tab, number>;

export function countTabs(orders: readonly RepairOrder[]): TabCounts {
  const counts: TabCounts = { all: 0, waiting: 0, drop: 0, pdi: 0, used: 0, unassigned: 0 };
  for (const order of orders) {
    counts.all++;
    counts[tabOf[order.status]]++;
    if (tabFilters.unassigned(order)) counts.unassigned++;
  }
  return counts;
}

const statusRank: Record<DisplayedStatus, number> = { Waiting: 0, Drop: 1, Used: 2, PDI: 3 };
/** Only Drop is ranked by priority; a Waiting priority on a drop-off is the most urgent there is. */
const dropRank: Record<Priority, number> = { Waiting: 0, High: 1, Medium: 2, Low: 3 };

/** All and Unassigned: by urgency, then newest first. The other tabs: newest first. */
export function sortByTab(orders: readonly RepairOrder[], tab: Tab): RepairOrder[] {
  const newestFirst = (a: RepairOrder, b: RepairOrder) => b.key - a.key;
  if (tab !== 'all' && tab !== 'unassigned') return orders.toSorted(newestFirst);
  // This runs for each landed change, and there are few ranks.
  const ofRank: RepairOrder[][] = [];
  for (const order of orders) {
    ofRank[urgencyRank(order)] ??= [];
    ofRank[urgencyRank(order)]?.push(order);
  }
  return ofRank.flatMap((equal) => equal.sort(newestFirst));
}

function urgencyRank(order: RepairOrder): number {
  // Ten leaves room for the ranks within a status.
  return statusRank[order.status] * 10 + (order.status === 'Drop' ? dropRank[order.priority] : 0);
}
