import { describe, expect, test } from 'vitest';
import { at, inLounge, now, onFloor, queued, room, shop, technician } from './board.fixture.ts';
import type { BoardState, Card } from './board-state.ts';
import { cardAt, countOthers, PageTurner } from './standing-page.ts';

const MINUTE_MS = 60_000;

/** A board and whoever turns its pages, by a clock that the test moves. */
function standing(board: BoardState) {
  const turner = new PageTurner();
  const look = (seconds: number) =>
    turner.pageAt(board, room, now + seconds * 1_000, 1_000 + seconds * 1_000);
  const keysAt = (seconds: number) => {
    const { layout, page } = look(seconds);
    return layout.pages[page]?.flatMap(({ cards }) => cards.map(({ key }) => key)) ?? [];
  };
  return { look, keysAt };
}

let seq = 1;
const set = (board: BoardState, key: string, card: Card | null) =>
  board.applyCard({ seq: ++seq, key, card, at: at(0) }, 0);

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => queued(String(n).padStart(2, '0'), at(200 + n)));

describe('a page stands still until it turns', () => {
  test('what comes, goes or is promised otherwise moves nothing; at the turn it has its place', () => {
    const board = shop('queue', [queued('a', at(40)), queued('b', at(50)), queued('c', at(60))]);
    const { keysAt, look } = standing(board);
    expect(keysAt(0)).toEqual(['a', 'b', 'c']);
    const { height } = look(0).layout;
    set(board, 'new', queued('new', at(35)));
    set(board, 'b', null);
    set(board, 'c', queued('c', at(33)));
    expect(keysAt(14)).toEqual(['a', 'b', 'c']);
    expect(look(14).layout.height).toBe(height);
    expect(keysAt(15)).toEqual(['c', 'new', 'a']);
  });

  test('a single page turns, too, each time its time is over', () => {
    const { look } = standing(shop('queue', [queued('a', at(40))]));
    expect([0, 14, 15, 29, 30].map((seconds) => look(seconds).turns)).toEqual([1, 1, 2, 2, 3]);
  });

  test('each page has its time, and the first follows the last', () => {
    const { look } = standing(shop('queue', many(30)));
    expect([0, 14, 15, 29, 30, 45].map((seconds) => look(seconds).page)).toEqual([0, 0, 1, 1, 2, 0]);
  });

  test('a page that is not there any more is followed by the first', () => {
    const board = shop('queue', many(20));
    const { look } = standing(board);
    look(0);
    expect(look(15).page).toBe(1);
    for (const key of [...board.cards.keys()].slice(3)) set(board, key, null);
    expect(look(20)).toMatchObject({ page: 1 });
    expect(look(30)).toMatchObject({ page: 0, layout: { pages: [{ length: 1 }] } });
  });

  test('the first car comes at once to a board that says it has none', () => {
    const board = shop('queue', []);
    const { keysAt } = standing(board);
    expect(keysAt(0)).toEqual([]);
    set(board, 'a', queued('a', at(40)));
    expect(keysAt(1)).toEqual(['a']);
  });

  test('other settings, and another screen, are shown at once', () => {
    const board = shop('queue', many(8));
    const { look } = standing(board);
    look(0);
    board.board = { ...board.board, settings: { ...board.board.settings, columns: 1 } };
    expect(look(1).layout.columns).toBe(1);
  });
});

