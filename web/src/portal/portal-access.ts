// Whose portal an address leads to, and what the reader may do there. The server refuses the rest anyway.
import type { User } from '../api/session.ts';

export type PortalAccess =
  | { kind: 'portal'; technician: number; rights: PortalRights }
  /** The reader's own portal is where they belong. */
  | { kind: 'elsewhere'; technician: number }
  /** Nobody has said which technician the reader is. */
  | { kind: 'unlinked' }
  /** Not a technician's number. */
  | { kind: 'nobody' };

export interface PortalRights {
  /** It is their own: assignments are announced to them, and theirs to accept. */
  own: boolean;
  clock: boolean;
  /** Clock entries can be read and, by some, corrected. */
  entries: 'corrected' | 'read' | null;
}

type Reader = Pick<User, 'roles' | 'technicianId'>;

/** `said`: what the address has in the number's place; none for the list of technicians. */
export function portalAccess(param: string | undefined, reader: Reader): PortalAccess {
  const isBoss = reader.roles.includes('Owner') || reader.roles.includes('Admin');
  const isTechnician = reader.roles.includes('Technician');
  const technician = param !== undefined && /^[1-9]\d{0,15}$/.test(param) ? Number(param) : null;
  const own = isTechnician && reader.technicianId !== null && technician === reader.technicianId;
  if (isTechnician && !isBoss && !own) {
    return reader.technicianId === null
      ? { kind: 'unlinked' }
      : { kind: 'elsewhere', technician: reader.technicianId };
  }
  if (technician === null) return { kind: 'nobody' };
  const entries = isBoss ? 'corrected' : own ? 'read' : null;
  return { kind: 'portal', technician, rights: { own, clock: own || isBoss, entries } };
}

/** Whose orders the page at that address is about; null: everybody's. */
export function watchedAt(pathname: string, reader: Reader): number | null {
  const param = /^\/technicians\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (param === undefined) return null;
  const found = portalAccess(param, reader);
  return 'technician' in found ? found.technician : null;
}

export const portalPath = (technician: number) => `/technicians/${technician}`;
