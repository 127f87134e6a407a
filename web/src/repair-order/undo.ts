// Undoes a change, from its toast or by key. The server decides whether it is still possible.
import type { QueryClient } from '@tanstack/react-query';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { type ChangedResult, undoChange } from '../api/repair-orders.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { currentToast, dismissToast, showToast, type ToastAction } from '../ui/toaster.ts';
import { landResults } from './change-results.ts';

/** The change of one request. Its number is an event's; the server undoes everything the request changed. */
interface UndoableChange {
  roNumber: number;
  seq: number;
}

let last: UndoableChange | null = null;

// The next user cannot undo the previous user's change.
onSessionChange(() => {
  if (sessionState().status === 'signed-out') last = null;
});

// After a reset the number may belong to another event.
onEventLogReset(() => {
  last = null;
  const toast = currentToast();
  if (toast?.action !== undefined) dismissToast(toast.id);
});

/** Undefined when nothing had to change: there is nothing to undo. */
export function undoAction(client: QueryClient, changed: readonly ChangedResult[]): ToastAction | undefined {
  const made = changed.find((entry) => entry.seq !== null);
  if (made === undefined || made.seq === null) return undefined;
  const undoable = { roNumber: made.roNumber, seq: made.seq };
  last = undoable;
  return {
    label: i18n.t('undo.undo'),
    otherWay: i18n.t('undo.otherWay'),
    run: () => void undo(client, undoable),
  };
}

/** This page's last change. */
export async function undoLast(client: QueryClient): Promise<void> {
  if (last === null) showToast({ text: i18n.t('undo.nothing') });
  else await undo(client, last);
}

export async function undo(client: QueryClient, undoable: UndoableChange): Promise<void> {
  if (last?.seq === undoable.seq) last = null;
  try {
    const results = await undoChange(undoable.roNumber, undoable.seq);
    const { changed, refused } = landResults(client, results);
    const [first] = refused;
    if (first === undefined) {
      showToast({ text: i18n.t('undo.done') });
    } else {
      const words = { count: changed.length, total: results.length };
      showToast({ tone: 'destructive', text: i18n.t('undo.partly', words), detail: first.error });
    }
  } catch (failure) {
    showToast({ tone: 'destructive', text: i18n.t('undo.failed'), detail: errorMessage(failure, i18n.t) });
  }
}
