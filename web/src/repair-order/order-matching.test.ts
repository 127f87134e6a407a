import { expect, test } from 'vitest';
import { toRepairOrder } from './order.ts';
import { matchesOrder, orderWords } from './order-matching.ts';
import { row } from './rows.fixture.ts';

const order = toRepairOrder([
  row(40_646, {
    customer: 'ÁLVAREZ-MØLLER,JOSÉ',
    vehicle: '2015 Ford F-150 XL',
    advisor: 'Siobhan O’Brien',
    tagNumber: 'B-12',
    vehicleVIN: '1FTEW1E50FFA64640',
  }),
]);
const finds = (typed: string) => matchesOrder(order, orderWords(typed));

test.each([
  'jose alvarez',
  'ALVAREZ, JOSÉ',
  'moller',
  'f150',
  'ford f-150',
  'obrien',
  "o'brien",
  'b12 ford',
  '#40646',
  'ro#40646',
  'ro 40646',
  '#406',
  'ford#40646',
  '0646',
  'a64640',
])('“%s” finds the order', (typed) => {
  expect(finds(typed)).toBe(true);
});

test.each(['jose maria', 'alvarezford', 'f250', '#40647', '#0646', '#64640', '#b12', 'ro#0646'])(
  '“%s” does not',
  (typed) => {
    expect(finds(typed)).toBe(false);
  },
);

test('the sign asks for the beginning of either number, and for nothing else that has one', () => {
  const sublet = toRepairOrder([row(104_218, { displayNumber: 'A-0104218', vehicle: 'Van #77, unit#5' })]);
  const matches = (typed: string) => matchesOrder(sublet, orderWords(typed));
  for (const typed of ['#1042', '#a-01', '#A01', '77', 'unit 5']) expect(matches(typed), typed).toBe(true);
  for (const typed of ['#0104', '#4218', '#77', '#5']) expect(matches(typed), typed).toBe(false);
});

test('a stock number is found in the customer of an internal order', () => {
  const internal = toRepairOrder([row(9, { customer: 'USED VEHICLE INVENTORY U7123' })]);
  expect(matchesOrder(internal, orderWords('u7123'))).toBe(true);
  expect(matchesOrder(internal, orderWords('u7124'))).toBe(false);
  expect(matchesOrder(internal, orderWords('#u7123'))).toBe(false);
});

test('without a word there is nothing to match', () => {
  for (const typed of ['', '  ', '#', '##', ',']) expect(orderWords(typed)).toEqual([]);
});
