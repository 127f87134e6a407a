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
])('“%s” finds the order', (typed) => {
  expect(finds(typed)).toBe(true);
});

test.each(['jose maria', 'alvarezford', 'f250', '#40647'])('“%s” does not', (typed) => {
  expect(finds(typed)).toBe(false);
});

test('without a word there is nothing to match', () => {
  for (const typed of ['', '  ', '#', ',']) expect(orderWords(typed)).toEqual([]);
});
