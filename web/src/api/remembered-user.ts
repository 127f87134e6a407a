// The user who was last signed in on this device, for a page that opens without a connection. Only technicians: other
// screens have no offline data. This is no sign-in: no token is stored, and the server decides as soon as it can be
// asked.
import type { User } from './session.ts';

const STORAGE_KEY = 'dispatch.remembered';

export function rememberUser(user: User): void {
  if (user.technicianId === null || !user.roles.includes('Technician')) forgetRememberedUser();
  else localStorage.setItem(STORAGE_KEY, JSON.stringify(user));
}

export function rememberedUser(): User | null {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored === null) return null;
  try {
    const user: unknown = JSON.parse(stored);
    if (isUser(user)) return user;
  } catch {
    // Another version may have written it, or a user by hand.
  }
  forgetRememberedUser();
  return null;
}

export function forgetRememberedUser(): void {
  localStorage.removeItem(STORAGE_KEY);
}

/** The fields the screens cannot do without. */
function isUser(stored: unknown): stored is User {
  if (typeof stored !== 'object' || stored === null) return false;
  const texts = ['uid', 'email', 'name'];
  const lists = ['roles', 'permissions'];
  return (
    texts.every((name) => typeof Reflect.get(stored, name) === 'string') &&
    lists.every((name) => Array.isArray(Reflect.get(stored, name))) &&
    typeof Reflect.get(stored, 'technicianId') === 'number'
  );
}
