import { type OpenDialog, useDialogHost } from './open-dialog.ts';

const KINDS: readonly OpenDialog['kind'][] = ['remove', 'end-holds', 'conflict'];

/** Stands for a screen on which the dialogs are seen that an answer of the server opens. */
export function DialogHost(): null {
  useDialogHost(KINDS);
  return null;
}
