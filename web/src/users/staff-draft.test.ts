import { describe, expect, test } from 'vitest';
import { member } from './people.fixture.ts';
import { concurrentChanges, draftChanges, draftOf, rebaseDraft } from './staff-draft.ts';

const joe = member('joe@example.com', { roles: ['Technician'], skill: 'Craftsman', technicianId: 4 });

describe('a draft', () => {
  test('that changes nothing writes nothing, whatever the order of the roles', () => {
    expect(draftChanges(draftOf(joe))).toEqual({});
    const two = member('a@example.com', { roles: ['Owner', 'Admin'] });
    expect(draftChanges({ ...draftOf(two), roles: ['Admin', 'Owner'] })).toEqual({});
  });

  test('writes only the fields that differ', () => {
    expect(draftChanges({ ...draftOf(joe), roles: [] })).toEqual({ roles: [] });
    expect(draftChanges({ ...draftOf(joe), skill: 'Master' })).toEqual({ skill: 'Master' });
  });

  test('ignores changes by others outside roles and skill', () => {
    expect(concurrentChanges(draftOf(joe), { ...joe, name: 'Joseph', invited: true })).toEqual([]);
  });

  test('lists the changes by others with old and new values', () => {
    const now = { ...joe, roles: ['Technician' as const, 'Owner' as const], skill: null };
    expect(concurrentChanges({ ...draftOf(joe), skill: 'Master' }, now)).toEqual([
      { field: 'roles', from: ['Technician'], to: ['Technician', 'Owner'] },
      { field: 'skill', from: 'Craftsman', to: null },
    ]);
  });

  test('shows no conflict where others made the same change', () => {
    const draft = { ...draftOf(joe), roles: ['Admin' as const] };
    expect(concurrentChanges(draft, { ...joe, roles: ['Admin'] })).toEqual([]);
  });

  test('that the user keeps holds its own fields and takes the others from the newer record', () => {
    const draft = { ...draftOf(joe), roles: ['Admin' as const] };
    const now = { ...joe, roles: ['Owner' as const], skill: 'Master' };
    const rebased = rebaseDraft(draft, now);
    expect(rebased).toEqual({ base: now, roles: ['Admin'], skill: 'Master' });
    expect(concurrentChanges(rebased, now)).toEqual([]);
    expect(draftChanges(rebased)).toEqual({ roles: ['Admin'] });
  });
});
