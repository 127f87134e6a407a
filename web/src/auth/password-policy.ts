// The server's password rules, and a check of the typed password. The server decides.
import { queryOptions } from '@tanstack/react-query';
import { type PasswordPolicy, passwordPolicy } from '../api/account.ts';
import { ApiError } from '../api/http.ts';

export const policyQuery = queryOptions({
  queryKey: ['password-policy'],
  queryFn: ({ signal }) => passwordPolicy(signal),
});

export function isLongEnough(password: string, { minLength }: PasswordPolicy): boolean {
  return [...password].length >= minLength;
}

export function isTooLong(password: string, { maxLength }: PasswordPolicy): boolean {
  return new TextEncoder().encode(password).length > maxLength;
}

/** Refuses what the server would refuse, before anything is done for it. */
export function requireLength(password: string, policy: PasswordPolicy | undefined): void {
  if (policy === undefined || (isLongEnough(password, policy) && !isTooLong(password, policy))) return;
  throw new ApiError(400, 'weak-password', 'The password does not meet the requirements.');
}
