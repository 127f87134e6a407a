// Calls about one's own account: its password, its second factor, its sessions; and setting a password by a mailed link.
import { accountHttp, http, sessionHttp, unwrapAnswer } from './http.ts';

export type PasswordPolicy = Awaited<ReturnType<typeof passwordPolicy>>;
export type TwoFactorSecret = Awaited<ReturnType<typeof beginTwoFactor>>;
export type OwnSession = Awaited<ReturnType<typeof ownSessions>>[number];

export async function passwordPolicy(signal?: AbortSignal) {
  const { result } = await unwrapAnswer(http.GET('/api/auth/password-policy', { signal }));
  return result;
}

/** Answers the same whether there is such an account or not. */
export async function requestPasswordReset(email: string): Promise<void> {
  await unwrapAnswer(sessionHttp.POST('/api/auth/password-reset', { body: { email } }));
}

/** Answers whose password was set. */
export async function confirmPasswordReset(token: string, newPassword: string): Promise<string> {
  const body = { token, newPassword };
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/auth/password-reset/confirm', { body }));
  return result.email;
}

/** Ends all other sessions. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await unwrapAnswer(accountHttp.POST('/api/auth/password', { body: { currentPassword, newPassword } }));
}

export async function twoFactor(signal?: AbortSignal) {
  const { result } = await unwrapAnswer(http.GET('/api/auth/two-factor', { signal }));
  return result;
}

export async function beginTwoFactor(password: string) {
  const { result } = await unwrapAnswer(
    accountHttp.POST('/api/auth/two-factor/begin', { body: { password } }),
  );
  return result;
}

/** Answers the recovery codes, which can be read this once. */
export async function confirmTwoFactor(code: string): Promise<string[]> {
  const { result } = await unwrapAnswer(accountHttp.POST('/api/auth/two-factor/confirm', { body: { code } }));
  return result.recoveryCodes;
}

export async function endTwoFactor(password: string, code: string): Promise<void> {
  await unwrapAnswer(accountHttp.POST('/api/auth/two-factor/end', { body: { password, code } }));
}

export async function ownSessions(signal?: AbortSignal) {
  const { result } = await unwrapAnswer(http.GET('/api/auth/sessions', { signal }));
  return result;
}

export async function endSession(id: string): Promise<void> {
  await unwrapAnswer(accountHttp.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
}
