import { expect, test } from 'vitest';
import { brakes, candidate } from '../../api/candidate.fixture.ts';
import { noWork } from '../sold-hours.ts';
import { nothingAdded } from '../technician-load.ts';
import { type OrderToPropose, propose, workByTechnician } from './proposals.ts';

const ANA = 1;
const BO = 2;

function order(key: number, candidates: OrderToPropose['candidates'], hours = 2): OrderToPropose {
  return { key, candidates, without: [], work: { hours, jobsWithoutHours: 0 } };
}

const proposed = (...orders: OrderToPropose[]) => [...propose(orders)];

test('each order has its own best technician', () => {
  const ana = candidate(ANA, 'Ana');
  const bo = candidate(BO, 'Bo', { skills: [brakes(3)] });
  const anaWithoutBrakes = candidate(ANA, 'Ana', { skills: [brakes(null)] });
  expect(proposed(order(7, [ana, bo]), order(8, [bo, anaWithoutBrakes]))).toEqual([
    [7, ANA],
    [8, BO],
  ]);
});

test('what the earlier orders of the batch give to a technician counts as load', () => {
  const ranked = [candidate(ANA, 'Ana', { assignedHours: 3 }), candidate(BO, 'Bo', { assignedHours: 4 })];
  expect(proposed(order(7, ranked), order(8, ranked), order(9, ranked))).toEqual([
    [7, ANA],
    [8, BO],
    [9, ANA],
  ]);
});

test('load is compared with the hours of the day, and unknown hours weigh half an hour', () => {
  const ranked = [
    candidate(ANA, 'Ana', { assignedHours: 1, dailyHours: 4 }),
    candidate(BO, 'Bo', { assignedHours: 2, jobsWithoutHours: 2 }),
  ];
  // Ana would have 2 of 4 hours, Bo has 3 of 8.
  expect(proposed(order(7, ranked, 1), order(8, ranked, 1))).toEqual([
    [7, ANA],
    [8, BO],
  ]);
});

test('of two who are equally busy the one on fewer orders is proposed, then the higher ranked', () => {
  const bo = candidate(BO, 'Bo', { openOrders: 1 });
  const ana = candidate(ANA, 'Ana', { openOrders: 1 });
  const noHours = { hours: 0, jobsWithoutHours: 0 };
  const orders = [7, 8, 9].map((key) => ({ ...order(key, [bo, ana]), work: noHours }));
  expect(proposed(...orders)).toEqual([
    [7, BO],
    [8, ANA],
    [9, BO],
  ]);
});

test.each([
  ['a skill', { skills: [brakes(3)] }, { skills: [brakes(null)] }],
  ['the level of a skill', { skills: [brakes(3)] }, { skills: [brakes(2)] }],
  ['being on the clock', { clock: 'on-job' as const }, { clock: 'off' as const }],
])('%s counts more than any load', (_, better, worse) => {
  const ranked = [candidate(ANA, 'Ana', { ...better, assignedHours: 9 }), candidate(BO, 'Bo', worse)];
  expect(proposed(order(7, ranked), order(8, ranked))).toEqual([
    [7, ANA],
    [8, ANA],
  ]);
});

test('whoever is idle and whoever is on a car stand equal before the load', () => {
  const ranked = [
    candidate(ANA, 'Ana', { clock: 'on-job' }),
    candidate(BO, 'Bo', { clock: 'idle', assignedHours: 1 }),
  ];
  expect(proposed(order(7, ranked), order(8, ranked))).toEqual([
    [7, ANA],
    [8, BO],
  ]);
});

test('a portal counts between two who have as much to do, and not before the load', () => {
  const equal = [candidate(BO, 'Bo', { portal: false }), candidate(ANA, 'Ana')];
  expect(proposed(order(7, equal))).toEqual([[7, ANA]]);
  const busier = [candidate(ANA, 'Ana', { assignedHours: 1 }), candidate(BO, 'Bo', { portal: false })];
  expect(proposed(order(7, busier))).toEqual([[7, BO]]);
});

test('whoever is on the order already is not proposed for it', () => {
  const ranked = [candidate(ANA, 'Ana'), candidate(BO, 'Bo', { portal: false })];
  expect(proposed({ ...order(7, ranked), without: [ANA] })).toEqual([[7, BO]]);
});

test('an order without a ranking has no proposal', () => {
  expect(proposed(order(7, []))).toEqual([]);
});

test('the work of a batch is added up by technician', () => {
  const orders = [
    { key: 7, work: { all: { hours: 0.1, jobsWithoutHours: 1 }, dueToday: noWork } },
    {
      key: 8,
      work: { all: { hours: 0.2, jobsWithoutHours: 0 }, dueToday: { hours: 0.2, jobsWithoutHours: 0 } },
    },
    { key: 9, work: { all: { hours: 5, jobsWithoutHours: 0 }, dueToday: noWork } },
  ];
  const added = workByTechnician(orders, (key) => (key === 9 ? null : ANA));
  expect(added(ANA)).toEqual({
    all: { hours: 0.3, jobsWithoutHours: 1 },
    dueToday: { hours: 0.2, jobsWithoutHours: 0 },
  });
  expect(added(BO)).toEqual(nothingAdded);
});

test('five equal orders do not all go to the only one on the clock', () => {
  const CY = 13;
  const absent = { clock: 'off' as const };
  const ranked = [
    candidate(ANA, 'Ana'),
    candidate(BO, 'Bo', { ...absent, assignedHours: 1 }),
    candidate(CY, 'Cy', { ...absent, assignedHours: 2 }),
  ];
  expect(proposed(...[1, 2, 3, 4, 5].map((key) => order(key, ranked)))).toEqual([
    [1, ANA],
    [2, ANA],
    [3, BO],
    [4, CY],
    [5, BO],
  ]);
});

test('however many orders there are, whoever lacks a skill gets none', () => {
  const ranked = [
    candidate(ANA, 'Ana', { skills: [brakes(3)] }),
    candidate(BO, 'Bo', { skills: [brakes(null)] }),
  ];
  expect(proposed(...[1, 2, 3].map((key) => order(key, ranked))).map(([, id]) => id)).toEqual([
    ANA,
    ANA,
    ANA,
  ]);
});
