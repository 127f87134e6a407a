import { expect, test } from 'vitest';
import { allKinds, noFilters, readFilters, toAuditQuery, writeFilters } from './audit.ts';

const read = (text: string) => readFilters(new URLSearchParams(text));

test('filters survive being written to an address and read from it', () => {
  const filters = {
    from: '2026-11-01',
    to: '2026-11-22',
    kind: 'sign-in',
    outcome: 'refused',
    person: 'ann@',
  } as const;
  expect(readFilters(new URLSearchParams(writeFilters(filters)))).toEqual(filters);
  expect(writeFilters(noFilters)).toEqual({});
});

test('invalid filters are ignored', () => {
  expect(read('from=yesterday&to=2026-13-45&kind=__proto__&outcome=maybe')).toEqual(noFilters);
});

test('a day of the last year is ignored as a filter: the range would end after all days', () => {
  expect(read('from=9999-12-31&to=9999-01-01')).toEqual(noFilters);
  const last = read('to=9998-12-31');
  expect(last.to).toBe('9998-12-31');
  expect(toAuditQuery(last).to).toMatch(/^999[89]-/);
});

test('the range includes both days, by the shop’s calendar', () => {
  const { from, to } = toAuditQuery({ ...noFilters, from: '2026-11-22', to: '2026-11-22' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 60 * 60 * 1_000);
  expect(toAuditQuery({ ...noFilters, person: '  ' })).toEqual({});
});

test('every kind is offered once', () => {
  expect(new Set(allKinds).size).toBe(allKinds.length);
  expect(allKinds[0]).toBe('sign-in');
});
