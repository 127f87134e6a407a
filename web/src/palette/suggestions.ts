// The palette's suggestions for the input: commands, orders, technicians and actions, best first.
import { UserRound } from 'lucide-react';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { orderText } from '../repair-order/order-matching.ts';
import { foldText, matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import { techniciansNamed } from './command-readings.ts';
import { commandSuggestions, stageSuggestions } from './command-suggestions.ts';
import { rank, searchOrders } from './order-search.ts';
import { orderSuggestion, type PaletteAction, type PaletteContext, type Suggestion } from './suggestion.ts';

const MAX_ORDERS = 8;
const MAX_TECHNICIANS = 5;

export function suggestionsFor(typed: string, context: PaletteContext): Suggestion[] {
  const words = typedWords(typed);
  const open = context.orders?.open ?? new Map<number, OpenOrder>();
  if (words.length === 0) {
    // While nothing is typed yet, the search index is warmed for the first letter.
    for (const { order } of open.values()) orderText(order);
    return [...openOrderSuggestions(open, context), ...context.actions.map(actionSuggestion)];
  }
  const found = searchOrders(open.values(), typed, MAX_ORDERS);
  const orders = (least: number, most: number) =>
    found
      .filter((one) => one.rank >= least && one.rank <= most)
      .map(({ cached }) => orderSuggestion(cached, context));
  const { sentences, typedSuggestions } = commandSuggestions(typed, open, context);
  const foldedInput = foldText(typed.trim());
  const actions = context.actions.filter(({ text, keywords: more = '' }) =>
    matchesWordStarts(`${text} ${more}`, words),
  );
  const begins = actions.filter(({ text }) => foldText(text).startsWith(foldedInput));
  const sureOfNumber = orders(rank.exactNumber, rank.numberEnds);
  const all = [
    ...(sureOfNumber.length === 0 ? sentences : []),
    ...sureOfNumber.slice(0, 1),
    // With a number alone: the actions on the one order it matches.
    ...(sureOfNumber.length > 0 ? sentences : []),
    ...sureOfNumber.slice(1),
    ...stageSuggestions(typed, context.openOrder, context),
    ...begins.map(actionSuggestion),
    ...technicianSuggestions(words, context),
    ...orders(rank.wordsBegin, rank.wordsBegin),
    ...actions.filter((action) => !begins.includes(action)).map(actionSuggestion),
    ...orders(rank.contains, rank.contains),
  ];
  return all.length > 0 ? all : typedSuggestions;
}

/** What can be done with the order whose details are open. */
function openOrderSuggestions(
  open: ReadonlyMap<number, OpenOrder>,
  context: PaletteContext,
): readonly Suggestion[] {
  if (context.openOrder === undefined) return [];
  return commandSuggestions(context.openOrder.order.roNumber, open, context).sentences;
}

function actionSuggestion({ keywords: words, run, ...action }: PaletteAction): Suggestion {
  return { ...action, choice: { kind: 'run', run } };
}

function technicianSuggestions(words: readonly string[], { technicians, t }: PaletteContext): Suggestion[] {
  return techniciansNamed(
    technicians.filter(({ displayName }) => matchesWordStarts(displayName, words)),
    words,
  )
    .slice(0, MAX_TECHNICIANS)
    .map(({ id, name }) => ({
      id: `technician ${id}`,
      glyph: UserRound,
      text: name,
      detail: t('palette.ordersOf'),
      kind: t('palette.kind.technician'),
      choice: { kind: 'search', text: name },
    }));
}
