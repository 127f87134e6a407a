// Closed orders that are found by words. The page does not have them: the server searches them, for the desk and for
// the command palette alike.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type FoundOrder, searchRepairOrders } from '../api/repair-orders.ts';
import { orderWords } from './order-matching.ts';

/** Fewer characters find almost every order of years. */
const MIN_CHARS = 2;
/** The server refuses more. */
const MAX_CHARS = 100;

/** Orders of one request, and the most that the server gives. */
const BATCH_SIZE = 100;
/** Open orders are among those that the server finds: a page goes on until it has so many closed ones, ... */
const PAGE_SIZE = 20;
/** ... or until it has sent this many requests. */
const MAX_REQUESTS = 5;

/** With the time it was closed at. */
export type ClosedOrder = FoundOrder & { closedDateTime: string };

interface ClosedOrdersPage {
  orders: ClosedOrder[];
  /** Null: there are no more. */
  next: string | null;
}

/** Whether closed orders are searched for it. */
export function searchesClosed(typed: string): boolean {
  return wordsOf(typed).length >= MIN_CHARS;
}

/** The same words as those that open orders are matched with. */
function wordsOf(typed: string): string {
  return orderWords(typed).join(' ').slice(0, MAX_CHARS);
}

export function closedOrders(typed: string) {
  const words = wordsOf(typed);
  return infiniteQueryOptions({
    queryKey: ['closed-orders', words],
    queryFn: ({ pageParam, signal }) => fetchPage(words, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: searchesClosed(typed),
    // Those of the text before stay until the new ones are there: nothing jumps while one types.
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  });
}

async function fetchPage(q: string, from: string | null, signal: AbortSignal): Promise<ClosedOrdersPage> {
  const orders: ClosedOrder[] = [];
  let next = from;
  for (let requests = 0; requests < MAX_REQUESTS && orders.length < PAGE_SIZE; requests++) {
    const cursor = next === null ? {} : { cursor: next };
    const found = await searchRepairOrders({ q, ...cursor, limit: BATCH_SIZE }, signal);
    orders.push(...found.orders.filter(isClosed));
    next = found.next;
    if (next === null) break;
  }
  return { orders, next };
}

function isClosed(order: FoundOrder): order is ClosedOrder {
  return order.closedDateTime !== null;
}
