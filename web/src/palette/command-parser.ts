// Parses commands about an order: '<number> <verb> <argument>', for instance '4389 assign joe'. Pure: it resolves the
// orders a number matches, abbreviated verbs, and the technicians, statuses or priorities an argument names.
import type { Priority, Technician } from '../api/repair-orders.ts';
import {
  actionsOn,
  type OrderAction,
  type OrderPermissions,
  orderActions,
} from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { type DisplayedStatus, displayedStatuses, priorities } from '../repair-order/statuses.ts';
import { foldText, matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import { numbersOf } from './order-search.ts';

export type Verb = OrderAction | 'copy';
const verbs: readonly Verb[] = [...orderActions, 'copy'];

/** The words of the page's language and of English. */
export interface Vocabulary {
  /** The first phrase of each is the one that is shown. */
  verbs: Record<Verb, readonly string[]>;
  statuses: Record<DisplayedStatus, readonly string[]>;
  priorities: Record<Priority, readonly string[]>;
}

/** A complete command, ready to execute. */
export type Command =
  | { kind: 'details'; cached: OpenOrder }
  | { kind: 'copy'; cached: OpenOrder }
  /**
   * `cached` is missing and `status` is unknown when the command is sent as typed, for the server to refuse it with a
   * reason.
   */
  | { kind: 'status'; roNumber: number; number: string; status: string; cached?: OpenOrder }
  | { kind: 'priority'; cached: OpenOrder; priority: Priority }
  | { kind: 'dispatch' | 'add' | 'remove'; cached: OpenOrder; technician: TechnicianMatch }
  | { kind: 'reassign'; cached: OpenOrder; from: TechnicianMatch; technician: TechnicianMatch };

export interface TechnicianMatch {
  id: number;
  name: string;
}

/** An incomplete command: `text` is typed into the field when it is chosen. */
export interface PartialCommand {
  verb: Exclude<Verb, 'details' | 'copy'>;
  cached: OpenOrder;
  text: string;
}

export type Reading = { command: Command } | { beginning: PartialCommand };

export interface ParsedInput {
  number: string;
  /** Every verb that the text after the number can begin with. All verbs when there is none. */
  verbs: readonly { verb: Verb; argument: string }[];
  /** No verb was typed. */
  numberOnly: boolean;
}

/** Null: the input is no command about an order. */
export function parseInput(text: string, vocabulary: Vocabulary): ParsedInput | null {
  const match = /^\s*#?(\d[\w-]*)(?:\s+(.*))?$/s.exec(text);
  if (match === null) return null;
  const [, number = '', behind = ''] = match;
  const words = behind.split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return { number, verbs: verbs.map((verb) => ({ verb, argument: '' })), numberOnly: true };
  }
  const matches = verbs
    .map((verb) => matchVerb(verb, words, vocabulary))
    .filter((one) => one !== null)
    .filter(({ verb, argument }) => argument === '' || takesArgument(verb));
  if (matches.length === 0) return null;
  const whole = matches.filter(({ exact }) => exact);
  return { number, verbs: whole.length > 0 ? whole : matches, numberOnly: false };
}

function matchVerb(
  verb: Verb,
  words: readonly string[],
  vocabulary: Vocabulary,
): { verb: Verb; argument: string; exact: boolean } | null {
  let best: { verb: Verb; argument: string; exact: boolean } | null = null;
  for (const phrase of vocabulary.verbs[verb].map(typedWords)) {
    const typed = words.slice(0, phrase.length).map(foldText);
    if (!typed.every((word, at) => phrase[at]?.startsWith(word))) continue;
    const exact = typed.join(' ') === phrase.join(' ');
    if (best === null || exact) best = { verb, argument: words.slice(phrase.length).join(' '), exact };
  }
  return best;
}

function takesArgument(verb: Verb): verb is PartialCommand['verb'] {
  return verb !== 'details' && verb !== 'copy';
}

/** The orders a number matches: the one that has it, or else all that end in it, the newest first. */
export function ordersWithNumber(orders: Iterable<OpenOrder>, number: string): OpenOrder[] {
  const wanted = foldText(number);
  const ending: OpenOrder[] = [];
  for (const cached of orders) {
    const names = numbersOf(cached.order);
    if (names.includes(wanted)) return [cached];
    if (names.some((name) => name.endsWith(wanted))) ending.push(cached);
  }
  return ending.toSorted((a, b) => b.order.key - a.order.key);
}

interface CommandContext {
  technicians: readonly Technician[];
  may: OrderPermissions;
  vocabulary: Vocabulary;
}

