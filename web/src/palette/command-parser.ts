// Reads sentences about an order: '<number> <verb> <argument>', for instance '4389 assign joe'. Pure: which order a
// number means, what a shortened verb can mean on it, and whom or what the argument names.
import type { Priority, Technician } from '../api/repair-orders.ts';
import { type DisplayedStatus, displayedStatuses, priorities } from '../repair-order/order.ts';
import {
  actionsOn,
  type OrderAction,
  type OrderPermissions,
  orderActions,
} from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
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

/** What a whole sentence says, ready to be carried out. */
export type Command =
  | { kind: 'details'; known: OpenOrder }
  | { kind: 'copy'; known: OpenOrder }
  /** `known` and a status of ours unless it is sent as it was typed, to be refused in words. */
  | { kind: 'status'; roNumber: number; number: string; status: string; known?: OpenOrder }
  | { kind: 'priority'; known: OpenOrder; priority: Priority }
  | { kind: 'dispatch' | 'add' | 'remove'; known: OpenOrder; technician: Named }
  | { kind: 'reassign'; known: OpenOrder; from: Named; technician: Named };

export interface Named {
  id: number;
  name: string;
}

/** A sentence that is not whole yet: `text` is what is typed when it is chosen. */
export interface Beginning {
  verb: Exclude<Verb, 'details' | 'copy'>;
  known: OpenOrder;
  text: string;
}

export type Reading = { command: Command } | { beginning: Beginning };

export interface Spoken {
  number: string;
  /** Every verb that what stands behind the number can be the beginning of. All of them when there is nothing. */
  verbs: readonly { verb: Verb; argument: string }[];
  /** No verb was typed. */
  numberOnly: boolean;
}

/** Null: this is no sentence about an order. */
export function spoken(text: string, lexicon: Vocabulary): Spoken | null {
  const said = /^\s*#?(\d[\w-]*)(?:\s+(.*))?$/s.exec(text);
  if (said === null) return null;
  const [, number = '', behind = ''] = said;
  const words = behind.split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return { number, verbs: verbs.map((verb) => ({ verb, argument: '' })), numberOnly: true };
  }
  const heard = verbs
    .map((verb) => heardAs(verb, words, lexicon))
    .filter((one) => one !== null)
    .filter(({ verb, argument }) => argument === '' || takesArgument(verb));
  if (heard.length === 0) return null;
  const whole = heard.filter(({ exact }) => exact);
  return { number, verbs: whole.length > 0 ? whole : heard, numberOnly: false };
}

function heardAs(
  verb: Verb,
  words: readonly string[],
  lexicon: Vocabulary,
): { verb: Verb; argument: string; exact: boolean } | null {
  let heard: { verb: Verb; argument: string; exact: boolean } | null = null;
  for (const phrase of lexicon.verbs[verb].map(typedWords)) {
    const typed = words.slice(0, phrase.length).map(foldText);
    if (!typed.every((word, at) => phrase[at]?.startsWith(word))) continue;
    const exact = typed.join(' ') === phrase.join(' ');
    if (heard === null || exact) heard = { verb, argument: words.slice(phrase.length).join(' '), exact };
  }
  return heard;
}

function takesArgument(verb: Verb): verb is Beginning['verb'] {
  return verb !== 'details' && verb !== 'copy';
}

/** The orders a number means: the one that has it, or else all that end in it, the newest first. */
export function numbered(orders: Iterable<OpenOrder>, number: string): OpenOrder[] {
  const wanted = foldText(number);
  const ending: OpenOrder[] = [];
  for (const known of orders) {
    const names = numbersOf(known.order);
    if (names.includes(wanted)) return [known];
    if (names.some((name) => name.endsWith(wanted))) ending.push(known);
  }
  return ending.toSorted((a, b) => b.order.key - a.order.key);
}

interface Desk {
  technicians: readonly Technician[];
  may: OrderPermissions;
  lexicon: Vocabulary;
}

/** What the sentence can mean on this order, as it is and for this user. */
export function readings(said: Spoken, known: OpenOrder, desk: Desk): Reading[] {
  const possible: readonly Verb[] = [...actionsOn(known.order, desk.may), 'copy'];
  const meant = said.verbs.filter(
    ({ verb }) => possible.includes(verb) && (verb !== 'copy' || known.order.vin !== ''),
  );
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0 && !said.numberOnly) {
    return commands(only.verb, only.argument, known, desk).map((command) => ({ command }));
  }
  // Several verbs begin like this: the user says which, and nothing is carried out by chance.
  return meant.map(({ verb, argument }): Reading => {
    if (!takesArgument(verb)) return { command: { kind: verb, known } };
    const text = `${known.order.roNumber} ${desk.lexicon.verbs[verb][0] ?? verb} ${argument}`;
    return { beginning: { verb, known, text } };
  });
}

/** An argument for each command. */
function commands(verb: Verb, argument: string, known: OpenOrder, desk: Desk): Command[] {
  const { order } = known;
  const wanted = typedWords(argument);
  const on = order.technicians;
  const isOn = ({ id }: Named) => on.some((one) => one.id === id);
  switch (verb) {
    case 'details':
    case 'copy':
      return [{ kind: verb, known }];
    case 'status': {
      const others = statusesNamed(wanted, desk.lexicon).filter((status) => status !== order.status);
      return others.map((status) => ({ kind: verb, ...addressed(known), status }));
    }
    case 'priority':
      return priorities
        .filter((priority) => priority !== order.priority)
        .filter((priority) =>
          desk.lexicon.priorities[priority].some((word) => matchesWordStarts(word, wanted)),
        )
        .map((priority) => ({ kind: verb, known, priority }));
    case 'remove':
      return on
        .filter(({ name }) => matchesWordStarts(name, wanted))
        .map((technician) => ({ kind: verb, known, technician }));
    case 'dispatch':
    case 'add':
      return named(desk.technicians, wanted)
        .filter((one) => !isOn(one))
        .map((technician) => ({ kind: verb, known, technician }));
    case 'reassign':
      return named(desk.technicians, wanted)
        .filter((one) => !isOn(one))
        .flatMap((technician) => on.map((from): Command => ({ kind: verb, known, from, technician })));
  }
}

function addressed(known: OpenOrder) {
  return { roNumber: known.order.key, number: known.order.roNumber, known };
}

function statusesNamed(wanted: readonly string[], lexicon: Vocabulary): DisplayedStatus[] {
  return displayedStatuses.filter((status) =>
    lexicon.statuses[status].some((word) => matchesWordStarts(word, wanted)),
  );
}

/** Best match first: the name begins so, a word of it does, the specialty does; then by name. */
export function named(technicians: readonly Technician[], wanted: readonly string[]): Named[] {
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
 * A status sentence whose number or status is not known, as it was typed: sending it says what is wrong with it.
 * `orders`: those the number means.
 */
export function asTyped(said: Spoken, orders: readonly OpenOrder[], desk: Desk): Command[] {
  const status = said.verbs.find(({ verb }) => verb === 'status');
  if (status === undefined || status.argument === '' || said.verbs.length > 1 || !desk.may.status) return [];
  const known = statusesNamed(typedWords(status.argument), desk.lexicon);
  if (orders.length > 0) {
    if (known.length > 0) return [];
    return orders.map((one) => ({ kind: 'status', ...addressed(one), status: status.argument }));
  }
  const roNumber = Number(said.number);
  if (!Number.isSafeInteger(roNumber)) return [];
  const meant: readonly string[] = known.length > 0 ? known : [status.argument];
  return meant.map((one) => ({ kind: 'status', roNumber, number: said.number, status: one }));
}
