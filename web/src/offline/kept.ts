// Whether this device may keep anything of a user's: a desk that never did has nothing to open, and nothing to delete.

const KEPT_AT = 'dispatch.offline';

export function somethingIsKept(): void {
  if (!isSomethingKept()) localStorage.setItem(KEPT_AT, 'yes');
}

export function isSomethingKept(): boolean {
  return localStorage.getItem(KEPT_AT) !== null;
}
