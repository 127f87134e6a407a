import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import type { AssignmentState } from '../repair-order/receipts.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { type Attention, attentionOf } from './attention.ts';
import { idleSince, onJobSince, technician } from './workload.fixture.ts';

const NOW = Date.parse('2026-03-02T15:00:00Z');
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const order = (number: number, minutes: number, changes: Partial<Row> = {}) =>
  toRepairOrder([row(number, { promisedDateTime: inMinutes(minutes), ...changes })]);
const onIt = (id: number): Partial<Row> => ({ regularIdTechnician: id, regularTechFullName: 'Jo Lee' });
const state = (of: number, changes: Partial<AssignmentState> = {}): AssignmentState => ({
  technician: of,
  stage: 'delivered',
  at: NOW,
  assignedAt: NOW,
  isWaitedFor: true,
  late: false,
  reason: null,
  ...changes,
});
const back = (of: number, at: number, reason: string | null = null) =>
  state(of, { stage: 'handed-back', isWaitedFor: false, at, reason });

/** Each as its kind and whom or what it is about. */
const said = (all: readonly Attention[]) =>
  all.map((one) => [one.kind, 'order' in one ? one.order.key : one.technician.technicianId]);

test('orders that nobody has are told when they are due soon or overdue, the nearest promise first', () => {
  const orders = [order(1, 90), order(2, 20), order(3, -10), order(4, -60), order(5, -60, onIt(7))];
  const dealers = order(6, -60, { ETLIdTechnician: 9, ETLTechFullName: 'Al Fox' });
  const all = attentionOf({ orders: [...orders, dealers], assignments: new Map(), technicians: [] }, NOW);
  expect(said(all)).toEqual([
    ['unassigned', 3],
    ['unassigned', 2],
    ['unassigned', 4],
  ]);
  expect(all[2]).toMatchObject({ due: { kind: 'overdue', minutes: 60 } });
  expect(all[1]).toMatchObject({ due: { kind: 'soon', minutes: 20 } });
});

test('an order that was handed back is told with the last reason until somebody has it', () => {
  const assignments = new Map([
    [1, [back(7, NOW - 9_000, 'lift is broken'), back(8, NOW - 1_000, 'no part')]],
    [2, [back(7, NOW, 'sick')]],
  ]);
  const all = attentionOf(
    { orders: [order(1, 300), order(2, 300, onIt(8)), order(3, -5)], assignments, technicians: [] },
    NOW,
  );
  expect(said(all)).toEqual([
    ['handed-back', 1],
    ['unassigned', 3],
  ]);
  expect(all[0]).toMatchObject({ technician: 8, reason: 'no part' });
});

test('an assignment is told once it is late, and only of who still has the order', () => {
  const assignments = new Map([
    [1, [state(7, { late: true, assignedAt: NOW - 200_000 })]],
    [2, [state(7)]],
    [3, [state(9, { late: true })]],
  ]);
  const orders = [1, 2, 3].map((number) => order(number, 300, onIt(7)));
  const all = attentionOf({ orders, assignments, technicians: [] }, NOW);
  expect(all).toEqual([{ kind: 'not-accepted', order: orders[0], technician: 7, since: NOW - 200_000 }]);
});

test('an order without a promise is told by its ETA, after those that were promised', () => {
  const opened = (minutes: number) => ({ promisedDateTime: null, createDateTime: inMinutes(minutes - 180) });
  const orders = [order(1, 0, opened(-5)), order(2, 0, opened(90)), order(3, -60), order(4, 0, opened(10))];
  const all = attentionOf({ orders, assignments: new Map(), technicians: [] }, NOW);
  expect(said(all)).toEqual([
    ['unassigned', 3],
    ['unassigned', 1],
    ['unassigned', 4],
  ]);
});

test('who has no job is told after ten minutes, the longest idle first', () => {
  const technicians = [1, 9, 10, 40].map((minutes) =>
    technician(minutes, `Idle ${minutes}`, { clock: idleSince(inMinutes(-minutes)) }),
  );
  const all = attentionOf({ orders: [], assignments: new Map(), technicians }, NOW);
  expect(said(all)).toEqual([
    ['idle', 40],
    ['idle', 10],
  ]);
});

test('forgotten clocks come before technicians without a job, and nobody is told twice', () => {
  const since = inMinutes(-30);
  const technicians = [
    technician(1, 'Off'),
    technician(2, 'Idle', { clock: idleSince(since) }),
    technician(3, 'Busy', { clock: onJobSince(since, 1, 1) }),
    technician(4, 'Forgotten', { clock: { ...idleSince(since), forgotten: true } }),
  ];
  const all = attentionOf({ orders: [], assignments: new Map(), technicians }, NOW);
  expect(said(all)).toEqual([
    ['forgotten', 4],
    ['idle', 2],
  ]);
});
