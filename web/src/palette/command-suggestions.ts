// The palette's suggestions for commands: each says in a sentence what it would do.
import type { TFunction } from 'i18next';
import {
  BookOpenText,
  CirclePause,
  CirclePlay,
  Copy,
  FileText,
  Gauge,
  UserMinus,
  UserPlus,
  UserRoundPen,
  Waypoints,
} from 'lucide-react';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { displayedStatuses, statusAppearance } from '../repair-order/statuses.ts';
import { foldText } from '../ui/text-matching.ts';
import { type ParsedInput, parseInput } from './command-parser.ts';
import {
  batchReadings,
  missingPermission,
  ordersWithNumber,
  readings,
  unmatchedCommands,
} from './command-readings.ts';
import type { Command, PartialCommand, Reading } from './commands.ts';
import { numbersOf } from './order-search.ts';
import { orderSuggestion, type PaletteContext, type Suggestion } from './suggestion.ts';

/** More than these are not offered for one number. */
const MAX_ORDERS = 8;
/** A command may match many orders, and each of them many technicians. */
const MAX_COMMANDS = 40;

/** `sentences`: what the text can mean. `typedSuggestions`: the complete commands that match nothing on the desk. */
export function commandSuggestions(
  typed: string,
  open: ReadonlyMap<number, OpenOrder>,
  context: PaletteContext,
): { sentences: Suggestion[]; typedSuggestions: Suggestion[] } {
  const input = parse(typed, open, context);
  if (input === null) return { sentences: [], typedSuggestions: [] };
  const matching = input.numbers.map((number) => ordersWithNumber(open.values(), number));
  const [matchingOrders = [], ...others] = matching;
  if (others.length > 0)
    return { sentences: batchSuggestions(input, matching, context), typedSuggestions: [] };
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
  return { sentences: withoutRepeated(sentences), typedSuggestions };
}

function parse(typed: string, open: ReadonlyMap<number, OpenOrder>, { vocabulary }: PaletteContext) {
  const isNumber = (word: string) => {
    for (const { order } of open.values()) if (numbersOf(order).includes(foldText(word))) return true;
    return false;
  };
  return parseInput(typed, vocabulary, isNumber);
}

/** For several numbers: all orders together, then each of them. Nothing while one of the numbers is not sure. */
function batchSuggestions(
  input: ParsedInput,
  matching: readonly (readonly OpenOrder[])[],
  context: PaletteContext,
): Suggestion[] {
  if (matching.some(({ length }) => length !== 1)) return [];
  const [first, ...others] = new Set(matching.flat());
  if (first === undefined) return [];
  const orders = [first, ...others] as const;
  const together = others.length > 0 ? batchReadings(input, orders, context) : [];
  const isTogether = (reading: Reading) =>
    others.length > 0 &&
    'command' in reading &&
    (reading.command.kind === 'dispatch' || reading.command.kind === 'add');
  const each = input.numberOnly
    ? orders.map((cached) => orderSuggestion(cached, context))
    : orders
        .flatMap((cached) => readings(input, cached, context))
        .filter((reading) => !isTogether(reading))
        .map((reading) => readingSuggestion(reading, context));
  const all = [...together.map((reading) => readingSuggestion(reading, context)), ...each];
  return withoutRepeated(all).slice(0, MAX_COMMANDS);
}

/** A word may be read as a verb and as a name, and both come to the same. */
function withoutRepeated(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...new Map(suggestions.map((one) => [one.id, one])).values()];
}

/** What words without a number say of where this order stands and what it waits for: 'waiting for parts'. */
export function stageSuggestions(
  typed: string,
  cached: OpenOrder | undefined,
  context: PaletteContext,
): Suggestion[] {
  if (cached === undefined || context.may.stage !== true) return [];
  const input = parseInput(`${cached.order.roNumber} ${typed}`, context.vocabulary);
  if (input === null || input.numbers.length > 1) return [];
  const found = readings(input, cached, context).filter(
    (reading) =>
      'command' in reading &&
      (reading.command.kind === 'stage' ||
        reading.command.kind === 'hold' ||
        reading.command.kind === 'endHold'),
  );
  return withoutRepeated(found.map((reading) => readingSuggestion(reading, context)));
}

