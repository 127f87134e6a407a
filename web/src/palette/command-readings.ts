// What a parsed command can mean for the orders of the desk: the orders a number matches, and the technicians, statuses and
// priorities an argument names. Pure.
import type { Technician } from '../api/repair-orders.ts';
import { actionsOn, type OrderPermissions } from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { type DisplayedStatus, displayedStatuses, priorities } from '../repair-order/statuses.ts';
import { foldText, matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import { type ParsedInput, takesArgument } from './command-parser.ts';
import type { Command, Reading, TechnicianMatch, Verb, Vocabulary } from './commands.ts';
import { numbersOf } from './order-search.ts';

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
  const possible = verbsOn(cached, context);
  const matches = input.verbs.filter(({ verb }) => possible.includes(verb));
  const named = valueCommands(input.value, cached, context).map((command) => ({ command }));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0 && !input.numberOnly) {
    const commands = commandsFor(only.verb, only.argument, cached, context);
    return [...commands.map((command) => ({ command })), ...named];
  }
  // Several verbs begin like this: the user chooses, and nothing is executed by chance.
  const beginnings = matches.flatMap(({ verb, argument }): Reading[] => {
    if (!takesArgument(verb)) return commandsFor(verb, '', cached, context).map((command) => ({ command }));
    const text = `${cached.order.roNumber} ${context.vocabulary.verbs[verb][0] ?? verb} ${argument}`;
    return [{ beginning: { verb, orders: [cached], text } }];
  });
  return [...beginnings, ...named];
}

/**
 * Why this user can do nothing with the input: the permission that its first meaning needs. Null: it means nothing, or
 * the user has the permission for one of its meanings.
 */
export function missingPermission(
  input: ParsedInput,
  orders: readonly OpenOrder[],
  context: CommandContext,
): keyof OrderPermissions | null {
  const { may } = context;
  const withAll = { ...context, may: { ...may, status: true, priority: true, dispatch: true } };
  const named = orders.flatMap((cached) => valueCommands(input.value, cached, withAll));
  const needed = [...input.verbs.map(({ verb }) => verb), ...named.map(({ kind }) => kind)].map(
    permissionFor,
  );
  const [first] = needed;
  if (first === undefined || needed.some((one) => one === null || may[one] === true)) return null;
  return first;
}

function permissionFor(verb: Command['kind']): keyof OrderPermissions | null {
  switch (verb) {
    case 'status':
    case 'priority':
      return verb;
    case 'dispatch':
    case 'add':
    case 'reassign':
    case 'remove':
    case 'batch':
      return 'dispatch';
    case 'stage':
    case 'hold':
    case 'endHold':
      return 'stage';
    case 'details':
    case 'copy':
    case 'story':
      return null;
  }
}

function verbsOn(cached: OpenOrder, { may }: CommandContext): Verb[] {
  const copy: Verb[] = cached.order.vin === '' ? [] : ['copy'];
  const endHold: Verb[] = may.stage === true ? ['endHold'] : [];
  return [...actionsOn(cached.order, may), ...endHold, ...copy, 'story'];
}

/** What a value says without a verb. Nobody is removed by their name alone. */
const valueVerbs = ['status', 'priority', 'dispatch', 'add', 'reassign', 'stage'] as const;

function valueCommands(value: string, cached: OpenOrder, context: CommandContext): Command[] {
  if (value === '') return [];
  const possible = verbsOn(cached, context);
  // Without a verb a name is a name, and no specialty.
  const byName = { ...context, technicians: namedLike(context.technicians, value) };
  return valueVerbs
    .filter((verb) => possible.includes(verb))
    .flatMap((verb) => commandsFor(verb, value, cached, byName));
}

function namedLike(technicians: readonly Technician[], value: string): Technician[] {
  const wanted = typedWords(value);
  return technicians.filter(({ displayName }) =>
    wanted.every((word) => matchesWordStarts(displayName, [word])),
  );
}

/** The readings for several orders together: one technician gets them all. */
export function batchReadings(
  input: ParsedInput,
  orders: readonly [OpenOrder, ...OpenOrder[]],
  context: CommandContext,
): Reading[] {
  if (!context.may.dispatch) return [];
  const assign = input.verbs.find(({ verb }) => verb === 'dispatch' || verb === 'add');
  if (input.numberOnly) {
    const numbers = orders.map(({ order }) => order.roNumber).join(' ');
    const text = `${numbers} ${context.vocabulary.verbs.dispatch[0] ?? 'dispatch'} `;
    return [{ beginning: { verb: 'dispatch', orders, text } }];
  }
  const { technicians } = context;
  const found =
    assign === undefined ? namedLike(input.value === '' ? [] : technicians, input.value) : technicians;
  return techniciansNamed(found, typedWords(assign?.argument ?? input.value))
    .filter(({ id }) => orders.every(({ order }) => order.technicians.every((one) => one.id !== id)))
    .map((technician) => ({ command: { kind: 'batch', orders, technician } }));
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
    case 'story':
    case 'hold':
      return [{ kind: verb, cached }];
    case 'endHold':
      return order.holds.map((hold) => ({ kind: verb, cached, hold }));
    case 'stage':
      return context.vocabulary.stages
        .filter(
          ({ id, words }) => id !== order.stage && words.some((word) => matchesWordStarts(word, wanted)),
        )
        .map((stage) => ({ kind: verb, cached, stage }));
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
      return on.flatMap((from) =>
        reassignTargets(wanted, from, context.technicians)
          .filter((one) => !isOn(one))
          .map((technician): Command => ({ kind: verb, cached, from, technician })),
      );
  }
}

/** The words name the new technician, or both: 'reassign joe ann'. */
function reassignTargets(
  wanted: readonly string[],
  from: TechnicianMatch,
  technicians: readonly Technician[],
): TechnicianMatch[] {
  const named = techniciansNamed(technicians, wanted);
  const others = wanted.filter((word) => !matchesWordStarts(from.name, [word]));
  const isBoth = others.length > 0 && others.length < wanted.length;
  return named.length > 0 || !isBoth ? named : techniciansNamed(technicians, others);
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
  if (
    status === undefined ||
    status.argument === '' ||
    input.verbs.length > 1 ||
    input.numbers.length > 1 ||
    !context.may.status
  )
    return [];
  const cached = statusesNamed(typedWords(status.argument), context.vocabulary);
  if (orders.length > 0) {
    if (cached.length > 0) return [];
    return orders.map((one) => ({ kind: 'status', ...orderTarget(one), status: status.argument }));
  }
  const [number] = input.numbers;
  const roNumber = Number(number);
  if (!Number.isSafeInteger(roNumber)) return [];
  const matches: readonly string[] = cached.length > 0 ? cached : [status.argument];
  return matches.map((one) => ({ kind: 'status', roNumber, number, status: one }));
}
