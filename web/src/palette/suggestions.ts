// What the palette offers for what is typed: changes said as a sentence, orders, technicians and actions, best first.
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
import { statusLook } from '../repair-order/appearance.ts';
import { displayedStatuses } from '../repair-order/order.ts';
import type { Permitted } from '../repair-order/order-actions.ts';
import type { OpenOrder, Picture } from '../repair-order/order-cache.ts';
import { beginsWords, folded, typedWords } from '../ui/text-matching.ts';
import {
  asTyped,
  type Beginning,
  type Deed,
  type Lexicon,
  named,
  numbered,
  type Reading,
  readings,
  spoken,
} from './command-parser.ts';
import { foundOrders, numbersOf, rank } from './order-search.ts';

export interface Offer {
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
  | { kind: 'carry-out'; deed: Deed }
  | { kind: 'type'; text: string }
  | { kind: 'search'; text: string }
  | { kind: 'run'; run(): void };

/** Something to do that is not about one order. */
export interface PaletteAction extends Pick<Offer, 'id' | 'glyph' | 'text' | 'kind' | 'keys'> {
  /** What else it is found by. */
  words?: string;
  run(): void;
}

export interface Desk {
  t: TFunction;
  lexicon: Lexicon;
  picture: Picture | undefined;
  technicians: readonly Technician[];
  /** Open orders by technician. */
  loads: ReadonlyMap<number, number>;
  may: Permitted;
  actions: readonly PaletteAction[];
}

const MOST_ORDERS = 8;
const MOST_TECHNICIANS = 5;
/** A sentence may mean many orders, and each many technicians. */
const MOST_SENTENCES = 40;

export function offersFor(typed: string, desk: Desk): Offer[] {
  const words = typedWords(typed);
  const open = desk.picture?.open ?? new Map<number, OpenOrder>();
  if (words.length === 0) {
    // While nothing is typed yet, the orders are made ready for the first letter.
    for (const { order } of open.values()) numbersOf(order);
    return desk.actions.map(offerOf);
  }
  const found = foundOrders(open.values(), typed, MOST_ORDERS);
  const orders = (least: number, most: number) =>
    found.filter((one) => one.rank >= least && one.rank <= most).map(({ known }) => orderOffer(known, desk));
  const { sentences, wishes } = saidOfOrders(typed, open, desk);
  const whole = folded(typed.trim());
  const actions = desk.actions.filter(({ text, words: more = '' }) => beginsWords(`${text} ${more}`, words));
  const begins = actions.filter(({ text }) => folded(text).startsWith(whole));
  const sureOfNumber = orders(rank.exactNumber, rank.numberEnds);
  const all = [
    ...(sureOfNumber.length === 0 ? sentences : []),
    ...sureOfNumber.slice(0, 1),
    // With a number alone: what can be done with the one order it means.
    ...(sureOfNumber.length > 0 ? sentences : []),
    ...sureOfNumber.slice(1),
    ...begins.map(offerOf),
    ...technicianOffers(words, desk),
    ...orders(rank.wordsBegin, rank.wordsBegin),
    ...actions.filter((action) => !begins.includes(action)).map(offerOf),
    ...orders(rank.contains, rank.contains),
  ];
  return all.length > 0 ? all : wishes;
}

function offerOf({ words, run, ...action }: PaletteAction): Offer {
  return { ...action, choice: { kind: 'run', run } };
}

/** `wishes`: whole sentences that nothing of the desk answers to. */
function saidOfOrders(
  typed: string,
  open: ReadonlyMap<number, OpenOrder>,
  desk: Desk,
): { sentences: Offer[]; wishes: Offer[] } {
  const said = spoken(typed, desk.lexicon);
  if (said === null) return { sentences: [], wishes: [] };
  const meant = numbered(open.values(), said.number);
  if (said.numberOnly && meant.length > 1) return { sentences: [], wishes: [] };
  const sentences = meant
    .slice(0, MOST_ORDERS)
    .flatMap((known) => readings(said, known, desk))
    // The order itself is among the orders, and opens its details.
    .filter((reading) => !said.numberOnly || !('deed' in reading) || reading.deed.kind !== 'details')
    .slice(0, MOST_SENTENCES)
    .map((reading) => readingOffer(reading, desk));
  const wishes = asTyped(said, meant, desk).map((deed) => deedOffer(deed, desk));
  return { sentences, wishes };
}

/** Said in place of offers when there are none. */
export function nothingFound(typed: string, desk: Desk): string {
  const said = spoken(typed, desk.lexicon);
  const isOrder = said !== null && numbered(desk.picture?.open.values() ?? [], said.number).length > 0;
  return said === null || isOrder
    ? desk.t('palette.nothing')
    : desk.t('toast.orderUnknown', { number: said.number });
}

function orderOffer(known: OpenOrder, { t }: Desk): Offer {
  const { order } = known;
  const look = statusLook[order.status];
  return {
    id: `order ${order.key}`,
    glyph: look.glyph,
    ink: look.ink,
    text: order.roNumber,
    isNumber: true,
    detail: [order.customer, order.vehicle, order.technician].filter((fact) => fact !== '').join(' · '),
    kind: t('palette.kind.order'),
    choice: { kind: 'carry-out', deed: { kind: 'details', known } },
  };
}

function technicianOffers(words: readonly string[], { technicians, t }: Desk): Offer[] {
  return named(
    technicians.filter(({ displayName }) => beginsWords(displayName, words)),
    words,
  )
    .slice(0, MOST_TECHNICIANS)
    .map(({ id, name }) => ({
      id: `technician ${id}`,
      glyph: UserRound,
      text: name,
      detail: t('palette.ordersOf'),
      kind: t('palette.kind.technician'),
      choice: { kind: 'search', text: name },
    }));
}

function readingOffer(reading: Reading, desk: Desk): Offer {
  return 'deed' in reading ? deedOffer(reading.deed, desk) : beginningOffer(reading.beginning, desk);
}

const glyphs: Record<Exclude<Deed['kind'], 'status'>, LucideIcon> = {
  details: FileText,
  copy: Copy,
  priority: Gauge,
  dispatch: UserPlus,
  add: UserPlus,
  remove: UserMinus,
  reassign: UserRoundPen,
};

function beginningOffer({ verb, known, text }: Beginning, { t }: Desk): Offer {
  const number = known.order.roNumber;
  return {
    id: `begin ${verb} ${known.order.key}`,
    glyph: verb === 'status' ? statusLook[known.order.status].glyph : glyphs[verb],
    text: t(`palette.begin.${verb}`, { number }),
    kind: t('palette.kind.change'),
    choice: { kind: 'type', text },
  };
}

function deedOffer(deed: Deed, desk: Desk): Offer {
  const { t } = desk;
  const status = deed.kind === 'status' ? displayedStatuses.find((one) => one === deed.status) : undefined;
  const look = status && statusLook[status];
  const detail = detailOf(deed, desk);
  return {
    id: idOf(deed),
    glyph: look?.glyph ?? (deed.kind === 'status' ? FileText : glyphs[deed.kind]),
    ...(look && { ink: look.ink }),
    text: sentenceOf(deed, t, status === undefined ? undefined : t(`status.${status}`)),
    ...(detail !== undefined && { detail }),
    kind:
      deed.kind === 'details' || deed.kind === 'copy' ? t('palette.kind.action') : t('palette.kind.change'),
    choice: { kind: 'carry-out', deed },
  };
}

/** Of a technician what helps to choose one; else whose order it is. */
function detailOf(deed: Deed, { t, technicians, loads }: Desk): string | undefined {
  const to =
    deed.kind === 'dispatch' || deed.kind === 'add' || deed.kind === 'reassign' ? deed.technician : null;
  if (to === null) return deed.known && `${deed.known.order.customer} · ${deed.known.order.vehicle}`;
  const specialty = technicians.find(({ idTechnician }) => idTechnician === to.id)?.specialty ?? '';
  const load = t('decision.load', { count: loads.get(to.id) ?? 0 });
  return [specialty, load].filter((fact) => fact !== '').join(' · ');
}

function sentenceOf(deed: Deed, t: TFunction, status?: string): string {
  switch (deed.kind) {
    case 'status':
      return t('palette.say.status', { number: deed.number, status: status ?? deed.status });
    case 'priority':
      return t('palette.say.priority', {
        number: deed.known.order.roNumber,
        priority: t(`priority.${deed.priority}`),
      });
    case 'details':
    case 'copy':
      return t(`palette.say.${deed.kind}`, { number: deed.known.order.roNumber });
    case 'reassign':
      return t('palette.say.reassign', {
        number: deed.known.order.roNumber,
        from: deed.from.name,
        name: deed.technician.name,
      });
    case 'dispatch':
    case 'add':
    case 'remove':
      return t(`palette.say.${deed.kind}`, {
        number: deed.known.order.roNumber,
        name: deed.technician.name,
      });
  }
}

function idOf(deed: Deed): string {
  switch (deed.kind) {
    case 'status':
      return `status ${deed.roNumber} ${deed.status}`;
    case 'priority':
      return `priority ${deed.known.order.key} ${deed.priority}`;
    case 'details':
    case 'copy':
      return `${deed.kind} ${deed.known.order.key}`;
    case 'reassign':
      return `reassign ${deed.known.order.key} ${deed.from.id} ${deed.technician.id}`;
    case 'dispatch':
    case 'add':
    case 'remove':
      return `${deed.kind} ${deed.known.order.key} ${deed.technician.id}`;
  }
}
