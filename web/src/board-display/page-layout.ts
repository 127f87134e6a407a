// The layout of a board: the columns and the pages. All lengths are in forty-fifths of the screen's height, which is
// one `rem` on a board, so that a page looks the same on every screen of its shape.
import { longStayDays } from '../api/rules.ts';
import type { BoardState, Card, Settings, ShopFloorCard, Technician } from './board-state.ts';
import { sortForTechnician, sortList } from './card-order.ts';
import { daysHere, dueOf } from './times.ts';

export interface Column {
  /** The technician of a column on the shop floor. */
  technician: Technician | null;
  /** The part number of the technician's cars, from 1. */
  part: number;
  parts: number;
  cards: readonly Card[];
}

/** How much a card says: `line`: one line in its technician's tile. */
type Density = 'full' | 'narrow' | 'line';

export interface PageLayout {
  pages: readonly (readonly Column[])[];
  /** The columns of a page, filled or not. */
  columns: number;
  /** Of a card; of a tile where a card is a line of it. */
  height: number;
  density: Density;
  /** Whether a tile has one line above its cars and not two. */
  shortHead: boolean;
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
/** A technician with their cars in a line each. Edge and padding 1.2, sign 1.6, number 3.6, 'Mi 14:30' 4.2. */
const tile = { width: 10.7, head: 2.9, shortHead: 1.5, line: 1.42, leastLines: 2 };
/** A shop floor of more pages than this shows tiles: whoever looks up wants to see everybody. */
const MAX_PAGES_OF_CARDS = { wide: 1, upright: 2 };
/** Of fewer technicians everything is shown, on as many pages as it takes. */
const FEW_TECHNICIANS = 6;
/** Screens narrower than this are upright. */
const UPRIGHT_BELOW = 45;
/** On those a text of normal size is twice as large beside the screen's width. */
const MAX_UPRIGHT_SCALE = scales.large;

export function layOutPages(shop: BoardState, room: ScreenSpace, now: number): PageLayout {
  const cards = layOutCards(shop, room, now);
  const most = isUpright(room) ? MAX_PAGES_OF_CARDS.upright : MAX_PAGES_OF_CARDS.wide;
  if (shop.board.layout !== 'shop-floor' || cards.pages.length <= most) return cards;
  const technicians = new Set(cards.pages.flat().map(({ technician }) => technician?.id));
  return technicians.size < FEW_TECHNICIANS ? cards : layOutTiles(shop, room, now);
}

const isUpright = (room: ScreenSpace) => room.width < UPRIGHT_BELOW;

function scaleOf(shop: BoardState, room: ScreenSpace): number {
  const most = isUpright(room) ? MAX_UPRIGHT_SCALE : Number.POSITIVE_INFINITY;
  return Math.min(scales[shop.board.settings.textSize], most);
}

const countFitting = (space: number, each: number) => Math.max(1, Math.floor((space + GAP) / (each + GAP)));

function layOutCards(shop: BoardState, room: ScreenSpace, now: number): PageLayout {
  const { layout, settings } = shop.board;
  const scale = scaleOf(shop, room);
  const measure = measures[layout];
  const usual = isUpright(room) ? measure.narrowWidth : measure.width;
  const least = Math.min(usual, measure.leastWidth);
  const fitting = (width: number) => countFitting(room.width, width * scale);
  const columns = Math.min(settings.columns ?? fitting(usual), fitting(least));
  const narrow = layout === 'shop-floor' && columns > fitting(measure.width);
  const tall = room.height - (layout === 'shop-floor' ? COLUMN_HEAD * Math.min(scale, 1.2) : 0);
  const rows = countFitting(tall, (narrow ? NARROW_HEIGHT : measure.height) * scale);
  const all = layout === 'shop-floor' ? columnsByTechnician(shop, rows, now) : listColumns(shop, rows, now);
  return {
    pages: splitIntoPieces(all, columns),
    columns,
    height: heightOf(tall, rows),
    density: narrow ? 'narrow' : 'full',
    shortHead: false,
    scale,
  };
}

/** The shop floor with a tile for each technician: as tall as they can be with everybody on as few pages as possible. */
function layOutTiles(shop: BoardState, room: ScreenSpace, now: number): PageLayout {
  const scale = scaleOf(shop, room);
  const fitting = countFitting(room.width, tile.width * scale);
  const columns = Math.min(shop.board.settings.columns ?? fitting, fitting);
  const mostRows = countFitting(room.height, (tile.shortHead + tile.leastLines * tile.line) * scale);
  const all = carsByTechnician(shop, now);
  const pages = Math.max(1, Math.ceil(all.length / (columns * mostRows)));
  const rows = Math.max(1, Math.ceil(all.length / pages / columns));
  const height = heightOf(room.height, rows);
  const shortHead = height < (tile.head + tile.leastLines * tile.line) * scale;
  const lines = Math.floor(height / scale / tile.line - (shortHead ? tile.shortHead : tile.head) / tile.line);
  const tiles = all.map(({ technician, cars }) => {
    // The last line says how many more there are; where there are few lines, the head does.
    const cards = cars.length > lines ? cars.slice(0, shortHead ? lines : lines - 1) : cars;
    return { technician, part: 1, parts: 1, cards };
  });
  return {
    pages: splitIntoPieces(tiles, columns * rows),
    columns,
    height,
    density: 'line',
    shortHead,
    scale,
  };
}

const heightOf = (space: number, rows: number) => (space + GAP) / rows - GAP;

/** Those who are here or have cars, in the order of their names. */
function carsByTechnician(
  shop: BoardState,
  now: number,
): { technician: Technician; cars: ShopFloorCard[] }[] {
  const chosen = shop.board.settings.technicians;
  return [...shop.technicians.values()].flatMap((technician) => {
    if (chosen.length > 0 && !chosen.includes(technician.id)) return [];
    const cars = carsOf(shop, technician.id);
    // An absent technician without cars has a column only where the board is about them.
    if (cars.length === 0 && chosen.length === 0 && technician.running === null) return [];
    sortForTechnician(cars, technician, now);
    return [{ technician, cars }];
  });
}

export function carsOf(shop: BoardState, technician: number): ShopFloorCard[] {
  return [...shop.cards.values()].filter(
    (card): card is ShopFloorCard => 'technicianIds' in card && card.technicianIds.includes(technician),
  );
}

function columnsByTechnician(shop: BoardState, rows: number, now: number): Column[] {
  return carsByTechnician(shop, now).flatMap(({ technician, cars }) => {
    const pieces = cars.length === 0 ? [[]] : splitIntoPieces(cars, rows);
    return pieces.map((cards, index) => ({ technician, part: index + 1, parts: pieces.length, cards }));
  });
}

function listColumns(shop: BoardState, rows: number, now: number): Column[] {
  const cards = [...shop.cards.values()];
  sortList(cards, now);
  return splitIntoPieces(cards, rows).map((piece) => ({ technician: null, part: 1, parts: 1, cards: piece }));
}

function splitIntoPieces<T>(all: readonly T[], size: number): T[][] {
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
