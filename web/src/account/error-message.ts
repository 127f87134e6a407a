import type { TFunction } from 'i18next';
import { ApiError } from '../api/http.ts';
import { sentence } from '../i18n/error-message.ts';

/** Here a wrong password is one's own, and no email is in question. */
export function accountSentence(failure: unknown, t: TFunction): string {
  if (failure instanceof ApiError && failure.code === 'wrong-password') return t('account.wrongPassword');
  return sentence(failure, t) || t('account.failed');
}
