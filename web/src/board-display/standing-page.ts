// Which page is shown, and what stands where on it: until the page turns, every card keeps its place and its size. What
// comes waits for the turn; an order that is called (it becomes ready or late) and is not on the page turns to its own.
// It knows nothing of how a card looks; what is true of a card that stands is asked of the board's state.
import type { BoardState, Card } from './board-state.ts';
import { calledFor } from './card-order.ts';
import { carsOf, layOutPages, type PageLayout, type ScreenSpace } from './page-layout.ts';

/** A page that has just come up stays for this long, whoever is called. */
const MIN_PAGE_MS = 5_000;

export interface StandingPage {
  layout: PageLayout;
  /** From 0. */
  page: number;
  /** How many times a page came up: what stood differently before may stand elsewhere now. */
  turns: number;
  /** Of the cards that stand, as they were last on the board. */
  lastSeen: Map<string, Card>;
}

export class PageTurner {
  private standing: StandingPage | null = null;
  /** What the standing layout was made for. */
  private frame = '';
  private shop: BoardState | null = null;
  /** By the page's steady clock (ms). */
  private since = 0;
  /** What each card was called for at the last look. */
  private calls = new Map<string, 'ready' | 'late' | null>();
  /** Called, and not shown yet. */
  private readonly waiting = new Set<string>();
  /** The page whose turn it was when somebody was called. */
  private interrupted: number | null = null;

  /** The page that is up. `now`: the server's time; `steady`: the page's own clock (ms). */
  pageAt(shop: BoardState, room: ScreenSpace, now: number, steady: number): StandingPage {
    const standing = this.turnIfDue(shop, room, now, steady);
    for (const card of standing.layout.pages[standing.page]?.flatMap(({ cards }) => cards) ?? []) {
      standing.lastSeen.set(card.key, shop.cards.get(card.key) ?? standing.lastSeen.get(card.key) ?? card);
    }
    return standing;
  }

  private turnIfDue(shop: BoardState, room: ScreenSpace, now: number, steady: number): StandingPage {
    this.noteCalls(shop, now, steady);
    const frame = JSON.stringify([room, shop.board.layout, shop.board.settings]);
    const { standing } = this;
    const isOther = standing === null || frame !== this.frame || shop !== this.shop;
    if (isOther) this.interrupted = null;
    this.frame = frame;
    this.shop = shop;
    // Nothing stands on an empty page; it must not say that there are no cars.
    if (isOther || (standing.layout.pages.length === 0 && shop.cards.size > 0)) {
      return this.turn(layOutPages(shop, room, now), 0, steady);
    }
    const called = this.callAt(standing, steady);
    if (called !== null) return this.answerCall(layOutPages(shop, room, now), called, standing.page, steady);
    if (steady - this.since < shop.board.settings.pageSeconds * 1_000) return standing;
    const next = this.interrupted ?? standing.page + 1;
    this.interrupted = null;
    return this.turn(layOutPages(shop, room, now), next, steady);
  }

  private turn(layout: PageLayout, page: number, steady: number): StandingPage {
    this.since = steady;
    const turns = (this.standing?.turns ?? 0) + 1;
    this.standing = { layout, page: page < layout.pages.length ? page : 0, turns, lastSeen: new Map() };
    return this.standing;
  }

  /** A card that is waiting to be shown, where it is time for it. */
  private callAt({ layout, page }: StandingPage, steady: number): string | null {
    for (const key of this.waiting) if (pageOf(layout, key) === page) this.waiting.delete(key);
    const [first] = this.waiting;
    return first !== undefined && steady - this.since >= MIN_PAGE_MS ? first : null;
  }

  private answerCall(layout: PageLayout, key: string, page: number, steady: number): StandingPage {
    this.waiting.delete(key);
    const own = pageOf(layout, key);
    // It is one of a technician's cars that the page only counts.
    if (own === -1 && this.standing !== null) return this.standing;
    this.interrupted ??= page;
    return this.turn(layout, own, steady);
  }

  private noteCalls(shop: BoardState, now: number, steady: number): void {
    const isFirst = shop !== this.shop;
    const before = this.calls;
    this.calls = new Map();
    for (const [key, card] of shop.cards) {
      const call = calledFor(card, now);
      this.calls.set(key, call);
      const was = before.get(key);
      // What comes as it is has not become so.
      if (isFirst || was === undefined || was === call) continue;
      if (call === null) this.waiting.delete(key);
      else {
        this.waiting.add(key);
        shop.highlight(key, steady);
      }
    }
    for (const key of this.waiting) if (isFirst || !shop.cards.has(key)) this.waiting.delete(key);
  }
}

/** -1: none. */
function pageOf({ pages }: PageLayout, key: string): number {
  return pages.findIndex((columns) => columns.some(({ cards }) => cards.some((card) => card.key === key)));
}

/** A card in its place as it is now. */
export interface StandingCard {
  card: Card;
  /** It has left this column, or the board: what it says was true until then. */
  isGone: boolean;
}

export function cardAt(
  shop: BoardState,
  { lastSeen }: StandingPage,
  stood: Card,
  technician: number | null,
): StandingCard {
  const card = shop.cards.get(stood.key);
  if (card === undefined) return { card: lastSeen.get(stood.key) ?? stood, isGone: true };
  const isTheirs =
    technician === null || ('technicianIds' in card && card.technicianIds.includes(technician));
  return { card, isGone: !isTheirs };
}

/** A technician's cars now that are not among those that stand. */
export function countOthers(shop: BoardState, technician: number, stood: readonly Card[]): number {
  const keys = new Set(stood.map(({ key }) => key));
  return carsOf(shop, technician).filter(({ key }) => !keys.has(key)).length;
}
