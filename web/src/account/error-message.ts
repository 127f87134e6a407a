import type { TFunction } from 'i18next';
import { ApiError } from '../api/http.ts';
import { errorMessage } from '../i18n/error-message.ts';

/** On this screen a wrong password is the user's own, and no email is involved. */
export function accountErrorMessage(failure: unknown, t: TFunction): string {
  if (failure instanceof ApiError && failure.code === 'wrong-password') return t('account.wrongPassword');
  return errorMessage(failure, t) || t('account.failed');
}
