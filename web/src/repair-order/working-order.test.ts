import { expect, test } from 'vitest';
import type { Priority } from '../api/repair-orders.ts';
import type { DisplayedStatus } from './statuses.ts';
import { byUrgency } from './working-order.ts';

const order = (key: number, status: DisplayedStatus, priority: Priority = 'Low') => ({
  key,
  status,
  priority,
});

test('waiting customers come first, then drop-offs by priority, used cars, and deliveries', () => {
  const inOrder = [
    order(9, 'Waiting', 'Waiting'),
    order(8, 'Drop', 'Waiting'),
    order(7, 'Drop', 'High'),
    order(6, 'Drop', 'Medium'),
    order(5, 'Drop', 'Low'),
    order(4, 'Used', 'High'),
    order(3, 'PDI', 'High'),
  ];
  expect([...inOrder].reverse().sort(byUrgency)).toEqual(inOrder);
});

test('equally urgent orders are sorted by ascending number', () => {
  const numbers = [1_000, 99, 100].map((key) => order(key, 'PDI'));
  expect(numbers.sort(byUrgency).map(({ key }) => key)).toEqual([99, 100, 1_000]);
});

test('the priority counts among drop-offs alone', () => {
  const usedOrders = [order(2, 'Used', 'High'), order(1, 'Used', 'Low')];
  expect(usedOrders.sort(byUrgency).map(({ key }) => key)).toEqual([1, 2]);
});
