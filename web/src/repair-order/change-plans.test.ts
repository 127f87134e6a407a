import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  assignTechnician,
  type ChangedResult,
  dispatchOrders,
  type OrderVersion,
  type Row,
  reassignTechnician,
  unassignTechnician,
  updatePriority,
  updateStatus,
} from '../api/repair-orders.ts';
import { alreadySoText, dispatchPlan, nothingToChangeText, planOf } from './change-plans.ts';
import { type Choice, isAlreadySo, type OrderChange } from './choice.ts';
import { toRepairOrder } from './order.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  assignTechnician: vi.fn(),
  dispatchOrders: vi.fn(),
  reassignTechnician: vi.fn(),
  unassignTechnician: vi.fn(),
  updatePriority: vi.fn(),
  updateStatus: vi.fn(),
}));

const order: OrderVersion = { roNumber: 7, version: 3 };
const BO = { regularIdTechnician: 4, regularTechFullName: 'Bo Li' };
const ANA = { regularIdTechnician: 5, regularTechFullName: 'Ana Ruiz' };

function changed(changes: Partial<Row>, roNumber = 7): ChangedResult {
  return { roNumber, ok: true, version: 4, seq: 9, rows: [row(roNumber, { version: 4, ...changes })] };
}

const before = (changes: Partial<Row>) => new Map([[7, toRepairOrder([row(7, changes)])]]);

beforeEach(() => vi.clearAllMocks());

describe('a change is sent by the call of its kind, on the version it was decided on', () => {
  const cases: [OrderChange, (...args: never[]) => unknown, unknown[]][] = [
    [{ field: 'status', status: 'PDI' }, updateStatus, [order, 13]],
    [{ field: 'priority', priority: 'High' }, updatePriority, [order, 3]],
    [{ field: 'technicians', action: 'assign', technician: { id: 4 } }, assignTechnician, [order, 4]],
    [{ field: 'technicians', action: 'unassign', technician: { id: 4 } }, unassignTechnician, [order, 4]],
    [
      { field: 'technicians', action: 'reassign', from: { id: 4 }, technician: { id: 5 } },
      reassignTechnician,
      [order, 4, 5],
    ],
  ];
  test.each(cases)('%o', (change, call, args) => {
    const plan = planOf(order, change);
    expect(plan.orders).toEqual([order]);
    expect(plan.key).toEqual(['change', change.field, 7]);
    void plan.send();
    expect(vi.mocked(call).mock.calls).toEqual([args]);
  });
});

test('a status says which priority follows from it, and its notice is followed by the priority’s', () => {
  const plan = planOf(order, { field: 'status', status: 'Waiting' });
  const made = [changed({ appCustomerStatus: 'Waiting', priorityName: 'Waiting' })];
  expect(plan.done(made, new Map())).toEqual({
    text: 'Status updated to Waiting and priority set to Waiting',
    detail: 'RO 7',
  });
  expect(plan.notices(made)).toEqual([{ roNumber: 7, action: 'STATUS_CHANGED' }]);
  expect(plan.laterNotices).toEqual([{ roNumber: 7, action: 'PRIORITY_CHANGED' }]);
});

test('a status whose priority did not follow says so', () => {
  const plan = planOf(order, { field: 'status', status: 'PDI' });
  const made = [changed({ appCustomerStatus: 'PDI', priorityName: 'High' })];
  expect(plan.done(made, new Map())).toEqual({
    tone: 'destructive',
    text: 'Status updated, but failed to update priority automatically',
    detail: 'RO 7',
  });
});

test('a replacement names both technicians, and tells of both', () => {
  const change = {
    field: 'technicians',
    action: 'reassign',
    from: { id: 4 },
    technician: { id: 5 },
  } as const;
  const plan = planOf(order, change);
  expect(plan.done([changed(ANA)], before(BO)).detail).toBe('Bo Li → Ana Ruiz · RO 7');
  expect(plan.notices([])).toEqual([
    { roNumber: 7, action: 'TECH_UNASSIGNED', techId: 4 },
    { roNumber: 7, action: 'TECH_ASSIGNED', techId: 5 },
  ]);
});

test('of a batch, only the orders that changed are told of', async () => {
  vi.mocked(dispatchOrders).mockResolvedValue([]);
  const plan = dispatchPlan([
    { technician: 4, orders: [{ roNumber: 7 }, { roNumber: 8 }] },
    { technician: 5, orders: [{ roNumber: 9 }] },
  ]);
  expect(plan.orders.map(({ roNumber }) => roNumber)).toEqual([7, 8, 9]);
  await plan.send();
  expect(dispatchOrders).toHaveBeenCalledTimes(2);
  const made = [changed(BO), changed(ANA, 9)];
  expect(plan.notices(made)).toEqual([
    { roNumber: 7, action: 'TECH_ASSIGNED', techId: 4 },
    { roNumber: 9, action: 'TECH_ASSIGNED', techId: 5 },
  ]);
  expect(plan.done(made, new Map()).detail).toBe('Bo Li, Ana Ruiz · 2 ROs');
});

test('what somebody else has already done reads as if it had just been done', () => {
  const now = toRepairOrder([row(7, { appCustomerStatus: 'PDI', priorityName: 'Low', ...BO })]);
  expect(alreadySoText(now, { field: 'status', status: 'PDI' }).text).toBe(
    'Status updated to PDI and priority set to Low',
  );
  expect(alreadySoText(now, { field: 'priority', priority: 'Low' }).text).toBe('Priority updated to Low');
  const [ana, bo] = [
    { id: 5, name: 'Ana Ruiz' },
    { id: 4, name: 'Bo Li' },
  ];
  const toBo: Choice = { field: 'technicians', action: 'reassign', from: ana, technician: bo };
  expect(alreadySoText(now, toBo).text).toBe('Technician reassigned successfully');
});

test('a status that somebody else has set is no failure where its priority was set by hand', () => {
  const now = toRepairOrder([row(7, { appCustomerStatus: 'PDI', priorityName: 'High' })]);
  expect(alreadySoText(now, { field: 'status', status: 'PDI' })).toEqual({
    text: 'Status updated to PDI and priority set to High',
    detail: 'RO 7',
  });
});

test('a reassignment is already so where the new technician is on the order and the old one is not', () => {
  const toBo: OrderChange = {
    field: 'technicians',
    action: 'reassign',
    from: { id: 5 },
    technician: { id: 4 },
  };
  expect(isAlreadySo(toRepairOrder([row(7, BO)]), toBo)).toBe(true);
  expect(isAlreadySo(toRepairOrder([row(7, BO), row(7, ANA)]), toBo)).toBe(false);
  expect(isAlreadySo(toRepairOrder([row(7, ANA)]), toBo)).toBe(false);
  expect(nothingToChangeText(toRepairOrder([row(7, BO)]), toBo).text).toBe(
    'The technician is already on RO 7',
  );
});
