import { expect, test } from 'vitest';
import type { Priority, Status } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { countTabs, ordersInTab, sortByTab } from './categories.ts';

function order(
  roNumber: number,
  status: Status,
  priority: Priority = 'Low',
  technician: string | null = 'Ana Ruiz',
) {
  return toRepairOrder([
    row(roNumber, {
      appCustomerStatus: status,
      priorityName: priority,
      regularIdTechnician: technician === null ? null : 1,
      regularTechFullName: technician,
    }),
  ]);
}

const shop = [
  order(1, 'PDI'),
  order(2, 'Used'),
  order(3, 'Drop', 'Low'),
  order(4, 'Drop', 'High'),
  order(5, 'Drop', 'Medium', null),
  order(6, 'Waiting', 'Waiting'),
  order(7, 'Drop', 'High', null),
  order(8, 'Waiting', 'Low', null),
  order(9, 'Used', 'High'),
  order(10, 'Waiting', 'Waiting'),
  order(11, 'PDI', 'High'),
];

const numbers = (orders: { key: number }[]) => orders.map(({ key }) => key);

test('All is sorted by urgency: Waiting, Drop by priority, Used, PDI; within a group by descending number', () => {
  expect(numbers(sortByTab(shop, 'all'))).toEqual([10, 8, 6, 7, 4, 5, 3, 9, 2, 11, 1]);
});

test('Unassigned is sorted by urgency too', () => {
  expect(numbers(sortByTab(ordersInTab(shop, 'unassigned'), 'unassigned'))).toEqual([8, 7, 5]);
});

test.each([
  ['waiting', [10, 8, 6]],
  ['drop', [7, 5, 4, 3]],
  ['pdi', [11, 1]],
  ['used', [9, 2]],
] as const)('%s stands by number, the higher first', (tab, expected) => {
  expect(numbers(sortByTab(ordersInTab(shop, tab), tab))).toEqual(expected);
});

test('numbers are compared as numbers', () => {
  expect(numbers(sortByTab([order(9, 'PDI'), order(10, 'PDI')], 'pdi'))).toEqual([10, 9]);
});

test('each tab counts its orders', () => {
  expect(countTabs(shop)).toEqual({ all: 11, waiting: 3, drop: 4, pdi: 2, used: 2, unassigned: 3 });
});

test('an order with only ETL technicians is still unassigned', () => {
  const etlOnly = toRepairOrder([row(1, { ETLIdTechnician: 2, ETLTechFullName: 'Bo Li', source: 'ETL' })]);
  expect(countTabs([etlOnly]).unassigned).toBe(1);
});
