// The message of an error: in the reader's language where there is a text for its code, else the server's own
// sentence.
import type { TFunction } from 'i18next';
import { ApiError } from '../api/http.ts';
import { en } from './en.ts';

type KnownCode = keyof typeof en.error;

function isKnown(code: string): code is KnownCode {
  return Object.hasOwn(en.error, code);
}

export function errorMessage(failure: unknown, t: TFunction): string {
  if (failure instanceof ApiError && isKnown(failure.code)) return t(`error.${failure.code}`);
  return failure instanceof Error ? failure.message : String(failure);
}
