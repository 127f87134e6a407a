// The query of the staff records, which reloads when the server announces a change.
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onStaffChange } from '../api/socket.ts';
import { fetchStaff, type Role, type StaffMember } from '../api/users.ts';
import { technicians } from '../repair-order/technicians.ts';
import { foldText } from '../ui/text-matching.ts';

export const staff = queryOptions({ queryKey: ['staff'], queryFn: ({ signal }) => fetchStaff(signal) });

/** A load under way is restarted: it may have been answered before the change. */
export async function reloadStaff(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: staff.queryKey }),
    // The technicians' query has the new skills.
    client.invalidateQueries({ queryKey: technicians.queryKey }),
  ]);
}

export function useLiveStaff(): void {
  const client = useQueryClient();
  useEffect(() => onStaffChange(() => void reloadStaff(client)), [client]);
}

/** The order in which roles are shown. A new role does not compile until it has its place. */
const roleOrder: Record<Role, number> = {
  Admin: 0,
  Technician: 1,
  Advisor: 2,
  Service_Manager: 3,
  Used: 4,
  Owner: 5,
};

export const allRoles: readonly Role[] = Object.keys(roleOrder)
  .filter((name): name is Role => Object.hasOwn(roleOrder, name))
  .toSorted((a, b) => roleOrder[a] - roleOrder[b]);

export function sortRoles(roles: readonly Role[]): Role[] {
  return roles.toSorted((a, b) => roleOrder[a] - roleOrder[b]);
}

/** For sorting by roles, in the order in which they are shown; null: none. */
export function rolesRank(roles: readonly Role[]): string | null {
  return (
    sortRoles(roles)
      .map((role) => roleOrder[role])
      .join(' ') || null
  );
}

/** The roles with this one added or removed. */
export function toggleRole(roles: readonly Role[], role: Role): Role[] {
  return roles.includes(role) ? roles.filter((one) => one !== role) : sortRoles([...roles, role]);
}

/** The accounts that are linked to this technician, without that of `email`. */
export function otherAccountsOf(
  technicianId: number,
  email: string,
  members: readonly StaffMember[],
): StaffMember[] {
  const own = email.toLowerCase();
  return members.filter((one) => one.technicianId === technicianId && one.email.toLowerCase() !== own);
}

export function byName(members: readonly StaffMember[], language: string): StaffMember[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return members.toSorted((a, b) => compare(a.name, b.name) || compare(a.email, b.email));
}

/** `texts`: the searchable texts of a user. */
export function matchesSearch(texts: readonly string[], typed: string): boolean {
  const searchedText = foldText(texts.join(' '));
  return foldText(typed)
    .split(/\s+/)
    .every((word) => searchedText.includes(word));
}
