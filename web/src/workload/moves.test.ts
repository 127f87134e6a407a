import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { moveOf, targetOf } from './moves.ts';

const [HANK, BO, ANA] = [1, 2, 3];
const hank: Partial<Row> = { regularIdTechnician: HANK, regularTechFullName: 'Hank Mueller' };
const bo: Partial<Row> = { regularIdTechnician: BO, regularTechFullName: 'Bo Li' };
const ana = { id: ANA, name: 'Ana Ruiz' };

test('a move replaces the technician of the row, and leaves the others on the order', () => {
  const order = toRepairOrder([row(7, hank), row(7, bo)]);
  expect(moveOf(order, HANK, ana)).toEqual({
    field: 'technicians',
    action: 'reassign',
    from: { id: HANK, name: 'Hank Mueller' },
    technician: ana,
  });
});

test('nothing changes where the receiver is on the order already', () => {
  const order = toRepairOrder([row(7, hank), row(7, bo)]);
  expect(moveOf(order, HANK, { id: HANK, name: 'Hank Mueller' })).toBeNull();
  expect(moveOf(order, HANK, { id: BO, name: 'Bo Li' })).toBeNull();
  expect([HANK, BO, ANA].map((id) => targetOf(order, HANK, id))).toEqual(['own', 'on-it', 'free']);
});

test('what only the dealer system assigned cannot be moved', () => {
  const order = toRepairOrder([row(7, { ETLIdTechnician: HANK, ETLTechFullName: 'Hank Mueller' })]);
  expect(moveOf(order, HANK, ana)).toBeNull();
});
