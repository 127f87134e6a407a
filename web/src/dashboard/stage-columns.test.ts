import { expect, test } from 'vitest';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { someStages, stage } from '../repair-order/stages.fixture.ts';
import { stagesInUse } from '../repair-order/stages.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { columnsOf, isOverLimit, nearestPlace, placeByKey, placeOfCard } from './stage-columns.ts';

const stages = stagesInUse(someStages) ?? { byId: new Map(), current: [] };

/** Orders of the list in their stages; `removed`: those that are only kept in place. */
function listed(places: readonly [number, string?][], removed: readonly number[] = []): FrozenRow[] {
  const rows = places.map(([key, at]) => row(key, at === undefined ? {} : { stage: at }));
  const { open } = landList(emptyOrderCache, { rows, seq: 1 }, 0);
  return places.flatMap(([key]) => {
    const cached = open.get(key);
    return cached === undefined ? [] : [{ cached, removal: removed.includes(key) ? 'closed' : null }];
  });
}

test('there is a column for each stage in the order of the shop, with its cars in the order of the list', () => {
  const columns = columnsOf(
    listed([
      [3, 'ready'],
      [1, 'in-work'],
      [2, 'ready'],
    ]),
    stages,
    new Map(),
    null,
  );
  expect(columns.map(({ id, keys }) => [id, keys])).toEqual([
    ['to-be-dispatched', []],
    ['in-diagnosis', []],
    ['waiting-for-parts', []],
    ['in-work', [1]],
    ['ready', [3, 2]],
  ]);
});

test('a deleted stage, an unknown one and none have a column while cars are in them', () => {
  const rows = listed([[1, 'polish'], [2, 'of-tomorrow'], [3]]);
  const ids = columnsOf(rows, stages, new Map(), null).map(({ id }) => id);
  expect(ids).toContain('polish');
  expect(ids.slice(0, 2)).toEqual(['of-tomorrow', '']);
  expect(columnsOf([], stages, new Map(), null).map(({ id }) => id)).not.toContain('polish');
});

test('the filter leaves one column', () => {
  const columns = columnsOf(listed([[1, 'ready']]), stages, new Map(), 'ready');
  expect(columns.map(({ id, keys }) => [id, keys])).toEqual([['ready', [1]]]);
});

test('what is only kept in place is not counted, and what the list does not show is', () => {
  const rows = listed(
    [
      [1, 'ready'],
      [2, 'ready'],
    ],
    [2],
  );
  const [column] = columnsOf(rows, stages, new Map([['ready', 7]]), 'ready');
  expect(column).toMatchObject({ shown: 1, count: 7, keys: [1, 2] });
});

test('a limit is what the shop has there at most, whatever the list shows of it', () => {
  const limited = stage('wash', { limit: 2 });
  expect(isOverLimit({ stage: limited, count: 2 })).toBe(false);
  expect(isOverLimit({ stage: limited, count: 3 })).toBe(true);
  expect(isOverLimit({ stage: stage('wash'), count: 300 })).toBe(false);
});

const columns = [{ keys: [] }, { keys: [1, 2, 3] }, { keys: [] }, { keys: [4] }];

test.each([
  ['ArrowDown', { column: 1, index: 0 }, { column: 1, index: 1 }],
  ['ArrowUp', { column: 1, index: 0 }, null],
  ['End', { column: 1, index: 0 }, { column: 1, index: 2 }],
  ['Home', { column: 1, index: 2 }, { column: 1, index: 0 }],
  ['ArrowRight', { column: 1, index: 2 }, { column: 3, index: 0 }],
  ['ArrowRight', { column: 3, index: 0 }, null],
  ['ArrowLeft', { column: 3, index: 0 }, { column: 1, index: 0 }],
  ['ArrowLeft', { column: 1, index: 0 }, null],
  ['t', { column: 1, index: 0 }, null],
])('%s leads from %j to %j', (key, from, to) => {
  expect(placeByKey(columns, from, key)).toEqual(to);
});

test('the place of a card that left is taken by the nearest one', () => {
  expect(nearestPlace(columns, { column: 1, index: 9 })).toEqual({ column: 1, index: 2 });
  expect(nearestPlace(columns, { column: 2, index: 1 })).toEqual({ column: 3, index: 0 });
  expect(nearestPlace(columns.slice(0, 3), { column: 2, index: 1 })).toEqual({ column: 1, index: 0 });
  expect(nearestPlace([{ keys: [] }], { column: 0, index: 0 })).toBeNull();
  expect(placeOfCard(columns, 4)).toEqual({ column: 3, index: 0 });
  expect(placeOfCard(columns, 5)).toBeNull();
});
