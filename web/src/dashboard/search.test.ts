import { expect, test } from 'vitest';
import { displayed } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { matching } from './search.ts';

const wanted = displayed([
  row(4389, {
    displayNumber: 'C04389',
    vehicleVIN: '2T1BURHE5JC074321',
    vehicle: '2018 Toyota Corolla LE',
    customer: "O'NEIL,SEAN",
    advisor: 'Priya Raman',
    regularIdTechnician: 1,
    regularTechFullName: 'Maria Lopez',
    ETLIdTechnician: 2,
    ETLTechFullName: 'Hiroshi Tanaka',
  }),
  row(4389, { regularIdTechnician: 3, regularTechFullName: 'Pete Kowalski' }),
]);
const other = displayed([row(5, { vehicleVIN: '1FTEW1EP5KFA00001' })]);

test.each([
  ['RO number', '438'],
  ['RO number as the dealer system writes it', 'c043'],
  ['VIN', 'burhe5'],
  ['vehicle', 'COROLLA'],
  ['customer', "o'neil, s"],
  ['regular technician', 'lopez'],
  ['second regular technician', 'kowal'],
  ['ETL technician', 'tanaka'],
  ['advisor', 'priya'],
])('finds by %s', (_, search) => {
  expect(matching([other, wanted], ` ${search} `)).toEqual([wanted]);
});

test('finds a name whose letters have no upper case of their own', () => {
  const grossmann = displayed([row(6, { customer: 'Delroy Großmann' })]);
  for (const search of ['GROSSMANN', 'großmann', 'grossmann'])
    expect(matching([other, grossmann], search)).toEqual([grossmann]);
});

test('finds nothing for what is nowhere, and everything for nothing', () => {
  expect(matching([other, wanted], 'zzz')).toEqual([]);
  expect(matching([other, wanted], '  ')).toEqual([other, wanted]);
});

test('an order that changed is found by what it says now', () => {
  const before = displayed([row(7, { customer: 'BEFORE' })]);
  const after = displayed([row(7, { customer: 'AFTERWARDS' })]);
  expect(matching([before], 'before')).toEqual([before]);
  expect(matching([after], 'before')).toEqual([]);
  expect(matching([after], 'afterwards')).toEqual([after]);
});

test('finds nothing across the end of one text and the beginning of the next', () => {
  const order = displayed([row(8, { vehicle: '2021 Ford', customer: 'Lee', advisor: 'Ann' })]);
  expect(matching([order], 'fordlee')).toEqual([]);
  expect(matching([order], 'ford lee')).toEqual([]);
});
