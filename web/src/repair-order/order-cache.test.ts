import { describe, expect, test } from 'vitest';
import {
  emptyOrderCache,
  hasFormerName,
  type Landing,
  landList,
  landOrders,
  type OrderCache,
  type OrderList,
} from './order-cache.ts';
import { row } from './rows.fixture.ts';

type OrderSource = ({ kind: 'order' } & Landing) | ({ kind: 'list' } & OrderList);

const NOW = 1_000;

function landSource(cache: OrderCache, source: OrderSource): OrderCache {
  return source.kind === 'list' ? landList(cache, source, NOW) : landOrders(cache, [source], NOW);
}

/** What a reader would see: number, version and status of each open order. */
function visible(cache: OrderCache): string[] {
  return [...cache.open.values()]
    .map(({ order, version }) => `${order.key} v${version} ${order.status}`)
    .toSorted();
}

/** Numbers from a seed, so that a failing case can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const STATUSES = ['Waiting', 'Drop', 'PDI', 'Used'] as const;

/** A shop's history: every event it announced, and a list as it was after each of some of them. */
function history(pick: (below: number) => number): { facts: OrderSource[]; final: string[] } {
  const orders = new Map<number, { version: number; open: boolean; status: (typeof STATUSES)[number] }>();
  const sources: OrderSource[] = [];
  const rowsOf = (roNumber: number) => {
    const order = orders.get(roNumber);
    return order?.open ? [row(roNumber, { version: order.version, appCustomerStatus: order.status })] : [];
  };
  const listNow = (seq: number): OrderSource => ({
    kind: 'list',
    rows: [...orders.keys()].flatMap(rowsOf),
    seq,
  });
  const events = 12;
  for (let seq = 1; seq <= events; seq++) {
    const roNumber = 1 + pick(4);
    const before = orders.get(roNumber);
    orders.set(roNumber, {
      version: (before?.version ?? 0) + 1,
      // One event in three closes an open order; a closed one is opened again.
      open: before?.open ? pick(3) > 0 : true,
      status: STATUSES[pick(4)] ?? 'Drop',
    });
    const version = orders.get(roNumber)?.version ?? 0;
    sources.push({ kind: 'order', roNumber, rows: rowsOf(roNumber), version, seq });
    if (pick(4) === 0) sources.push(listNow(seq));
  }
  const final = [...orders]
    .filter(([, order]) => order.open)
    .map(([roNumber, order]) => `${roNumber} v${order.version} ${order.status}`)
    .toSorted();
  return { facts: sources, final };
}

function shuffled<T>(items: readonly T[], pick: (below: number) => number): T[] {
  const left = [...items];
  return Array.from({ length: items.length }, () => left.splice(pick(left.length), 1)).flat();
}

