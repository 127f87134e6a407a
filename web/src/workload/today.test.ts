import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import type { Workload } from '../api/technicians.ts';
import { i18n } from '../i18n/i18n.ts';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { hoursOverToday, isOverToday } from '../repair-order/technician-load.ts';
import type { MovingCar } from './moves.ts';
import { barScale, shareOfToday, withCar } from './today.ts';
import { backlogText, projectionText, todayText } from './today-texts.ts';
import { technician } from './workload.fixture.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HANK = 1;
const ANA = 2;

/** Hours promised for today, hours left, and jobs for today without hours. */
const today = (dueTodayHours: number, hoursLeftToday: number, dueTodayJobsWithoutHours = 0): Workload =>
  technician(ANA, 'Ana Ruiz', { dueTodayHours, hoursLeftToday, dueTodayJobsWithoutHours });

test.each([
  ['what is left suffices', today(6, 6), false],
  ['a quarter of an hour too much', today(6.25, 6), true],
  ['nothing is promised and nothing left', today(0, 0), false],
  ['work is promised and nothing left', today(0.5, 0), true],
  ['work of unknown hours is promised and nothing left', today(0, 0, 1), true],
  ['work of unknown hours is promised and something left', today(0, 1, 3), false],
])('where %s, somebody is over today or not', (_, of, isOver) => {
  expect(isOverToday(of)).toBe(isOver);
});

test('hours over are those that are left when the shown ones are subtracted', () => {
  expect(hoursOverToday(today(3.34, 0.96))).toBe(2.3);
  // Both are shown as 0.4.
  expect(isOverToday(today(0.43, 0.38))).toBe(false);
});

test('nobody is over because of what is promised for later', () => {
  const busy = technician(ANA, 'Ana Ruiz', { assignedHours: 40, dueTodayHours: 2, hoursLeftToday: 8 });
  expect(isOverToday(busy)).toBe(false);
  expect(hoursOverToday(busy)).toBe(0);
});

