import { act, renderHook } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { countPendingRows, type FrozenRow, updateFrozenRows, useFrozenRowOrder } from './frozen-row-order.ts';

function openOrder(roNumber: number, version = 1): OpenOrder {
  return {
    order: toRepairOrder([row(roNumber, { version })]),
    version,
    seq: version,
    changedAt: 0,
    by: null,
  };
}

const list = (...numbers: number[]) => numbers.map((number) => openOrder(number));
const open = (orders: OpenOrder[]) => new Map(orders.map((one) => [one.order.key, one]));
const onScreen = (orders: OpenOrder[]): FrozenRow[] => orders.map((one) => ({ cached: one, removal: null }));
const summarise = (rows: readonly FrozenRow[]) =>
  rows.map(({ cached, removal }) => [cached.order.key, removal]);

describe('a frozen row', () => {
  const before = onScreen(list(1, 2, 3));

  test('keeps its place and shows its current values', () => {
    const newest = [openOrder(3), openOrder(1, 2), openOrder(4), openOrder(2)];
    const after = updateFrozenRows(before, newest, open(newest));
    expect(summarise(after)).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
    expect(after[0]?.cached.version).toBe(2);
  });

  test('stays and says so when it was closed or left the list', () => {
    const newest = [openOrder(2)];
    const after = updateFrozenRows(before, newest, open([openOrder(2), openOrder(3, 2)]));
    expect(summarise(after)).toEqual([
      [1, 'closed'],
      [2, null],
      [3, 'elsewhere'],
    ]);
    expect(after[2]?.cached.version).toBe(2);
  });

  test('is normal again when its order comes back', () => {
    const without = updateFrozenRows(before, list(2, 3), open(list(2, 3)));
    expect(summarise(updateFrozenRows(without, list(1, 2, 3), open(list(1, 2, 3))))[0]).toEqual([1, null]);
  });

  test('keeps its identity when nothing changed', () => {
    const newest = before.map(({ cached }) => cached);
    expect(updateFrozenRows(before, newest, open(newest))[1]).toBe(before[1]);
  });
});

describe('pending changes are counted', () => {
  test.each([
    ['nothing', [1, 2, 3], { coming: 0, moved: 0, going: 0 }],
    ['new ones', [9, 1, 2, 8, 3], { coming: 2, moved: 0, going: 0 }],
    ['one that rises past two', [3, 1, 2], { coming: 0, moved: 1, going: 0 }],
    ['all turned round', [3, 2, 1], { coming: 0, moved: 2, going: 0 }],
    ['some of each', [7, 3, 1], { coming: 1, moved: 1, going: 1 }],
  ] as const)('%s', (_, newest, expected) => {
    expect(countPendingRows(onScreen(list(1, 2, 3)), list(...newest))).toEqual(expected);
  });
});

describe('on screen', () => {
  function show(orders: OpenOrder[], holding: boolean) {
    const props = (newest: OpenOrder[], isFrozen: boolean, view = 'all') => ({ newest, isFrozen, view });
    const hook = renderHook(
      ({ newest, isFrozen, view }) => useFrozenRowOrder(newest, open(newest), view, isFrozen),
      {
        initialProps: props(orders, holding),
      },
    );
    return {
      now: () => hook.result.current,
      numbers: () => hook.result.current.rows.map(({ cached }) => cached.order.key),
      next: (newest: OpenOrder[], isFrozen: boolean, view?: string) =>
        hook.rerender(props(newest, isFrozen, view)),
    };
  }

  test('without interaction the newest sort order is shown', () => {
    const desk = show(list(1, 2), false);
    desk.next(list(3, 2, 1), false);
    expect(desk.numbers()).toEqual([3, 2, 1]);
    expect(desk.now().waiting).toBeNull();
  });

  test('during interaction the sort order stays, and is updated afterwards', () => {
    const desk = show(list(1, 2), false);
    desk.next(list(1, 2), true);
    desk.next(list(3, 2, 1), true);
    expect(desk.numbers()).toEqual([1, 2]);
    expect(desk.now().waiting).toEqual({ coming: 1, moved: 1, going: 0 });
    desk.next(list(3, 2, 1), false);
    expect(desk.numbers()).toEqual([3, 2, 1]);
    expect(desk.now().waiting).toBeNull();
  });

  test('an interaction that starts together with a change keeps the rows in place', () => {
    const desk = show(list(1, 2), false);
    desk.next(list(2, 1), true);
    expect(desk.numbers()).toEqual([1, 2]);
  });

  test('Show now updates the sort order once, and then it is frozen again', () => {
    const desk = show(list(1, 2), true);
    desk.next(list(2, 1), true);
    act(() => desk.now().showNow());
    expect(desk.numbers()).toEqual([2, 1]);
    expect(desk.now().waiting).toBeNull();
    desk.next(list(1, 2), true);
    expect(desk.numbers()).toEqual([2, 1]);
  });

  test('another view shows its newest sort order at once', () => {
    const desk = show(list(1, 2), true);
    desk.next(list(2, 1), true, 'waiting');
    expect(desk.numbers()).toEqual([2, 1]);
  });

  test('an empty list freezes nothing', () => {
    const desk = show([], true);
    desk.next(list(1), true);
    expect(desk.numbers()).toEqual([1]);
  });
});
