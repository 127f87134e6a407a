// The palette's suggestions for the input: commands, orders, technicians and actions, best first.
import type { TFunction } from 'i18next';
import {
  Copy,
  FileText,
  Gauge,
  type LucideIcon,
  UserMinus,
  UserPlus,
  UserRound,
  UserRoundPen,
} from 'lucide-react';
import type { Technician } from '../api/repair-orders.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import type { OpenOrder, OrderCache } from '../repair-order/order-cache.ts';
import { displayedStatuses, statusAppearance } from '../repair-order/statuses.ts';
import { foldText, matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import {
  type Command,
  ordersWithNumber,
  type PartialCommand,
  parseInput,
  type Reading,
  readings,
  techniciansNamed,
  unmatchedCommands,
  type Vocabulary,
} from './command-parser.ts';
import { numbersOf, rank, searchOrders } from './order-search.ts';

export interface Suggestion {
  /** The same thing has the same id, whatever is typed. */
  id: string;
  glyph: LucideIcon;
  /** The glyph's colour; quiet without. */
  ink?: string;
  text: string;
  /** The text is an order's number. */
  isNumber?: true;
  /** Quieter, behind the text. */
  detail?: string;
  /** What kind of thing it is, in a word. */
  kind: string;
  /** Does the same without the palette. */
  keys?: string;
  choice: Choice;
}

type Choice =
  | { kind: 'execute'; command: Command }
  | { kind: 'type'; text: string }
  | { kind: 'search'; text: string }
  | { kind: 'run'; run(): void };

/** An action that is not about one order. */
export interface PaletteAction extends Pick<Suggestion, 'id' | 'glyph' | 'text' | 'kind' | 'keys'> {
  /** More words that it is found by. */
  keywords?: string;
  run(): void;
}

export interface PaletteContext {
  t: TFunction;
  vocabulary: Vocabulary;
  orders: OrderCache | undefined;
  technicians: readonly Technician[];
  /** Open orders by technician. */
  loads: ReadonlyMap<number, number>;
  may: OrderPermissions;
  actions: readonly PaletteAction[];
}

const MAX_ORDERS = 8;
const MAX_TECHNICIANS = 5;
/** A command may match many orders, and each of them many technicians. */
const MAX_COMMANDS = 40;

export function suggestionsFor(typed: string, context: PaletteContext): Suggestion[] {
  const words = typedWords(typed);
  const open = context.orders?.open ?? new Map<number, OpenOrder>();
  if (words.length === 0) {
    // While nothing is typed yet, the search index is warmed for the first letter.
    for (const { order } of open.values()) numbersOf(order);
    return context.actions.map(actionSuggestion);
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
    ...begins.map(actionSuggestion),
    ...technicianSuggestions(words, context),
    ...orders(rank.wordsBegin, rank.wordsBegin),
    ...actions.filter((action) => !begins.includes(action)).map(actionSuggestion),
    ...orders(rank.contains, rank.contains),
  ];
  return all.length > 0 ? all : typedSuggestions;
}

function actionSuggestion({ keywords: words, run, ...action }: PaletteAction): Suggestion {
  return { ...action, choice: { kind: 'run', run } };
}

/** The complete commands that match nothing on the desk. */
function commandSuggestions(
  typed: string,
  open: ReadonlyMap<number, OpenOrder>,
  context: PaletteContext,
): { sentences: Suggestion[]; typedSuggestions: Suggestion[] } {
  const input = parseInput(typed, context.vocabulary);
  if (input === null) return { sentences: [], typedSuggestions: [] };
  const matchingOrders = ordersWithNumber(open.values(), input.number);
  if (input.numberOnly && matchingOrders.length > 1) return { sentences: [], typedSuggestions: [] };
  const sentences = matchingOrders
    .slice(0, MAX_ORDERS)
    .flatMap((cached) => readings(input, cached, context))
    // The order itself is among the orders, and opens its details.
    .filter((reading) => !input.numberOnly || !('command' in reading) || reading.command.kind !== 'details')
    .slice(0, MAX_COMMANDS)
    .map((reading) => readingSuggestion(reading, context));
  const typedSuggestions = unmatchedCommands(input, matchingOrders, context).map((command) =>
    commandSuggestion(command, context),
  );
  return { sentences, typedSuggestions };
}

/** The text shown when there are no suggestions. */
export function nothingFound(typed: string, context: PaletteContext): string {
  const input = parseInput(typed, context.vocabulary);
  const isOrder =
    input !== null && ordersWithNumber(context.orders?.open.values() ?? [], input.number).length > 0;
  return input === null || isOrder
    ? context.t('palette.nothing')
    : context.t('toast.orderUnknown', { number: input.number });
}

function orderSuggestion(cached: OpenOrder, { t }: PaletteContext): Suggestion {
  const { order } = cached;
  const appearance = statusAppearance[order.status];
  return {
    id: `order ${order.key}`,
    glyph: appearance.glyph,
    ink: appearance.ink,
    text: order.roNumber,
    isNumber: true,
    detail: [order.customer, order.vehicle, order.technician].filter((fact) => fact !== '').join(' · '),
    kind: t('palette.kind.order'),
    choice: { kind: 'execute', command: { kind: 'details', cached } },
  };
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

function readingSuggestion(reading: Reading, context: PaletteContext): Suggestion {
  return 'command' in reading
    ? commandSuggestion(reading.command, context)
    : partialCommandSuggestion(reading.beginning, context);
}

const glyphs: Record<Exclude<Command['kind'], 'status'>, LucideIcon> = {
  details: FileText,
  copy: Copy,
  priority: Gauge,
  dispatch: UserPlus,
  add: UserPlus,
  remove: UserMinus,
  reassign: UserRoundPen,
};

function partialCommandSuggestion({ verb, cached, text }: PartialCommand, { t }: PaletteContext): Suggestion {
  const number = cached.order.roNumber;
  return {
    id: `begin ${verb} ${cached.order.key}`,
    glyph: verb === 'status' ? statusAppearance[cached.order.status].glyph : glyphs[verb],
    text: t(`palette.begin.${verb}`, { number }),
    kind: t('palette.kind.change'),
    choice: { kind: 'type', text },
  };
}

function commandSuggestion(command: Command, context: PaletteContext): Suggestion {
  const { t } = context;
  const status =
    command.kind === 'status' ? displayedStatuses.find((one) => one === command.status) : undefined;
  const appearance = status && statusAppearance[status];
  const detail = detailOf(command, context);
  return {
    id: idOf(command),
    glyph: appearance?.glyph ?? (command.kind === 'status' ? FileText : glyphs[command.kind]),
    ...(appearance && { ink: appearance.ink }),
    text: sentenceOf(command, t, status === undefined ? undefined : t(`status.${status}`)),
    ...(detail !== undefined && { detail }),
    kind:
      command.kind === 'details' || command.kind === 'copy'
        ? t('palette.kind.action')
        : t('palette.kind.change'),
    choice: { kind: 'execute', command },
  };
}

/** For a technician, the facts that help to choose; else the order's customer. */
function detailOf(command: Command, { t, technicians, loads }: PaletteContext): string | undefined {
  const to =
    command.kind === 'dispatch' || command.kind === 'add' || command.kind === 'reassign'
      ? command.technician
      : null;
  if (to === null)
    return command.cached && `${command.cached.order.customer} · ${command.cached.order.vehicle}`;
  const specialty = technicians.find(({ idTechnician }) => idTechnician === to.id)?.specialty ?? '';
  const load = t('decision.load', { count: loads.get(to.id) ?? 0 });
  return [specialty, load].filter((fact) => fact !== '').join(' · ');
}

function sentenceOf(command: Command, t: TFunction, status?: string): string {
  switch (command.kind) {
    case 'status':
      return t('palette.say.status', { number: command.number, status: status ?? command.status });
    case 'priority':
      return t('palette.say.priority', {
        number: command.cached.order.roNumber,
        priority: t(`priority.${command.priority}`),
      });
    case 'details':
    case 'copy':
      return t(`palette.say.${command.kind}`, { number: command.cached.order.roNumber });
    case 'reassign':
      return t('palette.say.reassign', {
        number: command.cached.order.roNumber,
        from: command.from.name,
        name: command.technician.name,
      });
    case 'dispatch':
    case 'add':
    case 'remove':
      return t(`palette.say.${command.kind}`, {
        number: command.cached.order.roNumber,
        name: command.technician.name,
      });
  }
}

function idOf(command: Command): string {
  switch (command.kind) {
    case 'status':
      return `status ${command.roNumber} ${command.status}`;
    case 'priority':
      return `priority ${command.cached.order.key} ${command.priority}`;
    case 'details':
    case 'copy':
      return `${command.kind} ${command.cached.order.key}`;
    case 'reassign':
      return `reassign ${command.cached.order.key} ${command.from.id} ${command.technician.id}`;
    case 'dispatch':
    case 'add':
    case 'remove':
      return `${command.kind} ${command.cached.order.key} ${command.technician.id}`;
  }
}
