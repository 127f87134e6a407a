import { expect, test } from 'vitest';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { searchOrders } from './order-search.ts';

const job = (jobNumber: number, operationCode: string) => ({
  jobNumber,
  concern: '',
  operations: [{ operationCode, operationDesciption: '', soldHours: null }],
});

const { open } = landList(
  emptyOrderCache,
  {
    rows: [
      row(438, { customer: 'Müller, Ana' }),
      row(4381),
      row(99438),
      row(94381, { customer: 'Amuller, Bo', regularIdTechnician: 1, regularTechFullName: 'Joe Alvarez' }),
      row(12, { vehicle: '2021 Ford F-150', vehicleVIN: '1FTFW1E50MFA00438' }),
      row(13, { vehicle: 'Fordham Special', displayNumber: 'A-77' }),
      row(14, {
        customer: 'Peña, Zoë',
        advisor: 'Rosa Nuñez',
        tagNumber: 'T118',
        jobs: [job(1, 'MAINT60')],
      }),
    ],
    seq: 1,
  },
  0,
);
const found = (typed: string, most = 8) =>
  searchOrders(open.values(), typed, most).map(({ cached }) => cached.order.key);

test('an exact number comes first, then numbers that begin with it, end in it, and contain it', () => {
  expect(found('438')).toEqual([438, 4381, 99438, 94381, 12]);
});

test.each([
  ['an accent or a case that was not typed', 'MULLER', [438, 94381]],
  ['the beginning of a word before its middle', 'muller', [438, 94381]],
  ['several words in any order', 'f-150 ford', [12]],
  ['the newest first among equals', 'ford', [13, 12]],
  ['a technician', 'alvarez', [94381]],
  ['a VIN', '1ftfw1', [12]],
  ["the dealer's number", 'a-77', [13]],
  ['a number with its sign by its beginning', '#438', [438, 4381]],
  ['an operation code', 'maint60', [14]],
  ['a tag', 't118', [14]],
  ['an advisor', 'nunez', [14]],
  ['words of several facts', 'pena maint60 nunez', [14]],
  ['nothing for nothing', '  ', []],
  ['nothing that matches', 'zzz', []],
])('finds %s', (_, typed, orders) => {
  expect(found(typed)).toEqual(orders);
});

test('returns no more results than requested', () => {
  expect(found('honda', 2)).toHaveLength(2);
});