describe('landing', () => {
  test('any order and repetition of messages and lists gives the same cache', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const pick = random(seed);
      const { facts: sources, final } = history(pick);
      const twice = [...sources, ...sources.filter(() => pick(3) === 0)];
      const cache = shuffled(twice, pick).reduce(landSource, emptyOrderCache);
      expect(visible(cache), `seed ${seed}`).toEqual(final);
    }
  });

  test('batched messages give the same cache as landing one by one', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const pick = random(seed);
      const { facts: sources } = history(pick);
      const came = shuffled([...sources, ...sources.filter(() => pick(3) === 0)], pick);
      let gathered = emptyOrderCache;
      let waiting: Landing[] = [];
      const flush = () => {
        gathered = landOrders(gathered, waiting, NOW);
        waiting = [];
      };
      for (const source of came) {
        // A list does not wait for the messages that do, nor they for it.
        if (source.kind === 'list') gathered = landList(gathered, source, NOW);
        else waiting.push(source);
        if (pick(3) === 0) flush();
      }
      flush();
      expect(visible(gathered), `seed ${seed}`).toEqual(visible(came.reduce(landSource, emptyOrderCache)));
    }
  });

  test('messages of a batch land one after the other', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const pick = random(seed);
      const { facts: sources } = history(pick);
      const landings = shuffled(sources, pick).filter((source) => source.kind === 'order');
      expect(landOrders(emptyOrderCache, landings, NOW), `seed ${seed}`).toEqual(
        landings.reduce(landSource, emptyOrderCache),
      );
    }
  });

  test('landing everything once more changes nothing', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { facts: sources } = history(random(seed));
      const once = sources.reduce(landSource, emptyOrderCache);
      const again = sources.reduce(landSource, once);
      expect(visible(again), `seed ${seed}`).toEqual(visible(once));
      for (const [roNumber, cached] of once.open) expect(again.open.get(roNumber)?.order).toBe(cached.order);
    }
  });

  test('an older version never overwrites a newer one', () => {
    const cache = landList(
      emptyOrderCache,
      { rows: [row(1, { version: 5, appCustomerStatus: 'PDI' })], seq: 10 },
      NOW,
    );
    const late = landOrders(
      cache,
      [{ roNumber: 1, rows: [row(1, { version: 4 })], version: 4, seq: 9 }],
      NOW,
    );
    expect(late).toBe(cache);
  });

  test('a late list does not bring a closed order back', () => {
    const list = { rows: [row(1), row(2)], seq: 10 };
    let cache = landList(emptyOrderCache, list, NOW);
    cache = landOrders(cache, [{ roNumber: 1, rows: [], version: 2, seq: 11 }], NOW);
    expect(visible(landList(cache, list, NOW))).toEqual(['2 v1 Drop']);
  });

  test('an order closed without a connection disappears with the next list', () => {
    const cache = landList(emptyOrderCache, { rows: [row(1), row(2)], seq: 10 }, NOW);
    expect(visible(landList(cache, { rows: [row(2)], seq: 20 }, NOW))).toEqual(['2 v1 Drop']);
  });

  test('an order created after the list was taken stays when the list comes late', () => {
    const cache = landOrders(emptyOrderCache, [{ roNumber: 7, rows: [row(7)], version: 1, seq: 11 }], NOW);
    expect(visible(landList(cache, { rows: [row(1)], seq: 10 }, NOW))).toEqual(['1 v1 Drop', '7 v1 Drop']);
  });

  test('rows count with their own version, which may be newer than the message', () => {
    const cache = landOrders(
      emptyOrderCache,
      [{ roNumber: 1, rows: [row(1, { version: 9 })], version: 3, seq: 3 }],
      NOW,
    );
    expect(cache.open.get(1)?.version).toBe(9);
  });

  test('the second of two events of one change names the author of the rows', () => {
    const rows = [row(1, { version: 3 })];
    const by = { person: { uid: 'd', name: 'Dana' }, at: NOW };
    const first = { roNumber: 1, rows, version: 2, seq: 11 };
    const second = { roNumber: 1, rows, version: 3, seq: 12, by };
    expect(landOrders(emptyOrderCache, [first, second], NOW).open.get(1)?.by).toEqual(by);
  });

  test('stages appear and disappear with the list of a shop that turned them on or off', () => {
    const plain = landList(emptyOrderCache, { rows: [row(1)], seq: 5 }, NOW);
    const staged = landList(plain, { rows: [row(1, { stage: 'ready' })], seq: 5 }, NOW);
    expect(staged.open.get(1)).toMatchObject({ version: 1, changedAt: 0, order: { stage: 'ready' } });
    // An answer from before is no news.
    expect(landList(staged, { rows: [row(1)], seq: 4 }, NOW).open.get(1)?.order.stage).toBe('ready');
    expect(landList(staged, { rows: [row(1)], seq: 6 }, NOW).open.get(1)?.order.stage).toBeNull();
  });

  test('a technician who was renamed has the new name at the same version, and other orders stay as they are', () => {
    const named = (name: string) => row(1, { version: 3, regularIdTechnician: 7, regularTechFullName: name });
    const etl = (name: string) => row(2, { ETLIdTechnician: 7, ETLTechFullName: name, source: 'ETL' });
    const other = row(3, { regularIdTechnician: 8, regularTechFullName: ' Bo Diaz ' });
    const before = landList(
      emptyOrderCache,
      { rows: [named('Ann Lee'), etl('Ann Lee'), other], seq: 5 },
      NOW,
    );
    const renamed = { rows: [named('Ann Kay'), etl('Ann Kay'), other], seq: 5 };
    const after = landList(before, renamed, 2 * NOW);
    expect(after.open.get(1)).toMatchObject({ version: 3, changedAt: 0, order: { technician: 'Ann Kay' } });
    expect(after.open.get(1)?.order.technicians).toEqual([{ id: 7, name: 'Ann Kay' }]);
    expect(after.open.get(2)?.order.allEtlTechs).toBe('Ann Kay');
    expect(after.open.get(3)?.order).toBe(before.open.get(3)?.order);
    const again = landList(after, renamed, 3 * NOW);
    for (const roNumber of [1, 2, 3])
      expect(again.open.get(roNumber)?.order).toBe(after.open.get(roNumber)?.order);
    // An answer from before is no news.
    const late = landList(after, { rows: [named('Ann Lee'), etl('Ann Lee'), other], seq: 4 }, NOW);
    expect(late.open.get(1)?.order.technician).toBe('Ann Kay');
  });

  test('an order that calls a technician by a former name is found', () => {
    const rows = [
      row(1, { regularIdTechnician: 7, regularTechFullName: 'Ann Lee' }),
      row(2, { ETLIdTechnician: 8, ETLTechFullName: 'Bo Diaz', source: 'ETL' }),
      row(3),
    ];
    const cache = landList(emptyOrderCache, { rows, seq: 5 }, NOW);
    const called = (...names: [number, string][]) => hasFormerName(cache, new Map(names));
    expect(called([7, 'Ann Lee'], [8, 'Bo Diaz'])).toBe(false);
    expect(called([7, 'Ann Kay'], [8, 'Bo Diaz'])).toBe(true);
    expect(called([7, 'Ann Lee'], [8, 'Bo Kay'])).toBe(true);
    // Not every technician of an order is on the shop's list.
    expect(called([9, 'Cy Poe'])).toBe(false);
  });

  test('only orders changed after the first list are marked as changed', () => {
    let cache = landList(emptyOrderCache, { rows: [row(1), row(2)], seq: 10 }, NOW);
    cache = landOrders(cache, [{ roNumber: 2, rows: [row(2, { version: 2 })], version: 2, seq: 11 }], NOW);
    expect([cache.open.get(1)?.changedAt, cache.open.get(2)?.changedAt]).toEqual([0, NOW]);
  });
});
