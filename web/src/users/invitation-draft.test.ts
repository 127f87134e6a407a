import { expect, test } from 'vitest';
import { technician } from '../api/technician.fixture.ts';
import { emptyDraft, linkedAccounts, toInvitation, withTechnician } from './invitation-draft.ts';
import { member } from './people.fixture.ts';

const joe = technician(4, 'Joe Marsh', 'Engine');

test('an invitation is for an Admin, and for a Technician once a technician is chosen', () => {
  expect(emptyDraft.roles).toEqual(['Admin']);
  expect(withTechnician(emptyDraft, joe).roles).toEqual(['Technician']);
});

test('choosing a technician keeps the other chosen roles', () => {
  const draft = { ...emptyDraft, roles: ['Admin', 'Used'] as const };
  expect(withTechnician(draft, joe).roles).toEqual(['Technician', 'Used']);
});

test('choosing no technician again takes the role with it', () => {
  expect(withTechnician(withTechnician(emptyDraft, joe), null).roles).toEqual(['Admin']);
  const draft = { ...emptyDraft, roles: ['Used'] as const };
  expect(withTechnician(withTechnician(draft, joe), null).roles).toEqual(['Used']);
});

test('a technician’s account has the technician’s name', () => {
  const draft = withTechnician({ ...emptyDraft, email: ' joe@example.com ', name: 'Jo' }, joe);
  expect(toInvitation({ ...draft, skill: 'Master' })).toEqual({
    email: 'joe@example.com',
    userData: { name: 'Joe Marsh', roles: ['Technician'], technicianId: 4, skill: 'Master' },
  });
});

test('the accounts that have the technician are named, but for the invited one', () => {
  const members = [
    member('joe@example.com', { technicianId: 4 }),
    member('kim@example.com', { technicianId: 5 }),
    member('nobody@example.com'),
  ];
  const draft = withTechnician({ ...emptyDraft, email: 'second@example.com' }, joe);
  expect(linkedAccounts(draft, members).map(({ email }) => email)).toEqual(['joe@example.com']);
  expect(linkedAccounts({ ...draft, email: 'Joe@Example.com' }, members)).toEqual([]);
  expect(linkedAccounts({ ...draft, technician: null }, members)).toEqual([]);
});
