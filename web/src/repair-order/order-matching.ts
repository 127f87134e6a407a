// Finds orders by what people type: words in any order, each somewhere among an order's texts, whatever the case, the
// accents and the punctuation inside a word. The desk and the command palette search alike.
import { foldText } from '../ui/text-matching.ts';
import type { RepairOrder } from './order.ts';

/** Begins an order's numbers, so that a word can ask for a number's beginning. */
const NUMBER_SIGN = '#';

/**
 * The typed words, folded. '#40646' is the beginning of an RO number; 'RO 40646' and '40646' are somewhere among the
 * texts, and so also the end of one. The server's search takes the words as they are returned.
 */
export function orderWords(typed: string): string[] {
  return (
    foldText(typed)
      .replace(/\bro\s*(?=[#\d])/g, '')
      .match(/#?[^\s,;#]+/g) ?? []
  );
}

/** `words`: as `orderWords` returns them. */
export function matchesOrder(order: RepairOrder, words: readonly string[]): boolean {
  const text = orderText(order);
  return words.every((word) => text.includes(word));
}

/** An order stays the same object while nothing about it changes, and folding is most of a search. */
const orderTexts = new WeakMap<RepairOrder, string>();

/** Orders whose texts are folded in one go. */
const FOLDED_AT_ONCE = 100;

/** Folds the orders' texts while the browser has nothing else to do, before the first search. Returns what stops it. */
export function foldWhenIdle(orders: Iterable<RepairOrder>): () => void {
  // Safari has no idle callbacks: there the first search folds them.
  if (!('requestIdleCallback' in globalThis)) return () => undefined;
  // Emptied on the way, so that what can stop it keeps no order of this time.
  const waiting = [...orders];
  const fold = (deadline: IdleDeadline) => {
    while (deadline.timeRemaining() > 0) {
      for (let folded = 0; folded < FOLDED_AT_ONCE; folded++) {
        const order = waiting.pop();
        if (order === undefined) return;
        orderText(order);
      }
    }
    callback = requestIdleCallback(fold);
  };
  let callback = requestIdleCallback(fold);
  return () => cancelIdleCallback(callback);
}

/** What an order is found by, folded, one text per line: no word matches across two texts. */
export function orderText(order: RepairOrder): string {
  let text = orderTexts.get(order);
  if (text === undefined) {
    const { roNumber, key, vin, tagNumber, vehicle, customer, allRegularTechs, allEtlTechs, advisor } = order;
    const opcodes = order.jobs.map(({ opcode }) => opcode);
    const texts = [vin, tagNumber, vehicle, customer, allRegularTechs, allEtlTechs, advisor, ...opcodes];
    text = [
      ...[roNumber, String(key)].map((number) => searchable(number, NUMBER_SIGN)),
      ...texts.map((one) => searchable(one)),
    ].join('\n');
    orderTexts.set(order, text);
  }
  return text;
}

/** "o'brien" is also found as 'obrien', and 'f-150' as 'f150'. */
function searchable(text: string, sign = ''): string {
  const folded = foldText(text).replaceAll(NUMBER_SIGN, ' ');
  const joined = folded.replace(/['./-]/g, '');
  return joined === folded ? sign + folded : `${sign}${folded}\n${sign}${joined}`;
}
