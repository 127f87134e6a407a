// The message of an error: in the reader's language where there is a text for its code, else the server's own
// sentence. Calls and callable functions have the same codes.
import type { TFunction } from 'i18next';
import { en } from './en.ts';

type KnownCode = keyof typeof en.error;

function isKnown(code: string): code is KnownCode {
  return Object.hasOwn(en.error, code);
}

export function errorMessage(failure: unknown, t: TFunction): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  if (typeof code === 'string' && isKnown(code)) return t(`error.${code}`);
  return failure instanceof Error ? failure.message : String(failure);
}
