// The order in which cards stand, and which of them are called.
import { priorityUrgency } from '../rules/urgency.ts';
import type { Card, LoungeCard, QueueCard, ShopFloorCard, Technician } from './board-state.ts';
import { dueOf } from './times.ts';

/** Whoever is late for longer waits for something that the next minutes do not bring: a part, a call. */
const LONG_OVERDUE_MINUTES = 120;

/** The sort keys of a card: the first that differs decides. */
type Rank = readonly (number | string)[];

export function sortForTechnician(cards: ShopFloorCard[], technician: Technician, now: number): void {
  sortByRank(cards, (card) => floorRank(card, technician, now));
}

export function sortList(cards: Card[], now: number): void {
  sortByRank(cards, (card) => listRank(card, now));
}

/** Running cars, then overdue ones, then by priority and promise. */
function floorRank(card: ShopFloorCard, { running }: Technician, now: number): Rank {
  const overdue = dueOf(card.promised, now).kind === 'overdue' ? 0 : 1;
  const mine = running?.key === card.key ? 0 : 1;
  const urgency = overdue === 0 ? 0 : priorityUrgency(card.priority);
  return [mine, overdue, urgency, promisedAt(card), card.opened, card.key];
}

function listRank(card: Card, now: number): Rank {
  if ('who' in card) return [card.stage === 'ready' ? 0 : 1, promisedAt(card), card.who, card.key];
  if ('promised' in card) return [queueGroup(card, now), promisedAt(card), card.opened, card.key];
  return [Math.min(Date.parse(card.opened), now), card.key];
}

/** What can still be kept, or was missed a moment ago, stands before what is long overdue. */
function queueGroup({ promised }: QueueCard | ShopFloorCard, now: number): number {
  const due = dueOf(promised, now);
  if (due.kind === 'soon') return 0;
  if (due.kind === 'overdue') return due.minutes <= LONG_OVERDUE_MINUTES ? 0 : 1;
  return 2;
}

function promisedAt({ promised }: ShopFloorCard | QueueCard | LoungeCard): number {
  return promised === null ? Number.MAX_SAFE_INTEGER : Date.parse(promised);
}

/** Each rank is computed once: a shop has hundreds of cards, and a TV little power. */
function sortByRank<T>(all: T[], rankOf: (one: T) => Rank): void {
  const ranks = new Map(all.map((one) => [one, rankOf(one)]));
  all.sort((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []));
}

function compareRanks(a: Rank, b: Rank): number {
  for (let at = 0; at < a.length; at++) {
    const [mine, theirs] = [a[at] ?? 0, b[at] ?? 0];
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}

/** Every job is done. A queue is not told. */
export function isReady(card: Card): boolean {
  if ('stage' in card) return card.stage === 'ready';
  return 'jobs' in card && card.jobs > 0 && card.done === card.jobs;
}

/** What an order is called for when it becomes so; null: nothing. */
export function calledFor(card: Card, now: number): 'ready' | 'late' | null {
  if (isReady(card)) return 'ready';
  return 'promised' in card && dueOf(card.promised, now).kind === 'overdue' ? 'late' : null;
}
