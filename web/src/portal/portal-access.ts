// Which technician's portal an address opens, and what the reader may do there. The server refuses the rest anyway.
import type { User } from '../api/session.ts';

export type PortalAccess =
  | { kind: 'portal'; technician: number; rights: PortalRights }
  /** The reader is redirected to their own portal. */
  | { kind: 'elsewhere'; technician: number }
  /** The reader's account is not linked to a technician. */
  | { kind: 'unlinked' }
  /** Not a technician's number. */
  | { kind: 'nobody' };

export interface PortalRights {
  /** The portal is the reader's own: assignments are announced and can be accepted. */
  own: boolean;
  clock: boolean;
  /** Clock entries can be read and, by some, corrected. */
  entries: 'corrected' | 'read' | null;
  /** Ending a hold is the desk's: who works by the portal alone only begins one. */
  endsHolds: boolean;
}

type Reader = Pick<User, 'roles' | 'technicianId'>;

/** `said`: the address's technician number; missing for the list of technicians. */
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
  return {
    kind: 'portal',
    technician,
    rights: { own, clock: own || isBoss, entries, endsHolds: isBoss || !isTechnician },
  };
}

/** The technician whose orders the page at that address shows; null: everybody's. */
export function watchedAt(pathname: string, reader: Reader): number | null {
  const param = /^\/technicians\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (param === undefined) return null;
  const found = portalAccess(param, reader);
  return 'technician' in found ? found.technician : null;
}

export const portalPath = (technician: number) => `/technicians/${technician}`;

/** A technician who is nothing else starts on their portal, everybody else at the desk. */
export function startPath({ roles, technicianId }: Reader): string {
  const isOnlyTechnician = roles.length === 1 && roles[0] === 'Technician';
  return isOnlyTechnician && technicianId !== null ? portalPath(technicianId) : '/dashboard';
}
