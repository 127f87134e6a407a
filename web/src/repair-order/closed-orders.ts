// Closed orders that are found by words. The page does not have them: the server searches them, for the desk and for
// the command palette alike.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type FoundOrder, searchRepairOrders } from '../api/repair-orders.ts';
import { orderWords } from './order-matching.ts';

/** Fewer characters find almost every order of years. */
const MIN_CHARS = 2;
/** The server refuses more. */
const MAX_CHARS = 100;

const PAGE_SIZE = 50;

/** With the time it was closed at. */
export type ClosedOrder = FoundOrder & { closedDateTime: string };

interface ClosedOrdersPage {
  orders: ClosedOrder[];
  /** Null: there are no more. */
  next: string | null;
}

/** Whether closed orders are searched for it. */
export function searchesClosed(typed: string): boolean {
  return wordsOf(typed).replaceAll('#', '').length >= MIN_CHARS;
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
  const cursor = from === null ? {} : { cursor: from };
  const found = await searchRepairOrders({ q, closed: true, ...cursor, limit: PAGE_SIZE }, signal);
  return { orders: found.orders.filter(isClosed), next: found.next };
}

function isClosed(order: FoundOrder): order is ClosedOrder {
  return order.closedDateTime !== null;
}
