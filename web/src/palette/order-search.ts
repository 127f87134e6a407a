// Searches orders, best match first. It runs at every key press, so an order's folded text is cached.
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { matchesOrder, orderText, orderWords } from '../repair-order/order-matching.ts';
import { foldText } from '../ui/text-matching.ts';

/** Lower is better. */
export const rank = {
  exactNumber: 0,
  numberBegins: 1,
  numberEnds: 2,
  wordsBegin: 3,
  contains: 4,
} as const;
type Rank = (typeof rank)[keyof typeof rank];

const RANKS = Object.values(rank).length;

interface OrderMatch {
  cached: OpenOrder;
  rank: number;
}

/** Each typed word is somewhere in the texts that an order is searched by. */
export function searchOrders(orders: Iterable<OpenOrder>, typed: string, maxResults: number): OrderMatch[] {
  const words = orderWords(typed);
  if (words.length === 0) return [];
  const ranked: OpenOrder[][] = Array.from({ length: RANKS }, () => []);
  for (const cached of orders) {
    const at = rankOf(cached.order, words);
    if (at !== null) keepNewest(ranked[at] ?? [], cached, maxResults);
  }
  return ranked.flatMap((group, at) => group.map((cached) => ({ cached, rank: at }))).slice(0, maxResults);
}

/** The first letter of a search matches thousands: only those that may be shown are kept, the newest first. */
function keepNewest(group: OpenOrder[], cached: OpenOrder, maxResults: number): void {
  const last = group.at(-1);
  if (group.length === maxResults && last !== undefined && last.order.key > cached.order.key) return;
  const place = group.findIndex(({ order }) => order.key < cached.order.key);
  group.splice(place < 0 ? group.length : place, 0, cached);
  if (group.length > maxResults) group.pop();
}

const numbers = new WeakMap<RepairOrder, readonly [string, string]>();

/** Folded: the displayed number and the server's. */
export function numbersOf(order: RepairOrder): readonly [string, string] {
  let found = numbers.get(order);
  if (found === undefined) {
    found = [foldText(order.roNumber), String(order.key)];
    numbers.set(order, found);
  }
  return found;
}

function rankOf(order: RepairOrder, words: readonly string[]): Rank | null {
  const [first = '', ...others] = words;
  if (others.length === 0) {
    const names = numbersOf(order);
    const signed = first.startsWith('#');
    const typed = signed ? first.slice(1) : first;
    if (names.includes(typed)) return rank.exactNumber;
    if (names.some((number) => number.startsWith(typed))) return rank.numberBegins;
    if (!signed && names.some((number) => number.endsWith(typed))) return rank.numberEnds;
  }
  if (!matchesOrder(order, words)) return null;
  const text = orderText(order);
  return words.every((word) => startsAWord(text, word)) ? rank.wordsBegin : rank.contains;
}

function startsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isInWord(text.charCodeAt(at - 1))) return true;
  }
  return false;
}

/** a to z, 0 to 9, and whatever other scripts have: the text is folded. */
function isInWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}
