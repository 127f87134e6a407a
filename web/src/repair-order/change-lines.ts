// What a change made of an order's fields, a line each: for the tray of changes, and for the toast of an undo.
import type { TFunction } from 'i18next';
import type { ChangedResult } from '../api/repair-orders.ts';
import { type ComparedField, differences } from './differences.ts';
import type { ChangedOrder, RecentChange } from './recent-changes.ts';
import { ordersText } from './toast-subject.ts';

const shownFields: readonly ComparedField[] = ['status', 'priority', 'technicians'];
/** Neither times nor stages are among them. */
const words = { now: 0, short: String, stageName: String };

/** 'Priority: Low → High'. None where something else was changed, or nobody said what was displayed before. */
export function changeLines({ before, after }: ChangedOrder, t: TFunction): string[] {
  if (before === null) return [];
  return differences(before, after, t, words, shownFields).map(
    ({ field, from, to }) => `${t(`conflict.field.${field}`)}: ${from} → ${to}`,
  );
}

/** 'RO 104217 · Priority: High → Low': the orders that are as they were, and what went back. */
export function undoneText(
  { orders, text }: Pick<RecentChange, 'orders' | 'text'>,
  changed: readonly ChangedResult[],
  t: TFunction,
): string {
  const back = orders.map(({ before, after }) =>
    changeLines({ before: after, after: before ?? after }, t).join(', '),
  );
  const [same = '', ...different] = new Set(back);
  // Else it is named by what its own toast said.
  const what = same === '' || different.length > 0 ? text : same;
  return [ordersText(changed), what].filter((part) => part !== null).join(' · ');
}
