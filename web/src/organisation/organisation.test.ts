import { expect, test } from 'vitest';
import type { Organisation } from '../api/technicians.ts';
import { ana, bo, cal, shop } from './organisation.fixture.ts';
import { applyMove, levelOf, memberOf, technicianFacts } from './organisation.ts';

const seats = ({ levels, unplaced }: Organisation) => [
  ...levels.map(({ technicians }) => technicians.map(({ displayName }) => displayName)),
  unplaced.map(({ displayName }) => displayName),
];

test('a move takes the technician from one level to the other, by name among those there', () => {
  expect(seats(applyMove(shop, { technician: bo.idTechnician, level: 1 }))).toEqual([
    ['Ana Ruiz', 'Bo Li'],
    [],
    [],
    ['Cal Reyes'],
  ]);
});

test('a move assigns a technician without a level, or removes one from a level', () => {
  expect(seats(applyMove(shop, { technician: cal.idTechnician, level: 3 }))[2]).toEqual(['Cal Reyes']);
  expect(seats(applyMove(shop, { technician: ana.idTechnician, level: null }))).toEqual([
    [],
    ['Bo Li'],
    [],
    ['Ana Ruiz', 'Cal Reyes'],
  ]);
});

test('a move to where the technician is, or of nobody, changes nothing', () => {
  expect(applyMove(shop, { technician: ana.idTechnician, level: 1 })).toBe(shop);
  expect(applyMove(shop, { technician: 99, level: 1 })).toBe(shop);
});

test('every member is found with their level', () => {
  expect(memberOf(shop, 3)).toBe(cal);
  expect(memberOf(shop, 99)).toBeUndefined();
  expect([1, 2, 3].map((id) => levelOf(shop, id))).toEqual([1, 2, null]);
});

test.each([
  ['Transmission', 'Transmission', 'Transmission'],
  ['Transmission', 'Transmission rebuild', 'Transmission rebuild'],
  ['Quick Service', 'Lube-tech', 'Quick Service · Lube-tech'],
  ['Engine', null, 'Engine'],
  ['', 'Master', 'Master'],
])('a specialty of %j and a skill of %j are not said twice', (specialty, skill, said) => {
  expect(technicianFacts(specialty, skill)).toBe(said);
});
