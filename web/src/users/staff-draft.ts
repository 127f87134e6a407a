// The draft of a staff record, compared with concurrent changes by others.
import type { Role, StaffChange, StaffMember } from '../api/users.ts';

export interface Draft {
  /** The record that the draft is a change of. */
  base: StaffMember;
  roles: Role[];
  skill: string | null;
}

export function draftOf(member: StaffMember): Draft {
  return { base: member, roles: member.roles, skill: member.skill };
}

/** Only the differences: an untouched field is not written. */
export function draftChanges({ base, roles, skill }: Draft): StaffChange {
  return {
    ...(!areSame(roles, base.roles) && { roles }),
    ...(skill !== base.skill && { skill }),
  };
}

export type Difference =
  | { field: 'roles'; from: Role[]; to: Role[] }
  | { field: 'skill'; from: string | null; to: string | null };

/** The changes by others since the draft was begun, without those that match it. */
export function concurrentChanges({ base, roles, skill }: Draft, now: StaffMember): Difference[] {
  const all: Difference[] = [];
  if (!areSame(base.roles, now.roles) && !areSame(roles, now.roles)) {
    all.push({ field: 'roles', from: base.roles, to: now.roles });
  }
  if (base.skill !== now.skill && skill !== now.skill) {
    all.push({ field: 'skill', from: base.skill, to: now.skill });
  }
  return all;
}

/** The draft on top of the current record; where the draft changed nothing, the others' change stands. */
export function rebaseDraft(draft: Draft, now: StaffMember): Draft {
  const { roles, skill } = draftChanges(draft);
  return { base: now, roles: roles ?? now.roles, skill: skill === undefined ? now.skill : skill };
}

function areSame(some: readonly Role[], others: readonly Role[]): boolean {
  return some.length === others.length && some.every((role) => others.includes(role));
}
