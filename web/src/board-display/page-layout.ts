// The layout of a board: the order of the cards, the columns and the pages. All lengths are in forty-fifths of the
// screen's height, which is one `rem` on a board, so that a page looks the same on every screen of its shape.
import { longStayDays } from '../api/rules.ts';
import { priorityUrgency } from '../rules/urgency.ts';
import type {
  BoardState,
  Card,
  LoungeCard,
  QueueCard,
  Settings,
  ShopFloorCard,
  Technician,
} from './board-state.ts';
import { daysHere, dueOf } from './times.ts';

export interface Column {
  /** The technician of a column on the shop floor. */
  technician: Technician | null;
  /** The part number of the technician's cars, from 1. */
  part: number;
  parts: number;
  /** How many cars the technician has in all. */
  cars: number;
  cards: readonly Card[];
}

export interface PageLayout {
  pages: readonly (readonly Column[])[];
  /** The columns of a page, filled or not. */
  columns: number;
  /** Of a card. */
  height: number;
  /** Whether its cards leave out details for lack of width. */
  narrow: boolean;
  /** Of the texts. */
  scale: number;
}

/** In forty-fifths of the screen's height. */
export interface ScreenSpace {
  width: number;
  height: number;
}

export const GAP = 0.5;
/** Above a technician's cards. */
export const COLUMN_HEAD = 3.3;
const scales: Record<Settings['textSize'], number> = { normal: 1, large: 1.2, larger: 1.45 };

interface Measure {
  /** The minimum width of a card, for its texts to be legible. */
  height: number;
  width: number;
  /** On an upright screen. */
  narrowWidth: number;
  /** Whatever the settings say: the fixed parts by board.css, and 8 for a name. */
  leastWidth: number;
}

const measures: Record<BoardState['board']['layout'], Measure> = {
  // Narrow: edge and padding 1.3, sign 1.2, 'Überfällig 20 min' 9.5; a name has a line of its own.
  'shop-floor': { height: 6.1, width: 15, narrowWidth: 11, leastWidth: 12 },
  // Square 6.3, padding 1.6, number 6.2, promise 9.8.
  queue: { height: 4.3, width: 38, narrowWidth: 22, leastWidth: 32 },
  // Days 4.7, padding 1.6, sign 1.9, number 5.8, 'Gebraucht' 6.5; a name has a line of its own.
  'used-pdi': { height: 4.3, width: 25, narrowWidth: 22, leastWidth: 20.5 },
  // Padding 2.2, progress 13.5, promise 10.6.
  lounge: { height: 5.4, width: 38, narrowWidth: 22, leastWidth: 34.5 },
};
/** Of a car in a narrow column, whose tag has a line of its own. */
const NARROW_HEIGHT = 7;
/** Screens narrower than this are upright. */
const UPRIGHT_BELOW = 45;
/** On those a text of normal size is twice as large beside the screen's width. */
const MAX_UPRIGHT_SCALE = scales.large;

export function layOutPages(shop: BoardState, room: ScreenSpace, now: number): PageLayout {
  const { layout, settings } = shop.board;
  const upright = room.width < UPRIGHT_BELOW;
  const scale = Math.min(scales[settings.textSize], upright ? MAX_UPRIGHT_SCALE : Number.POSITIVE_INFINITY);
  const measure = measures[layout];
  const usual = upright ? measure.narrowWidth : measure.width;
  const least = Math.min(usual, measure.leastWidth);
  const fitting = (width: number) => Math.max(1, Math.floor((room.width + GAP) / (width * scale + GAP)));
  const columns = Math.min(settings.columns ?? fitting(usual), fitting(least));
  const narrow = layout === 'shop-floor' && columns > fitting(measure.width);
  const tall = room.height - (layout === 'shop-floor' ? COLUMN_HEAD * Math.min(scale, 1.2) : 0);
  const cardHeight = narrow ? NARROW_HEIGHT : measure.height;
  const rows = Math.max(1, Math.floor((tall + GAP) / (cardHeight * scale + GAP)));
  const height = (tall + GAP) / rows - GAP;
  const all = layout === 'shop-floor' ? byTechnician(shop, rows, now) : layOutLists(shop, rows, now);
  return { pages: splitIntoColumns(all, columns), columns, height, narrow, scale };
}