test('the share of today has no bound once the day is over', () => {
  expect([today(3, 6), today(0, 0), today(1, 0), today(0, 0, 1)].map(shareOfToday)).toEqual([
    0.5,
    0,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
});

test('all bars have room for the most of all technicians, and for eight hours at least', () => {
  expect(barScale([])).toBe(8);
  expect(barScale([today(2, 6), today(3, 4)])).toBe(8);
  expect(barScale([today(2, 6), today(12.5, 4)])).toBe(12.5);
  expect(barScale([today(2, 10), today(3, 4)])).toBe(10);
});

test.each([
  [today(2.5, 6), '2.5 of 6 h'],
  [today(7.1, 6), '7.1 of 6 h, 1.1 h over'],
  [today(0, 6), '0 of 6 h'],
  [today(0, 0), 'no hours left'],
  [today(2, 0), '2 h, no hours left'],
  [today(2.5, 6, 1), 'at least 2.5 of 6 h'],
  [today(7.1, 6, 2), 'at least 7.1 of 6 h, 1.1 h over'],
  [today(2, 0, 1), 'at least 2 h, no hours left'],
  [today(0, 6, 2), 'hours not known'],
  [today(0, 0, 2), 'hours not known, no hours left'],
])('%o in words', (of, text) => {
  expect(todayText(of, i18n.t, 'en')).toBe(text);
});

test.each([
  [10.4, 0, 'backlog 1.3 days'],
  [8, 0, 'backlog 1 day'],
  [0, 0, 'no backlog'],
  [12, 2, 'backlog at least 1.5 days'],
  [0, 2, 'backlog not known'],
])('a backlog of %d h with %d jobs without hours in words', (assignedHours, jobsWithoutHours, text) => {
  expect(backlogText({ assignedHours, jobsWithoutHours, dailyHours: 8 }, i18n.t, 'en')).toBe(text);
});

const operation = (soldHours: number | null) => ({ operationCode: 'X', operationDesciption: 'x', soldHours });
const jobs = (...hours: (number | null)[]) =>
  hours.map((sold, place) => ({
    jobNumber: place + 1,
    concern: '',
    operations: [operation(sold)],
  })) as unknown as Row['jobs'];
const car = (...rows: Partial<Row>[]) =>
  toRepairOrder([
    row(7, { jobs: jobs(1.5, 2, null), promisedDateTime: '2026-03-02T12:05:00Z', ...rows[0] }),
    ...rows.slice(1).map((changes) => row(7, { jobs: jobs(1.5, 2, null), ...changes })),
  ]);
const hanks: Partial<Row> = { regularIdTechnician: HANK, regularTechFullName: 'Hank Mueller' };
/** It in Hank's hand. */
const held = (order: RepairOrder, jobsLeft: MovingCar['jobsLeft'] = order.jobs): MovingCar => ({
  shown: { order, changedAt: 0 } as OpenOrder,
  from: HANK,
  jobsLeft,
});
const numbers = ({ dueTodayHours, dueTodayJobsWithoutHours, assignedHours, jobsWithoutHours }: Workload) => [
  dueTodayHours,
  dueTodayJobsWithoutHours,
  assignedHours,
  jobsWithoutHours,
];

test('a car that is promised for today, or late, adds to today and to the backlog', () => {
  expect(numbers(withCar(today(1, 8), held(car(hanks)), NOW))).toEqual([4.5, 1, 3.5, 1]);
  const late = car({ ...hanks, promisedDateTime: '2026-03-01T12:00:00Z' });
  expect(numbers(withCar(today(1, 8), held(late), NOW))).toEqual([4.5, 1, 3.5, 1]);
});

test.each([
  ['later', '2026-03-05T12:00:00Z'],
  ['no time', null],
])('a car that is promised for %s adds to the backlog alone', (_, promisedDateTime) => {
  const later = car({ ...hanks, promisedDateTime });
  expect(numbers(withCar(today(1, 8), held(later), NOW))).toEqual([1, 0, 3.5, 1]);
});

test('a car adds only what is left to do on it', () => {
  const order = car(hanks);
  expect(numbers(withCar(today(1, 8), held(order, order.jobs.slice(0, 1)), NOW))).toEqual([2.5, 0, 1.5, 0]);
  expect(numbers(withCar(today(1, 8), held(order, []), NOW))).toEqual([1, 0, 0, 0]);
});

const projected = (of: Workload, changes: Partial<Row>) =>
  projectionText(of, withCar(of, held(car({ ...hanks, ...changes })), NOW), i18n.t, 'en');

test.each([
  ['for today', {}, 'at least 4.5 of 8 h', true],
  ['for later', { promisedDateTime: '2026-03-05T12:00:00Z' }, 'at least +3.5 h backlog', false],
  ['for no time', { promisedDateTime: null, jobs: jobs(1.5) }, '+1.5 h backlog', false],
  [
    'for no time and without hours',
    { promisedDateTime: null, jobs: jobs(null) },
    'more backlog, hours not known',
    false,
  ],
  ['for later and without jobs', { promisedDateTime: null, jobs: jobs() }, '1 of 8 h', true],
])('what a car that is promised %s adds, in words', (_, changes, text, isToday) => {
  expect(projected(today(1, 8), changes)).toEqual({ text, isToday });
});

test('a car is shared with those who stay on it', () => {
  const shared = car(hanks, { regularIdTechnician: 3, regularTechFullName: 'Bo Li' });
  expect(numbers(withCar(today(1, 8), held(shared), NOW))).toEqual([2.75, 1, 1.75, 1]);
});

test('a car that the dealer system gave the receiver already adds only what the giver had of it', () => {
  const both = car({ ...hanks, ETLIdTechnician: ANA, ETLTechFullName: 'Ana Ruiz' });
  expect(numbers(withCar(today(1, 8), held(both), NOW))).toEqual([2.75, 0, 1.75, 0]);
});
