import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { carsOf, factsOf, ordersByTechnician, shortVehicle } from './lanes.ts';
import { finishedJob, onJobSince, technician } from './workload.fixture.ts';

const HANK = 1;
const BO = 2;
const NOW = Date.parse('2026-03-02T15:00:00Z');
const hanks: Partial<Row> = { regularIdTechnician: HANK, regularTechFullName: 'Hank Mueller' };
const lanes = (...rows: Row[]) =>
  ordersByTechnician(landList(emptyOrderCache, { rows, seq: 1 }, 0).open.values());
/** `running`: the order that Hank's clock runs on. */
const hankLane = (running: number | null, ...rows: Row[]) => hankLaneWith([], running, ...rows);
const hankLaneWith = (finishedJobs: Workload['finishedJobs'], running: number | null, ...rows: Row[]) => {
  const clock = running === null ? {} : { clock: onJobSince('2026-03-02T08:00:00Z', running, 1) };
  const hank = technician(HANK, 'Hank Mueller', { finishedJobs, ...clock });
  return carsOf(hank, lanes(...rows).get(HANK) ?? []);
};
const told = (cars: ReturnType<typeof hankLane>) => cars.map(({ shown, place }) => [shown.order.key, place]);

const inOrder = [
  row(5, { ...hanks, customerStatus: 'Used' }),
  row(4, { ...hanks, priorityName: 'Low' }),
  row(3, { ...hanks, priorityName: 'High' }),
  row(6, { ...hanks, customerStatus: 'Waiting', priorityName: 'Waiting' }),
];

test('cars stand in the order in which they are worked, and the first is next', () => {
  expect(told(hankLane(null, ...inOrder))).toEqual([
    [6, 'next'],
    [3, null],
    [4, null],
    [5, null],
  ]);
});

test('the car that the clock runs on stands first, and the most urgent other one is next', () => {
  expect(told(hankLane(4, ...inOrder))).toEqual([
    [4, 'now'],
    [6, 'next'],
    [3, null],
    [5, null],
  ]);
});

test('a clock that runs on somebody else’s car marks none of these', () => {
  expect(told(hankLane(99, ...inOrder.slice(0, 1)))).toEqual([[5, 'next']]);
});

const twoJobs = [
  { jobNumber: 1, concern: '', operations: [] },
  { jobNumber: 2, concern: '', operations: [] },
] as unknown as Row['jobs'];

test('a car whose jobs are all finished is done: it is neither next nor late, and stands last', () => {
  const at = (time: string) => ({ ...hanks, jobs: twoJobs, promisedDateTime: `2026-03-02T${time}:00Z` });
  const rows = [row(1, at('12:00')), row(2, at('12:30')), row(3, at('16:00')), row(4, hanks)];
  const finished = [
    finishedJob(1, 1),
    finishedJob(1, 2),
    finishedJob(2, 1),
    finishedJob(3, 1),
    finishedJob(3, 2),
  ];
  const cars = hankLaneWith(finished, null, ...rows);
  expect(told(cars)).toEqual([
    [2, 'next'],
    [4, null],
    [1, 'done'],
    [3, 'done'],
  ]);
  expect(cars.map(({ jobsLeft }) => jobsLeft.map(({ jobNumber }) => jobNumber))).toEqual([[2], [], [], []]);
  expect(factsOf(cars, NOW)).toEqual({ late: 1, nextPromise: null });
});

test('a car that the clock runs on is not done', () => {
  expect(told(hankLaneWith([finishedJob(1, 1)], 1, row(1, { ...hanks, jobs: twoJobs.slice(0, 1) })))).toEqual(
    [[1, 'now']],
  );
});

test('a car stands in the lane of everybody who is on it, once in each', () => {
  const rows = [
    row(7, { ...hanks, ETLIdTechnician: HANK, ETLTechFullName: 'Hank Mueller' }),
    row(7, { regularIdTechnician: BO, regularTechFullName: 'Bo Li' }),
    row(8),
  ];
  const numbers = [...lanes(...rows)].map(([id, lane]) => [id, lane.map(({ order }) => order.key)]);
  expect(numbers).toEqual([
    [HANK, [7]],
    [BO, [7]],
  ]);
});

test('a car is the dealer system’s alone only where the desk did not assign it, too', () => {
  const etl = { ETLIdTechnician: HANK, ETLTechFullName: 'Hank Mueller' };
  const cars = hankLane(null, row(7, { ...hanks, ...etl }), row(8, etl));
  expect(cars.map(({ isEtl }) => isEtl)).toEqual([false, true]);
});

test('an order without a promise is never late', () => {
  const cars = hankLane(null, row(1, { ...hanks, createDateTime: '2026-02-20T08:00:00Z' }));
  expect(factsOf(cars, NOW)).toEqual({ late: 0, nextPromise: null });
});

test('late cars are counted, and the next promise is the nearest that can still be kept', () => {
  const at = (time: string) => ({ ...hanks, promisedDateTime: `2026-03-02T${time}:00Z` });
  const cars = hankLane(null, row(1, at('12:00')), row(2, at('17:30')), row(3, at('16:00')), row(4, hanks));
  expect(factsOf(cars, NOW)).toEqual({ late: 1, nextPromise: Date.parse('2026-03-02T16:00:00Z') });
  expect(factsOf([], NOW)).toEqual({ late: 0, nextPromise: null });
});

test.each([
  ['2021 Honda Accord EX', 'Honda Accord EX'],
  ['Honda Accord', 'Honda Accord'],
  ['2021', '2021'],
  ['Peugeot 2008', 'Peugeot 2008'],
  ['', ''],
])('“%s” in a chip', (vehicle, short) => {
  expect(shortVehicle(vehicle)).toBe(short);
});
