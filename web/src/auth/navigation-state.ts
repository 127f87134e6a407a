// The navigation state that one screen before the desk passes to the next.

export interface NavigationState {
  email: string;
  /** The password was set by a mailed link just now. */
  passwordSet: boolean;
  /** Where a phone that scanned a screen's code wanted to go. */
  scanned: string | null;
}

/** `state`: a location's; a reload keeps it, and it may be anything. */
export function readNavigationState(state: unknown): NavigationState {
  const fields = typeof state === 'object' && state !== null ? state : {};
  return {
    email: 'email' in fields && typeof fields.email === 'string' ? fields.email : '',
    passwordSet: 'passwordSet' in fields && fields.passwordSet === true,
    scanned: 'scanned' in fields && typeof fields.scanned === 'string' ? fields.scanned : null,
  };
}