/** The possible readings of the input for this order and this user. */
export function readings(input: ParsedInput, cached: OpenOrder, context: CommandContext): Reading[] {
  const possible: readonly Verb[] = [...actionsOn(cached.order, context.may), 'copy'];
  const matches = input.verbs.filter(
    ({ verb }) => possible.includes(verb) && (verb !== 'copy' || cached.order.vin !== ''),
  );
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0 && !input.numberOnly) {
    return commandsFor(only.verb, only.argument, cached, context).map((command) => ({ command }));
  }
  // Several verbs begin like this: the user chooses, and nothing is executed by chance.
  return matches.map(({ verb, argument }): Reading => {
    if (!takesArgument(verb)) return { command: { kind: verb, cached } };
    const text = `${cached.order.roNumber} ${context.vocabulary.verbs[verb][0] ?? verb} ${argument}`;
    return { beginning: { verb, cached, text } };
  });
}

/** One command for each match of the argument. */
function commandsFor(verb: Verb, argument: string, cached: OpenOrder, context: CommandContext): Command[] {
  const { order } = cached;
  const wanted = typedWords(argument);
  const on = order.technicians;
  const isOn = ({ id }: TechnicianMatch) => on.some((one) => one.id === id);
  switch (verb) {
    case 'details':
    case 'copy':
      return [{ kind: verb, cached }];
    case 'status': {
      const others = statusesNamed(wanted, context.vocabulary).filter((status) => status !== order.status);
      return others.map((status) => ({ kind: verb, ...orderTarget(cached), status }));
    }
    case 'priority':
      return priorities
        .filter((priority) => priority !== order.priority)
        .filter((priority) =>
          context.vocabulary.priorities[priority].some((word) => matchesWordStarts(word, wanted)),
        )
        .map((priority) => ({ kind: verb, cached, priority }));
    case 'remove':
      return on
        .filter(({ name }) => matchesWordStarts(name, wanted))
        .map((technician) => ({ kind: verb, cached, technician }));
    case 'dispatch':
    case 'add':
      return techniciansNamed(context.technicians, wanted)
        .filter((one) => !isOn(one))
        .map((technician) => ({ kind: verb, cached, technician }));
    case 'reassign':
      return techniciansNamed(context.technicians, wanted)
        .filter((one) => !isOn(one))
        .flatMap((technician) => on.map((from): Command => ({ kind: verb, cached, from, technician })));
  }
}

function orderTarget(cached: OpenOrder) {
  return { roNumber: cached.order.key, number: cached.order.roNumber, cached };
}

function statusesNamed(wanted: readonly string[], vocabulary: Vocabulary): DisplayedStatus[] {
  return displayedStatuses.filter((status) =>
    vocabulary.statuses[status].some((word) => matchesWordStarts(word, wanted)),
  );
}

/** Best match first: the start of the name, the start of a word in it, the specialty; then by name. */
export function techniciansNamed(
  technicians: readonly Technician[],
  wanted: readonly string[],
): TechnicianMatch[] {
  const whole = wanted.join(' ');
  return technicians
    .filter(({ displayName, specialty }) => matchesWordStarts(`${displayName} ${specialty}`, wanted))
    .map(({ idTechnician: id, displayName: name }) => {
      const rank = foldText(name).startsWith(whole) ? 0 : matchesWordStarts(name, wanted) ? 1 : 2;
      return { id, name, rank };
    })
    .toSorted((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
    .map(({ id, name }) => ({ id, name }));
}

/**
 * A status command with an unknown number or status, as it was typed: the server's refusal says what is wrong with
 * it. `orders`: the orders the number matches.
 */
export function unmatchedCommands(
  input: ParsedInput,
  orders: readonly OpenOrder[],
  context: CommandContext,
): Command[] {
  const status = input.verbs.find(({ verb }) => verb === 'status');
  if (status === undefined || status.argument === '' || input.verbs.length > 1 || !context.may.status)
    return [];
  const cached = statusesNamed(typedWords(status.argument), context.vocabulary);
  if (orders.length > 0) {
    if (cached.length > 0) return [];
    return orders.map((one) => ({ kind: 'status', ...orderTarget(one), status: status.argument }));
  }
  const roNumber = Number(input.number);
  if (!Number.isSafeInteger(roNumber)) return [];
  const matches: readonly string[] = cached.length > 0 ? cached : [status.argument];
  return matches.map((one) => ({ kind: 'status', roNumber, number: input.number, status: one }));
}
