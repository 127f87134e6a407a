// The toast of changes that did not go through: it names their orders, since by then others may have been changed.
import type { QueryClient } from '@tanstack/react-query';
import { failureDetail } from '../i18n/failure-reason.ts';
import { i18n } from '../i18n/i18n.ts';
import { currentToast, showToast } from '../ui/toaster.ts';
import { cachedOrders } from './live-orders.ts';
import type { OpenOrder } from './order-cache.ts';

/** As many are named one by one. */
const MAX_NAMED = 3;

interface Refusals {
  toast: number;
  text: string;
  reason: string;
  numbers: ReadonlySet<string>;
}

let last: Refusals | null = null;

/** `orders`: their keys. Those that fail in the same way while the toast is there are named together. */
export function showRefusal(
  client: QueryClient,
  text: string,
  orders: readonly number[],
  failure: unknown,
): void {
  const { detail: reason, request } = failureDetail(failure, i18n.t);
  const { open } = cachedOrders(client);
  const isSame = last !== null && isInSight(last.toast) && last.text === text && last.reason === reason;
  const before = isSame && last !== null ? last.numbers : [];
  const own = orders.map((key) => open.get(key)?.order.roNumber ?? String(key));
  const numbers = new Set([...before, ...own]);
  const detail = `${orderNames([...numbers])}: ${reason}`;
  last = { toast: showToast({ tone: 'destructive', text, detail, request }), text, reason, numbers };
}

/** Somebody else changed the order meanwhile, and nothing on screen asks what becomes of the user's choice. */
export function showOvertaken(client: QueryClient, text: string, { order, by }: OpenOrder): void {
  const name = by?.person.name ?? i18n.t('conflict.somebody');
  showRefusal(client, text, [order.key], new Error(i18n.t('conflict.overtaken', { name })));
}

function isInSight(toast: number): boolean {
  const shown = currentToast();
  return shown?.id === toast && shown.open;
}

/** 'RO 104217, RO 104218', '5 ROs' */
function orderNames(numbers: readonly string[]): string {
  if (numbers.length > MAX_NAMED) return i18n.t('toast.orders', { count: numbers.length });
  return numbers.map((number) => i18n.t('recent.order', { number })).join(', ');
}
