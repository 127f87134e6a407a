import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import type { ColumnId } from './column-layout.ts';
import { readSort, sortOrders, sortText } from './sorting.ts';

const order = (roNumber: number, changes: Partial<Row> = {}) => toRepairOrder([row(roNumber, changes)]);
const by = (name: string | null) => ({
  regularIdTechnician: name === null ? null : 1,
  regularTechFullName: name,
});

const shop = [
  order(1, { vehicle: 'volvo V70', appCustomerStatus: 'PDI', ...by('Zoë Adams') }),
  order(2, { vehicle: 'Audi A4', priorityName: 'High', ...by('Émile Roy') }),
  order(3, { vehicle: 'audi a10', appCustomerStatus: 'Waiting', ...by(null) }),
  order(4, {
    vehicle: 'Audi A4',
    priorityName: 'Medium',
    promisedDateTime: '2026-03-02T12:00:00Z',
    ...by('Frank Li'),
  }),
];

function numbers(column: ColumnId, descending = false, tab: 'all' | 'waiting' = 'all') {
  return sortOrders(shop, tab, { column, descending }, 'en').map(({ key }) => key);
}

test('without a column the tab has its own order', () => {
  expect(sortOrders(shop, 'all', null, 'en').map(({ key }) => key)).toEqual([3, 2, 4, 1]);
});

test.each([
  ['details', [1, 2, 3, 4], [4, 3, 2, 1]],
  // As people read it: case does not matter and A10 comes after A4. Equal ones stand by urgency in both directions.
  ['vehicle', [2, 4, 3, 1], [1, 3, 2, 4]],
  ['status', [3, 2, 4, 1], [1, 2, 4, 3]],
  ['priority', [2, 4, 3, 1], [3, 1, 4, 2]],
  // É is an E; nobody stands last either way.
  ['assignment', [2, 4, 1, 3], [1, 4, 2, 3]],
  ['jobs', [3, 2, 4, 1], [3, 2, 4, 1]],
  ['timeline', [4, 3, 2, 1], [3, 2, 1, 4]],
] as const)('by %s', (column, ascending, descending) => {
  expect(numbers(column)).toEqual(ascending);
  expect(numbers(column, true)).toEqual(descending);
});

test('on a tab sorted by number equal values are sorted by number', () => {
  expect(numbers('jobs', false, 'waiting')).toEqual([4, 3, 2, 1]);
});

test('a sort survives the address, and an invalid one is ignored', () => {
  for (const sort of [
    null,
    { column: 'jobs', descending: true },
    { column: 'jobs', descending: false },
  ] as const) {
    expect(readSort(sortText(sort))).toEqual(sort);
  }
  expect(readSort('--jobs')).toBeNull();
  expect(readSort('toString')).toBeNull();
});