/** The text shown when there are no suggestions. */
export function nothingFound(typed: string, context: PaletteContext): string {
  const { t, orders } = context;
  const open = orders?.open ?? new Map<number, OpenOrder>();
  const input = parse(typed, open, context);
  if (input === null) return t('palette.nothing');
  const matching = input.numbers.map((number) => ordersWithNumber(open.values(), number));
  for (const [at, number] of input.numbers.entries()) {
    // A number among other words need not be an order's.
    if (input.verbs.length === 0) break;
    const found = matching[at]?.length ?? 0;
    if (found === 0) return t('toast.orderUnknown', { number });
    if (found > 1 && input.numbers.length > 1) return t('palette.severalEndIn', { number });
  }
  const missing = missingPermission(input, matching.flat(), context);
  return missing === null ? t('palette.nothing') : refusal(missing, t);
}

/** Stages and status are everybody's who has a role. */
function refusal(missing: keyof OrderPermissions, t: TFunction): string {
  return missing === 'dispatch' || missing === 'priority'
    ? t(`palette.refused.${missing}`)
    : t('error.forbidden');
}

function readingSuggestion(reading: Reading, context: PaletteContext): Suggestion {
  return 'command' in reading
    ? commandSuggestion(reading.command, context)
    : partialCommandSuggestion(reading.beginning, context);
}

const glyphs: Record<Exclude<Command['kind'], 'status'>, Suggestion['glyph']> = {
  details: FileText,
  copy: Copy,
  priority: Gauge,
  dispatch: UserPlus,
  add: UserPlus,
  remove: UserMinus,
  reassign: UserRoundPen,
  batch: UserPlus,
  story: BookOpenText,
  stage: Waypoints,
  hold: CirclePause,
  endHold: CirclePlay,
};

function partialCommandSuggestion({ verb, orders, text }: PartialCommand, { t }: PaletteContext): Suggestion {
  const [first] = orders;
  return {
    id: `begin ${verb} ${orders.map(({ order }) => order.key).join()}`,
    glyph: verb === 'status' ? statusAppearance[first.order.status].glyph : glyphs[verb],
    text:
      verb === 'stage'
        ? t('stages.palette.begin', { number: numbersText(orders) })
        : t(`palette.begin.${orders.length > 1 ? 'batch' : verb}`, { number: numbersText(orders) }),
    kind: t('palette.kind.change'),
    choice: { kind: 'type', text },
  };
}

function numbersText(orders: readonly OpenOrder[]): string {
  return orders.map(({ order }) => order.roNumber).join(', ');
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
    ...(command.kind === 'stage' && { ink: command.stage.ink }),
    text: sentenceOf(command, t, status === undefined ? undefined : t(`status.${status}`)),
    ...(detail !== undefined && { detail }),
    kind: isReadOnly(command) ? t('palette.kind.action') : t('palette.kind.change'),
    choice: { kind: 'execute', command },
  };
}

/** It changes nothing. */
function isReadOnly({ kind }: Command): boolean {
  return kind === 'details' || kind === 'copy' || kind === 'story';
}

/** For a technician, the facts that help to choose; else the order's customer. */
function detailOf(command: Command, { t, technicians, loads }: PaletteContext): string | undefined {
  switch (command.kind) {
    case 'dispatch':
    case 'add':
    case 'reassign':
    case 'batch': {
      const { id } = command.technician;
      const specialty = technicians.find(({ idTechnician }) => idTechnician === id)?.specialty ?? '';
      const load = t('decision.load', { count: loads.get(id) ?? 0 });
      return [specialty, load].filter((fact) => fact !== '').join(' · ');
    }
    default:
      return command.cached && `${command.cached.order.customer} · ${command.cached.order.vehicle}`;
  }
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
    case 'stage':
      return t('stages.palette.say.stage', {
        number: command.cached.order.roNumber,
        stage: command.stage.name,
      });
    case 'hold':
      return t('stages.palette.say.hold', { number: command.cached.order.roNumber });
    case 'endHold':
      return t('stages.palette.say.endHold', {
        number: command.cached.order.roNumber,
        reason: t(`stages.reason.${command.hold.reason}`),
      });
    case 'batch':
      return t('palette.say.batch', { numbers: numbersText(command.orders), name: command.technician.name });
    case 'details':
    case 'copy':
    case 'story':
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
    case 'stage':
      return `stage ${command.cached.order.key} ${command.stage.id}`;
    case 'endHold':
      return `endHold ${command.cached.order.key} ${command.hold.id}`;
    case 'batch':
      return `batch ${command.orders.map(({ order }) => order.key).join()} ${command.technician.id}`;
    case 'details':
    case 'copy':
    case 'story':
    case 'hold':
      return `${command.kind} ${command.cached.order.key}`;
    case 'reassign':
      return `reassign ${command.cached.order.key} ${command.from.id} ${command.technician.id}`;
    case 'dispatch':
    case 'add':
    case 'remove':
      return `${command.kind} ${command.cached.order.key} ${command.technician.id}`;
  }
}