function byTechnician(shop: BoardState, rows: number, now: number): Column[] {
  const cards = [...shop.cards.values()].filter((card): card is ShopFloorCard => 'technicianIds' in card);
  const chosen = shop.board.settings.technicians;
  return [...shop.technicians.values()].flatMap((technician) => {
    if (chosen.length > 0 && !chosen.includes(technician.id)) return [];
    const theirs = cards.filter(({ technicianIds }) => technicianIds.includes(technician.id));
    theirs.sort((a, b) => compareRanks(floorRank(a, technician, now), floorRank(b, technician, now)));
    const parts = splitIntoColumns(theirs, rows);
    const allCars = { technician, parts: Math.max(1, parts.length), cars: theirs.length };
    // An absent technician without cars has a column only where the board is about them.
    if (parts.length === 0 && chosen.length === 0 && technician.running === null) return [];
    if (parts.length === 0) return [{ ...allCars, part: 1, cards: [] }];
    return parts.map((part, index) => ({ ...allCars, part: index + 1, cards: part }));
  });
}

function layOutLists(shop: BoardState, rows: number, now: number): Column[] {
  const cards = [...shop.cards.values()].sort((a, b) => compareRanks(rank(a, now), rank(b, now)));
  return splitIntoColumns(cards, rows).map((part) => ({
    technician: null,
    part: 1,
    parts: 1,
    cars: part.length,
    cards: part,
  }));
}

/** The sort keys of a card: the first that differs decides. */
type Rank = readonly (number | string)[];

/** Running cars, then overdue ones, then by priority and promise. */
function floorRank(card: ShopFloorCard, { running }: Technician, now: number): Rank {
  const due = dueOf(card.promised, now);
  const overdue = due.kind === 'overdue' ? 0 : 1;
  const mine = running?.key === card.key ? 0 : 1;
  return [
    mine,
    overdue,
    overdue === 0 ? 0 : priorityUrgency(card.priority),
    promisedAt(card),
    card.opened,
    card.key,
  ];
}

function rank(card: Card, now: number): Rank {
  if ('stage' in card) return [card.stage === 'ready' ? 0 : 1, promisedAt(card), card.who, card.key];
  if ('promised' in card) {
    // Overdue cars have the earliest times, so they come first.
    return [promisedAt(card), card.opened, card.key];
  }
  return [Math.min(Date.parse(card.opened), now), card.key];
}

function promisedAt({ promised }: ShopFloorCard | QueueCard | LoungeCard): number {
  return promised === null ? Number.MAX_SAFE_INTEGER : Date.parse(promised);
}

function compareRanks(a: Rank, b: Rank): number {
  for (let at = 0; at < a.length; at++) {
    const [mine, theirs] = [a[at] ?? 0, b[at] ?? 0];
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}

function splitIntoColumns<T>(all: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
  return pieces;
}

export interface CarCounts {
  cars: number;
  overdue: number;
  waiting: number;
  /** Used cars and deliveries that have been here for two weeks. */
  long: number;
}

export function countCars(shop: BoardState, now: number): CarCounts {
  let overdue = 0;
  let waiting = 0;
  let long = 0;
  for (const card of shop.cards.values()) {
    if ('promised' in card && dueOf(card.promised, now).kind === 'overdue') overdue++;
    if ('status' in card && card.status === 'Waiting') waiting++;
    if (!('promised' in card) && weeksHere(daysHere(card.opened, now, shop.zone)) === longStayDays.length)
      long++;
  }
  return { cars: shop.cards.size, overdue, waiting, long };
}

/** Long for a used car or a delivery: weeks that it has been here, 2 at most. */
export function weeksHere(days: number): number {
  return longStayDays.filter((limit) => days >= limit).length;
}
