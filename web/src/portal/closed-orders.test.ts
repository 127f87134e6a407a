import { describe, expect, test } from 'vitest';
import { closedJob, closedOrder } from './closed-orders.fixture.ts';
import { findClosed, storiesOwed } from './closed-orders.ts';

const accord = closedOrder(401, {
  jobs: [closedJob(1), closedJob(2, { opcode: 'BRKF', concern: 'Squeaks when braking' })],
});
const golf = closedOrder(402, {
  displayNumber: 'C77',
  vehicle: '2019 Volkswagen Golf',
  vehicleVIN: '3VWD17AU8KM500111',
  customer: 'MÜLLER,ZOË',
  jobs: [closedJob(1, { opcode: 'DIAG', concern: 'Rattles' })],
});
const closed = [accord, golf];
const found = (search: string) =>
  findClosed(closed, search).map(({ repairOrderNumber }) => repairOrderNumber);

describe('a search among the closed orders', () => {
  test.each<[string, string, number]>([
    ['the number', '401', 401],
    ['the number as it is displayed', 'c77', 402],
    ['the vehicle', 'golf', 402],
    ['the VIN', '1hgcm82633a004352', 401],
    ['the last digits of the VIN', '500111', 402],
    ['the customer', 'smith', 401],
    ['an opcode', 'diag', 402],
    ['the opcode of a further job', 'brkf', 401],
    ['a concern', 'rattles', 402],
    ['the concern of a further job', 'squeaks', 401],
  ])('finds one by %s', (_, search, number) => {
    expect(found(search)).toEqual([number]);
  });

  test.each(['golf zoë rattles', 'rattles golf zoë', '  ZOË   Rattles GOLF '])(
    'takes the words in any order: “%s”',
    (search) => {
      expect(found(search)).toEqual([402]);
    },
  );

  test('wants all of the words in one order', () => {
    expect(found('golf squeaks')).toEqual([]);
    expect(found('golf nothing')).toEqual([]);
  });

  test.each(['müller', 'muller', 'MULLER', 'zoe'])('ignores case and accents: “%s”', (search) => {
    expect(found(search)).toEqual([402]);
  });

  test.each(['', '   '])('without a word leaves all of them, in their order: “%s”', (search) => {
    expect(found(search)).toEqual([401, 402]);
  });
});

test('a story is owed for each job that was worked on and has none', () => {
  const owed = { hasStory: false };
  const others = { workedOn: false, hasStory: false };
  expect(storiesOwed([])).toBe(0);
  expect(storiesOwed(closed)).toBe(0);
  expect(
    storiesOwed([
      closedOrder(1, { jobs: [closedJob(1, owed), closedJob(2), closedJob(3, others)] }),
      closedOrder(2, { jobs: [closedJob(1, owed), closedJob(2, owed)] }),
    ]),
  ).toBe(3);
});
