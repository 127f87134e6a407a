// The message of an error: in the reader's language where there is a text for its code, else the server's own
// sentence. Calls and callable functions have the same codes.
import type { TFunction } from 'i18next';
import type { dialogsEn } from './dialogs.en.ts';
import type { en } from './en.ts';
import { i18n } from './i18n.ts';
import type { screensEn } from './screens.en.ts';

/** Those that are heard of only where other texts are loaded have theirs among these. */
type KnownCode = keyof typeof en.error | keyof typeof screensEn.error | keyof typeof dialogsEn.error;

function isKnown(code: string): code is KnownCode {
  return i18n.exists(`error.${code}`, { lng: 'en' });
}

export function errorMessage(failure: unknown, t: TFunction): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  if (typeof code === 'string' && isKnown(code)) return t(`error.${code}`);
  return failure instanceof Error ? failure.message : String(failure);
}
