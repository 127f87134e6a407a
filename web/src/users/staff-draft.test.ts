import { describe, expect, test } from 'vitest';
import { member } from './people.fixture.ts';
import { concurrentChanges, draftChanges, draftOf, linkTechnician, rebaseDraft } from './staff-draft.ts';

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

  test('ignores changes by others outside roles, skill and technician', () => {
    expect(concurrentChanges(draftOf(joe), { ...joe, name: 'Joseph', invited: true })).toEqual([]);
  });

  test('lists the changes by others with old and new values', () => {
    const now = { ...joe, roles: ['Technician' as const, 'Owner' as const], skill: null };
    expect(concurrentChanges({ ...draftOf(joe), skill: 'Master' }, now)).toEqual([
      { field: 'roles', from: ['Technician'], to: ['Technician', 'Owner'] },
      { field: 'skill', from: 'Craftsman', to: null },
    ]);
    expect(concurrentChanges(draftOf(joe), { ...joe, technicianId: null })).toEqual([
      { field: 'technician', from: 4, to: null },
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
    expect(rebased).toEqual({ base: now, roles: ['Admin'], skill: 'Master', technicianId: 4 });
    expect(concurrentChanges(rebased, now)).toEqual([]);
    expect(draftChanges(rebased)).toEqual({ roles: ['Admin'] });
  });
});

describe('the technician of a draft', () => {
  const ann = member('ann@example.com', { roles: ['Advisor'] });

  test('brings the role, which goes with them again', () => {
    const linked = linkTechnician(draftOf(ann), 4);
    expect(draftChanges(linked)).toEqual({ roles: ['Technician', 'Advisor'], technicianId: 4 });
    expect(draftChanges(linkTechnician(linked, null))).toEqual({});
  });

  test('leaves the role of whoever had it, and takes the former technician’s skill off the record', () => {
    const another = linkTechnician(draftOf(joe), 5);
    expect(draftChanges(another)).toEqual({ skill: null, technicianId: 5 });
    expect(draftChanges(linkTechnician(another, null))).toEqual({ skill: null, technicianId: null });
    expect(draftChanges(linkTechnician(another, 4))).toEqual({});
  });
});
