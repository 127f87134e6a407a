// What is typed and chosen for an invitation.
import type { Technician } from '../api/repair-orders.ts';
import type { Invitation, Role, StaffMember } from '../api/users.ts';
import { otherAccountsOf, sortRoles } from './staff.ts';

export interface InvitationDraft {
  email: string;
  name: string;
  roles: readonly Role[];
  technician: Technician | null;
  /** '': none. */
  skill: string;
}

const DEFAULT_ROLES: readonly Role[] = ['Admin'];

export const emptyDraft: InvitationDraft = {
  email: '',
  name: '',
  roles: DEFAULT_ROLES,
  technician: null,
  skill: '',
};

/** A technician works with a technician's rights, and not with those that invitations have otherwise. */
export function withTechnician(draft: InvitationDraft, technician: Technician | null): InvitationDraft {
  const others = draft.roles.filter((role) => role !== 'Technician' && role !== 'Admin');
  if (technician !== null) return { ...draft, technician, roles: sortRoles([...others, 'Technician']) };
  return { ...draft, technician, roles: others.length > 0 ? others : DEFAULT_ROLES };
}

export function toInvitation({ email, name, roles, technician, skill }: InvitationDraft): Invitation {
  return {
    email: email.trim(),
    userData: {
      name: (technician?.displayName ?? name).trim(),
      roles,
      ...(technician !== null && { technicianId: technician.idTechnician }),
      ...(skill !== '' && { skill }),
    },
  };
}

/** The other accounts that are linked to the draft's technician. */
export function linkedAccounts(
  { email, technician }: InvitationDraft,
  members: readonly StaffMember[],
): StaffMember[] {
  return technician === null ? [] : otherAccountsOf(technician.idTechnician, email.trim(), members);
}
