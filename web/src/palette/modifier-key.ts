import type { TFunction } from 'i18next';

/** The key beside Space on a Mac, Ctrl elsewhere, as it is written on the keyboard. */
export function modifierKey(t: TFunction): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : t('keys.ctrl');
}
