// Finds orders by what people type: words in any order, each somewhere among an order's texts, whatever the case, the
// accents and the punctuation inside a word. The desk and the command palette search alike.
import { foldText } from '../ui/text-matching.ts';
import type { RepairOrder } from './order.ts';

/** The typed words, folded. '#40646', 'RO 40646' and '40646' are the same number. */
export function orderWords(typed: string): string[] {
  return foldText(typed)
    .replace(/\bro\s*(?=[#\d])/g, '')
    .split(/[\s,;#]+/)
    .filter(Boolean);
}

/** `words`: as `orderWords` returns them. */
export function matchesOrder(order: RepairOrder, words: readonly string[]): boolean {
  const text = orderText(order);
  return words.every((word) => text.includes(word));
}

/** An order stays the same object while nothing about it changes, and folding is most of a search. */
const orderTexts = new WeakMap<RepairOrder, string>();

/** What an order is found by, folded, one text per line: no word matches across two texts. */
export function orderText(order: RepairOrder): string {
  let text = orderTexts.get(order);
  if (text === undefined) {
    const { roNumber, key, vin, tagNumber, vehicle, customer, allRegularTechs, allEtlTechs, advisor } = order;
    const opcodes = order.jobs.map(({ opcode }) => opcode);
    text = [
      roNumber,
      key,
      vin,
      tagNumber,
      vehicle,
      customer,
      allRegularTechs,
      allEtlTechs,
      advisor,
      ...opcodes,
    ]
      .map((one) => withJoinedWords(foldText(String(one))))
      .join('\n');
    orderTexts.set(order, text);
  }
  return text;
}

/** "o'brien" is also found as 'obrien', and 'f-150' as 'f150'. */
function withJoinedWords(text: string): string {
  const joined = text.replace(/['./-]/g, '');
  return joined === text ? text : `${text}\n${joined}`;
}
