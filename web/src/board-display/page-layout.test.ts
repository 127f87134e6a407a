import { describe, expect, test } from 'vitest';
import { at, now, onFloor, queued, room, shop, technician, upright } from './board.fixture.ts';
import type { Settings } from './board-state.ts';
import { countCars, layOutPages } from './page-layout.ts';

test.each([
  { layout: 'shop-floor', most: 6, larger: 4, onUpright: 2 },
  { layout: 'queue', most: 2, larger: 1, onUpright: 1 },
  { layout: 'used-pdi', most: 3, larger: 2, onUpright: 1 },
  { layout: 'lounge', most: 2, larger: 1, onUpright: 1 },
] as const)(
  '$layout has as many columns as the board is set to, but none that is too narrow to be read',
  ({ layout, most, larger, onUpright }) => {
    const columns = (part: Partial<Settings>, on = room) =>
      layOutPages(shop(layout, [], part), on, now).columns;
    expect(columns({ columns: 1 })).toBe(1);
    expect(columns({ columns: 2 })).toBe(2);
    expect(columns({ columns: 12 })).toBe(most);
    expect(columns({ columns: 12, textSize: 'larger' })).toBe(larger);
    expect(columns({ columns: 12 }, upright)).toBe(onUpright);
  },
);

describe('the queue', () => {
  test('is sorted by promised time: what was just missed or is due soon before what is long overdue, no time last', () => {
    const cards = [
      queued('none', null),
      queued('later', at(90)),
      queued('for days', at(-2 * 1_440)),
      queued('late', at(-90)),
      queued('for hours', at(-121)),
      queued('soon', at(5)),
    ];
    const { pages } = layOutPages(shop('queue', cards), room, now);
    const inOrder = ['late', 'soon', 'for days', 'for hours', 'later', 'none'];
    expect(pages.flat().flatMap((column) => column.cards.map(({ key }) => key))).toEqual(inOrder);
  });

  test('continues in the next column, and then on the next page', () => {
    const cards = Array.from({ length: 20 }, (_, n) => queued(String(n).padStart(2, '0'), at(n)));
    const { pages, columns } = layOutPages(shop('queue', cards), room, now);
    expect(columns).toBe(2);
    expect(pages.map((page) => page.map((column) => column.cards.length))).toEqual([[7, 7], [6]]);
  });

  test('has fewer cards on a page when they are larger', () => {
    const cards = Array.from({ length: 30 }, (_, n) => queued(String(n), at(n)));
    const onFirst = (textSize: Settings['textSize']) =>
      layOutPages(shop('queue', cards, { textSize }), room, now).pages[0]?.flatMap((column) => column.cards)
        .length ?? 0;
    expect(onFirst('normal')).toBeGreaterThan(onFirst('large'));
    expect(onFirst('large')).toBeGreaterThan(onFirst('larger'));
  });

  test('counts cars, overdue cars and waiting customers', () => {
    const cards = [queued('a', at(-5), 'Waiting'), queued('b', at(5), 'Waiting'), queued('c', at(-1))];
    expect(countCars(shop('queue', cards), now)).toMatchObject({ cars: 3, overdue: 2, waiting: 2 });
  });
});

describe('the shop floor', () => {
  test('sorts a technician’s cars: running, overdue, then by priority and promised time', () => {
    const cards = [
      onFloor('usual'),
      onFloor('waiter', { priority: 'Waiting' }),
      onFloor('runs', { promised: null }),
      onFloor('late', { promised: at(-5), priority: 'Low' }),
      onFloor('sooner', { promised: at(100) }),
    ];
    const { pages } = layOutPages(shop('shop-floor', cards, {}, [technician(1, 'runs')]), room, now);
    expect(pages[0]?.[0]?.cards.map(({ key }) => key)).toEqual(['runs', 'late', 'waiter', 'sooner', 'usual']);
  });

  test('a car appears with each of its technicians; an absent technician without cars has no column', () => {
    const cards = [onFloor('both', { technicianIds: [1, 2] })];
    const technicians = [technician(1), technician(2), technician(3), technician(4, 'elsewhere')];
    const { pages } = layOutPages(shop('shop-floor', cards, {}, technicians), room, now);
    expect(pages[0]?.map((column) => column.technician?.id)).toEqual([1, 2, 4]);
    const chosen = layOutPages(shop('shop-floor', cards, { technicians: [1, 3] }, technicians), room, now);
    expect(chosen.pages[0]?.map((column) => column.technician?.id)).toEqual([1, 3]);
  });

  const crew = (size: number, cars: number) => {
    const technicians = Array.from({ length: size }, (_, place) => technician(place + 1));
    const cards = technicians.flatMap(({ id }) =>
      Array.from({ length: cars }, (_, n) => onFloor(`${id}-${n}`, { technicianIds: [id] })),
    );
    return shop('shop-floor', cards, {}, technicians);
  };

  test('all technicians of a shop of 28 are on one page, on an upright screen on two', () => {
    const wide = layOutPages(crew(28, 5), room, now);
    expect(wide.pages.map((page) => page.length)).toEqual([28]);
    expect(wide.density).toBe('line');
    // The most urgent, and a line that says how many more there are.
    expect(wide.pages[0]?.map(({ cards }) => cards.length)).toEqual(Array(28).fill(3));
    expect(wide.pages[0]?.length).toBeLessThanOrEqual(wide.columns * 4);
    const turned = layOutPages(crew(28, 5), upright, now);
    expect(turned.pages.map((page) => page.length)).toEqual([14, 14]);
  });

  test('a tile is as tall as there is room for, and has all cars where they fit', () => {
    const { pages, height } = layOutPages(crew(14, 7), room, now);
    expect(pages.map((page) => page.length)).toEqual([14]);
    expect(height).toBeGreaterThan(room.height * 0.45);
    expect(pages[0]?.every(({ cards }) => cards.length === 7)).toBe(true);
  });

  test('few technicians have whole cards', () => {
    expect(layOutPages(crew(5, 4), room, now).density).toBe('full');
    expect(layOutPages(crew(5, 9), room, now)).toMatchObject({ density: 'full', pages: [{}, {}] });
  });

  test('a technician with more cars than fit continues in another column that says so', () => {
    const cards = Array.from({ length: 12 }, (_, n) => onFloor(String(n).padStart(2, '0')));
    const { pages } = layOutPages(shop('shop-floor', cards, {}, [technician(1)]), room, now);
    expect(pages.flat().map(({ part, parts, cards: theirs }) => [part, parts, theirs.length])).toEqual([
      [1, 3, 5],
      [2, 3, 5],
      [3, 3, 2],
    ]);
  });
});

test('a change is highlighted for a few seconds, and an identical picture changes nothing', () => {
  const board = shop('queue', [queued('a', at(5)), queued('b', at(6))]);
  board.applyCard({ seq: 2, key: 'a', card: { ...queued('a', at(5)), status: 'Waiting' }, at: at(0) }, 1_000);
  expect([board.changed('a'), board.changed('b'), board.seq]).toEqual([true, false, 2]);
  board.settle(6_999);
  expect(board.changed('a')).toBe(true);
  board.settle(7_000);
  expect(board.changed('a')).toBe(false);
  board.applyCard({ seq: 3, key: 'b', card: queued('b', at(6)), at: at(0) }, 8_000);
  expect(board.changed('b')).toBe(false);
  board.applyCard({ seq: 4, key: 'b', card: null, at: at(0) }, 9_000);
  expect([...board.cards.keys()]).toEqual(['a']);
});
