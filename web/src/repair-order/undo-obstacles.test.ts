import { expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from './order.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import type { RecentChange } from './recent-changes.ts';
import { row } from './rows.fixture.ts';
import { undoObstacle } from './undo-obstacles.ts';

const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };

let seq = 0;
function change(...orders: [number, Partial<Row>, Partial<Row>][]): RecentChange {
  return {
    roNumber: orders[0]?.[0] ?? 0,
    seq: ++seq,
    at: 0,
    orders: orders.map(([number, before, after]) => ({
      before: toRepairOrder([row(number, before)]),
      after: toRepairOrder([row(number, after)]),
    })),
    text: null,
    outcome: null,
  };
}
const now = (...rows: Row[]) => landList(emptyOrderCache, { rows, seq: 1 }, 0);
const toUsed = () => change([7, {}, { appCustomerStatus: 'Used' }]);

test('a change is undone while the order has its value', () => {
  const made = toUsed();
  expect(undoObstacle(made, [made], now(row(7, { appCustomerStatus: 'Used', ...JOE })))).toBeNull();
});

test('a field that has another value since is the reason', () => {
  const made = toUsed();
  expect(undoObstacle(made, [made], now(row(7, { appCustomerStatus: 'PDI' })))).toMatchObject({
    kind: 'changed',
    field: 'status',
    now: { status: 'PDI' },
  });
});

test('a later change of one’s own is the reason, too, even if it was undone', () => {
  const made = change([7, { priorityName: 'Low' }, { priorityName: 'High' }]);
  const later = change([7, { priorityName: 'High' }, { priorityName: 'Medium' }]);
  const undone: RecentChange = { ...later, outcome: { kind: 'undone' } };
  const cache = now(row(7, { priorityName: 'High' }));
  expect(undoObstacle(made, [undone, made], cache)).toMatchObject({ kind: 'changed', field: 'priority' });
  expect(undoObstacle(undone, [undone, made], cache)).toEqual({ kind: 'undone' });
});

test('a closed order is the reason; while the list loads nothing is known', () => {
  const made = toUsed();
  expect(undoObstacle(made, [made], now())).toMatchObject({ kind: 'closed', order: { key: 7 } });
  expect(undoObstacle(made, [made], emptyOrderCache)).toBeNull();
});

test('another technician does not matter, the assigned one does', () => {
  const made = change([7, {}, JOE]);
  expect(undoObstacle(made, [made], now(row(7, JOE), row(7, KIM)))).toBeNull();
  expect(undoObstacle(made, [made], now(row(7, KIM)))).toMatchObject({
    kind: 'changed',
    field: 'technicians',
  });
});

test('of several orders one that can be undone is enough', () => {
  const made = change([7, {}, JOE], [8, {}, JOE]);
  expect(undoObstacle(made, [made], now(row(8, JOE)))).toBeNull();
  expect(undoObstacle(made, [made], now(row(8, KIM)))).toMatchObject({ kind: 'closed', order: { key: 7 } });
});
