// Who was signed in here last, for a page that is opened without a connection. Technicians only: nobody else's screens
// have anything to show then. It is no sign-in: no token is kept, and the server decides as soon as it can be asked.
import type { User } from './session.ts';

const KEPT_AT = 'dispatch.remembered';

export function rememberUser(user: User): void {
  if (user.technicianId === null || !user.roles.includes('Technician')) forgetRememberedUser();
  else localStorage.setItem(KEPT_AT, JSON.stringify(user));
}

export function rememberedUser(): User | null {
  const stored = localStorage.getItem(KEPT_AT);
  if (stored === null) return null;
  try {
    const user: unknown = JSON.parse(stored);
    if (isUser(user)) return user;
  } catch {
    // It was written by another version, or by hand.
  }
  forgetRememberedUser();
  return null;
}

export function forgetRememberedUser(): void {
  localStorage.removeItem(KEPT_AT);
}

/** What the screens could not do without. */
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
