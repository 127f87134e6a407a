import { expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { searchOrders } from './search.ts';

const wanted = toRepairOrder([
  row(4389, {
    displayNumber: 'C04389',
    vehicleVIN: '2T1BURHE5JC074321',
    tagNumber: 'Yellow 42',
    vehicle: '2018 Toyota Corolla LE',
    customer: "O'NEIL,SEAN",
    advisor: 'Priya Raman',
    regularIdTechnician: 1,
    regularTechFullName: 'Maria Lopez',
    ETLIdTechnician: 2,
    ETLTechFullName: 'Hiroshi Tanaka',
    jobs: [
      {
        jobNumber: 1,
        concern: 'Squeals',
        operations: [{ operationCode: 'BRKF', operationDesciption: 'Front brakes', soldHours: null }],
      },
    ],
  }),
  row(4389, { regularIdTechnician: 3, regularTechFullName: 'Pete Kowalski' }),
]);
const other = toRepairOrder([row(5, { vehicleVIN: '1FTEW1EP5KFA00001' })]);

test.each([
  ['RO number', '438'],
  ['RO number as the dealer system writes it', 'c043'],
  ['VIN', 'burhe5'],
  ['tag', 'yellow 4'],
  ['vehicle', 'COROLLA'],
  ['customer', "o'neil, s"],
  ['regular technician', 'lopez'],
  ['second regular technician', 'kowal'],
  ['ETL technician', 'tanaka'],
  ['advisor', 'priya'],
  ['opcode', 'brkf'],
  ['number with its sign', '#4389'],
  ['number with its abbreviation', 'RO 4389'],
  ['customer as it is spoken', 'sean oneil'],
  ['vehicle by make and year', 'toyota 2018'],
  ['customer and vehicle', 'corolla neil'],
])('finds by %s', (_, search) => {
  expect(searchOrders([other, wanted], ` ${search} `)).toEqual([wanted]);
});

test('finds a name whose letters have no upper case of their own', () => {
  const grossmann = toRepairOrder([row(6, { customer: 'Delroy Großmann' })]);
  for (const search of ['GROSSMANN', 'großmann', 'grossmann'])
    expect(searchOrders([other, grossmann], search)).toEqual([grossmann]);
});

test('finds nothing for an unknown text, and everything for an empty one', () => {
  expect(searchOrders([other, wanted], 'zzz')).toEqual([]);
  expect(searchOrders([other, wanted], '  ')).toEqual([other, wanted]);
});

test('a changed order is found by its current values', () => {
  const before = toRepairOrder([row(7, { customer: 'BEFORE' })]);
  const after = toRepairOrder([row(7, { customer: 'AFTERWARDS' })]);
  expect(searchOrders([before], 'before')).toEqual([before]);
  expect(searchOrders([after], 'before')).toEqual([]);
  expect(searchOrders([after], 'afterwards')).toEqual([after]);
});

test('each word is found within one text, several words wherever they are', () => {
  const order = toRepairOrder([row(8, { vehicle: '2021 Ford', customer: 'Lee', advisor: 'Ann' })]);
  expect(searchOrders([order], 'fordlee')).toEqual([]);
  expect(searchOrders([order], 'lee ford')).toEqual([order]);
  expect(searchOrders([order], 'ford lei')).toEqual([]);
});
