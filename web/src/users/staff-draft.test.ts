import { describe, expect, test } from 'vitest';
import { member } from './people.fixture.ts';
import { changedMeanwhile, changeOf, draftOf, keepMine } from './staff-draft.ts';

const joe = member('joe@example.com', { roles: ['Technician'], skill: 'Craftsman', technicianId: 4 });

describe('a draft', () => {
  test('that changes nothing writes nothing, in whatever order the roles are', () => {
    expect(changeOf(draftOf(joe))).toEqual({});
    const two = member('a@example.com', { roles: ['Owner', 'Admin'] });
    expect(changeOf({ ...draftOf(two), roles: ['Admin', 'Owner'] })).toEqual({});
  });

  test('writes only the fields that differ', () => {
    expect(changeOf({ ...draftOf(joe), roles: [] })).toEqual({ roles: [] });
    expect(changeOf({ ...draftOf(joe), skill: 'Master' })).toEqual({ skill: 'Master' });
  });

  test('does not mind what others change beside roles and skill', () => {
    expect(changedMeanwhile(draftOf(joe), { ...joe, name: 'Joseph', invited: true })).toEqual([]);
  });

  test('tells what others made of the fields, from what to what', () => {
    const now = { ...joe, roles: ['Technician' as const, 'Owner' as const], skill: null };
    expect(changedMeanwhile({ ...draftOf(joe), skill: 'Master' }, now)).toEqual([
      { field: 'roles', from: ['Technician'], to: ['Technician', 'Owner'] },
      { field: 'skill', from: 'Craftsman', to: null },
    ]);
  });

  test('says nothing where others did the same', () => {
    const draft = { ...draftOf(joe), roles: ['Admin' as const] };
    expect(changedMeanwhile(draft, { ...joe, roles: ['Admin'] })).toEqual([]);
  });

  test('that is kept stands in its own fields; in the others the newer record does', () => {
    const draft = { ...draftOf(joe), roles: ['Admin' as const] };
    const now = { ...joe, roles: ['Owner' as const], skill: 'Master' };
    const kept = keepMine(draft, now);
    expect(kept).toEqual({ base: now, roles: ['Admin'], skill: 'Master' });
    expect(changedMeanwhile(kept, now)).toEqual([]);
    expect(changeOf(kept)).toEqual({ roles: ['Admin'] });
  });
});
