// The table's sort order: the tab's own, or by one column; equal values keep the tab's own order.

import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { priorityUrgency, statusUrgency } from '../rules/urgency.ts';
import { sortByTab, type Tab } from './categories.ts';
import { type ColumnId, isColumn } from './column-layout.ts';

export interface Sort {
  column: ColumnId;
  descending: boolean;
}

/** The URL parameter: the column, prefixed with a minus when descending. '' is the tab's own order. */
export function sortText(sort: Sort | null): string {
  return sort === null ? '' : `${sort.descending ? '-' : ''}${sort.column}`;
}

export function readSort(text: string | null): Sort | null {
  const column = (text ?? '').replace(/^-/, '');
  return isColumn(column) ? { column, descending: text?.startsWith('-') === true } : null;
}

export function sortOrders(
  orders: readonly RepairOrder[],
  tab: Tab,
  sort: Sort | null,
  locale: string,
): readonly RepairOrder[] {
  const own = sortByTab(orders, tab);
  if (sort === null) return own;
  const compare = comparators(collator(locale))[sort.column];
  const { descending } = sort;
  // Sorting is stable: what is equal keeps the tab's own order, in both directions.
  return own.sort((a, b) => compare(a, b, descending ? -1 : 1));
}

/** `way` is 1 ascending, -1 descending. */
type Comparator = (a: RepairOrder, b: RepairOrder, way: 1 | -1) => number;

function comparators(words: Intl.Collator): Record<ColumnId, Comparator> {
  const by =
    (figure: (order: RepairOrder) => number): Comparator =>
    (a, b, way) =>
      (figure(a) - figure(b)) * way;
  const byText =
    (text: (order: RepairOrder) => string): Comparator =>
    (a, b, way) => {
      const [one, other] = [text(a), text(b)];
      // Empty values come last in both directions.
      if (one === '' || other === '') return Number(one === '') - Number(other === '');
      return words.compare(one, other) * way;
    };
  return {
    details: by((order) => order.key),
    vehicle: byText((order) => order.vehicle),
    status: by((order) => statusUrgency(order.status)),
    priority: by((order) => priorityUrgency(order.priority)),
    stage: by((order) => order.stageSince ?? Number.MAX_SAFE_INTEGER),
    assignment: byText((order) => order.technician),
    jobs: by((order) => order.jobs.length),
    timeline: by(dueAt),
  };
}

// Creating a collator costs as much as thousands of comparisons.
const collators = new Map<string, Intl.Collator>();

function collator(locale: string): Intl.Collator {
  let found = collators.get(locale);
  if (found === undefined) {
    found = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
    collators.set(locale, found);
  }
  return found;
}
