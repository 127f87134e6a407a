// Why something failed, for whoever shows it: the sentence, and the request that the server's log has more about.
import type { TFunction } from 'i18next';
import { ApiError } from '../api/http.ts';
import { errorMessage } from './error-message.ts';

/** As many of its characters as tell a request from the others in a log. */
const DISPLAYED_LENGTH = 8;

interface FailedRequest {
  id: string;
  text: string;
  copyLabel: string;
  copied: string;
}

/** Null: it is not the server that failed, or nobody knows its request. */
export function failedRequest(failure: unknown, t: TFunction): FailedRequest | null {
  const id = failure instanceof ApiError ? failure.requestId : null;
  if (id === null) return null;
  const displayed = { id: id.slice(0, DISPLAYED_LENGTH) };
  return {
    id,
    text: t('request.text', displayed),
    copyLabel: t('request.copy', displayed),
    copied: t('request.copied'),
  };
}

interface Reason {
  reason: string;
  request: FailedRequest | null;
}

const NO_REASON = { reason: null, request: null };

/** For a panel in the place of what could not be loaded. Null for no failure. */
export function failureReason(failure: NonNullable<unknown> | undefined, t: TFunction): Reason;
export function failureReason(failure: unknown, t: TFunction): Reason | typeof NO_REASON;
export function failureReason(failure: unknown, t: TFunction) {
  if (failure === null) return NO_REASON;
  return { reason: errorMessage(failure, t), request: failedRequest(failure, t) };
}

/** The same for a toast. */
export function failureDetail(failure: unknown, t: TFunction) {
  return { detail: errorMessage(failure, t), request: failedRequest(failure, t) };
}
