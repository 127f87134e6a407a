import { useSyncExternalStore } from 'react';
import {
  onSessionChange,
  type Permission,
  type SessionState,
  sessionState,
  type User,
} from '../api/session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(onSessionChange, sessionState);
}

/** The signed-in user; for screens behind <Protected>, which are not there without one. */
export function useUser(): User {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('useUser is for signed-in screens');
  return session.user;
}

/** Hides actions that the server would refuse. The server refuses them anyway. */
export function usePermission(permission: Permission): boolean {
  const session = useSession();
  return session.status === 'signed-in' && session.user.permissions.includes(permission);
}
