import { expect, test } from 'vitest';
import type { User } from '../api/session.ts';
import { portalAccess, startPath, watchedAt } from './portal-access.ts';

type Reader = Pick<User, 'roles' | 'technicianId'>;
const technician: Reader = { roles: ['Technician'], technicianId: 7 };
const unlinked: Reader = { roles: ['Technician'], technicianId: null };
const owner: Reader = { roles: ['Owner'], technicianId: null };
const workingAdmin: Reader = { roles: ['Admin', 'Technician'], technicianId: 7 };
const advisor: Reader = { roles: ['Advisor'], technicianId: null };

test.each([
  ['their own', technician, '7', { own: true, clock: true, entries: 'read', endsHolds: false }],
  ['an owner any', owner, '7', { own: false, clock: true, entries: 'corrected', endsHolds: true }],
  [
    'an admin who works, too, their own',
    workingAdmin,
    '7',
    { own: true, clock: true, entries: 'corrected', endsHolds: true },
  ],
  [
    'an admin who works, too, another',
    workingAdmin,
    '8',
    { own: false, clock: true, entries: 'corrected', endsHolds: true },
  ],
  ['an advisor any, to look at', advisor, '7', { own: false, clock: false, entries: null, endsHolds: true }],
] as const)('%s', (_, reader, idText, rights) => {
  expect(portalAccess(idText, reader)).toEqual({ kind: 'portal', technician: Number(idText), rights });
});

test.each([
  ['another portal', '8'],
  ['the list of technicians', undefined],
  ['no number', 'x'],
])('a technician who opens %s is redirected to their own portal', (_, idText) => {
  expect(portalAccess(idText, technician)).toEqual({ kind: 'elsewhere', technician: 7 });
});

test('a technician account that is not linked gets a message', () => {
  expect(portalAccess('7', unlinked)).toEqual({ kind: 'unlinked' });
});

test.each(['x', '0', '-3', '1.5', '7a', ''])('%j is not a technician’s number', (idText) => {
  expect(portalAccess(idText, owner)).toEqual({ kind: 'nobody' });
});

test('the stream covers the open portal, or the one that the reader is redirected to', () => {
  expect(watchedAt('/technicians/8', owner)).toBe(8);
  expect(watchedAt('/technicians/8', technician)).toBe(7);
  expect(watchedAt('/technicians/8', unlinked)).toBeNull();
  expect(watchedAt('/technicians', owner)).toBeNull();
  expect(watchedAt('/dashboard', technician)).toBeNull();
});

test.each([
  ['a technician', ['Technician'], 7, '/technicians/7'],
  ['a technician who is not linked to one', ['Technician'], null, '/dashboard'],
  ['a technician who is also an advisor', ['Technician', 'Advisor'], 7, '/dashboard'],
  ['an advisor', ['Advisor'], null, '/dashboard'],
] as const)('%s has their start', (_, roles, technicianId, path) => {
  expect(startPath({ roles: [...roles], technicianId })).toBe(path);
});
