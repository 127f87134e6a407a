import { describe, expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { dueness } from '../rules/dueness.ts';
import { countDue, filterDue } from './due-filters.ts';

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);

describe('by the shop’s clock an order is', () => {
  test.each([
    ['10:00', '10:31', { kind: 'later' }],
    ['10:00', '10:30', { kind: 'soon', minutes: 30 }],
    ['10:00', '10:00:59', { kind: 'soon', minutes: 0 }],
    ['10:01', '10:00:59', { kind: 'overdue', minutes: 1 }],
    ['10:25', '10:00', { kind: 'overdue', minutes: 25 }],
  ] as const)('at %s, due at %s: %o', (now, due, expected) => {
    expect(dueness(at(due), at(now))).toEqual(expected);
  });
});

test('late and nearly late orders are counted and listed, by the promised time where there is one', () => {
  const order = (roNumber: number, opened: string, promised: string | null = null) =>
    toRepairOrder([
      row(roNumber, {
        createDateTime: `2026-03-02T${opened}:00Z`,
        promisedDateTime: promised && `2026-03-02T${promised}:00Z`,
      }),
    ]);
  const orders = [
    order(1, '06:00'),
    order(2, '06:00', '10:20'),
    order(3, '06:00', '12:00'),
    order(4, '07:15'),
  ];
  const listed = (filter: Parameters<typeof filterDue>[1]) =>
    filterDue(orders, filter, at('10:00')).map(({ key }) => key);
  expect(countDue(orders, at('10:00'))).toEqual({ overdue: 1, soon: 2 });
  expect(listed('overdue')).toEqual([1]);
  expect(listed('soon')).toEqual([2, 4]);
  expect(listed(null)).toEqual([1, 2, 3, 4]);
});