describe('what stands is true', () => {
  test('a value changes in its place, and a car that left is shown as gone there', () => {
    const board = shop('queue', [queued('a', at(40)), queued('b', at(50))]);
    const { look } = standing(board);
    const [a, b] = look(0).layout.pages[0]?.[0]?.cards ?? [];
    if (a === undefined || b === undefined) throw new Error('The page has two cards.');
    set(board, 'a', { ...queued('a', at(40)), status: 'Waiting' });
    set(board, 'b', { ...queued('b', at(50)), vehicle: '2020 Kia Soul' });
    look(1);
    set(board, 'b', null);
    const page = look(2);
    expect(cardAt(board, page, a, null)).toMatchObject({ card: { status: 'Waiting' }, isGone: false });
    // As it was last, not as it was when the page came up.
    expect(cardAt(board, page, b, null)).toMatchObject({ card: { vehicle: '2020 Kia Soul' }, isGone: true });
  });

  test('a car that was given to another technician is gone from the column of the first', () => {
    const board = shop('shop-floor', [onFloor('a')], {}, [technician(1), technician(2)]);
    const page = standing(board).look(0);
    const [stood] = page.layout.pages[0]?.[0]?.cards ?? [];
    if (stood === undefined) throw new Error('The technician has a car.');
    set(board, 'a', onFloor('a', { technicianIds: [2] }));
    expect(cardAt(board, page, stood, 1).isGone).toBe(true);
    expect(cardAt(board, page, stood, 2).isGone).toBe(false);
    expect(countOthers(board, 1, [stood])).toBe(0);
  });

  test('cars that a technician got since the page came up are counted', () => {
    const board = shop('shop-floor', [onFloor('a')], {}, [technician(1)]);
    const page = standing(board).look(0);
    set(board, 'b', onFloor('b'));
    expect(countOthers(board, 1, page.layout.pages[0]?.[0]?.cards ?? [])).toBe(1);
  });
});

describe('an order is called', () => {
  test('when it becomes late on another page, that page comes up, and then the one whose turn it was', () => {
    const cards = [...many(30), queued('late', at(320))];
    const board = shop('queue', cards);
    const { look, keysAt } = standing(board);
    expect(keysAt(0)).not.toContain('late');
    look(15);
    set(board, 'late', queued('late', at(-1)));
    // Not at once: a page that has just come up is read.
    expect(keysAt(16)).not.toContain('late');
    expect(keysAt(20)).toContain('late');
    expect(board.changed('late')).toBe(true);
    expect(look(34).page).toBe(0);
    expect(look(35).page).toBe(1);
  });

  test('on the page that is up it is only highlighted', () => {
    const board = shop('queue', [queued('a', at(1)), queued('b', at(50))]);
    const { look } = standing(board);
    const { turns } = look(0);
    const seconds = (2 * MINUTE_MS) / 1_000;
    board.board.settings.pageSeconds = 120;
    look(1);
    expect(look(seconds - 1).turns - look(1).turns).toBe(0);
    expect(turns).toBe(1);
    expect(board.changed('a')).toBe(true);
  });

  test('when every job is done', () => {
    const guests = Array.from({ length: 20 }, (_, n) =>
      inLounge(String(n).padStart(2, '0'), { promised: at(60 + n) }),
    );
    const board = shop('lounge', guests);
    const { keysAt } = standing(board);
    expect(keysAt(0)).not.toContain('19');
    set(board, '19', inLounge('19', { stage: 'ready' }));
    expect(keysAt(6)[0]).toBe('19');
  });

  test('a car that comes as it is calls nobody', () => {
    const board = shop('queue', many(30));
    const { keysAt, look } = standing(board);
    look(0);
    set(board, 'new', queued('new', at(-60)));
    expect(keysAt(10)).not.toContain('new');
  });

  test('a car that only its technician’s count has turns no page', () => {
    const technicians = Array.from({ length: 28 }, (_, place) => technician(place + 1));
    const cards = technicians.flatMap(({ id }) =>
      Array.from({ length: 8 }, (_, n) =>
        onFloor(`${id}-${n}`, { technicianIds: [id], promised: at(-100 + n) }),
      ),
    );
    const board = shop('shop-floor', [...cards, onFloor('called', { promised: at(50) })], {}, technicians);
    const { look } = standing(board);
    const { turns } = look(0);
    set(board, 'called', onFloor('called', { promised: at(-1) }));
    expect(look(10).turns).toBe(turns);
  });
});
