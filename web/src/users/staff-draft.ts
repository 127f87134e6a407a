// The draft of a staff record, compared with concurrent changes by others.
import type { Role, StaffChange, StaffMember } from '../api/users.ts';
import { sortRoles } from './staff.ts';

export interface Draft {
  /** The record that the draft is a change of. */
  base: StaffMember;
  roles: Role[];
  skill: string | null;
  technicianId: number | null;
}

export function draftOf(member: StaffMember): Draft {
  const { roles, skill, technicianId } = member;
  return { base: member, roles, skill, technicianId };
}

/**
 * The account is linked to this technician, or to none. Whoever is one has the role; the skill on the record is the
 * former technician's.
 */
export function linkTechnician({ base, roles }: Draft, technicianId: number | null): Draft {
  const others = roles.filter((role) => role !== 'Technician');
  const hasRole = technicianId !== null || base.roles.includes('Technician');
  return {
    base,
    roles: hasRole ? sortRoles([...others, 'Technician']) : others,
    skill: technicianId === base.technicianId ? base.skill : null,
    technicianId,
  };
}

/** Only the differences: an untouched field is not written. */
export function draftChanges({ base, roles, skill, technicianId }: Draft): StaffChange {
  return {
    ...(!areSame(roles, base.roles) && { roles }),
    ...(skill !== base.skill && { skill }),
    ...(technicianId !== base.technicianId && { technicianId }),
  };
}

export type Difference =
  | { field: 'roles'; from: Role[]; to: Role[] }
  | { field: 'skill'; from: string | null; to: string | null }
  | { field: 'technician'; from: number | null; to: number | null };

/** The changes by others since the draft was begun, without those that match it. */
export function concurrentChanges(
  { base, roles, skill, technicianId }: Draft,
  now: StaffMember,
): Difference[] {
  const all: Difference[] = [];
  if (!areSame(base.roles, now.roles) && !areSame(roles, now.roles)) {
    all.push({ field: 'roles', from: base.roles, to: now.roles });
  }
  if (base.skill !== now.skill && skill !== now.skill) {
    all.push({ field: 'skill', from: base.skill, to: now.skill });
  }
  if (base.technicianId !== now.technicianId && technicianId !== now.technicianId) {
    all.push({ field: 'technician', from: base.technicianId, to: now.technicianId });
  }
  return all;
}

/** The draft on top of the current record; where the draft changed nothing, the others' change stands. */
export function rebaseDraft(draft: Draft, now: StaffMember): Draft {
  return { ...draftOf(now), ...draftChanges(draft) };
}

function areSame(some: readonly Role[], others: readonly Role[]): boolean {
  return some.length === others.length && some.every((role) => others.includes(role));
}
