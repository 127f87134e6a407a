// Undoes a change, from its toast, from the tray of changes or by key. The server decides whether it is still
// possible.
import type { QueryClient } from '@tanstack/react-query';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import type { ChangedResult } from '../api/repair-orders.ts';
import { serverNow } from '../api/server-time.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { i18n } from '../i18n/i18n.ts';
import { findScreenTool } from '../ui/screen-tools.ts';
import { dismissActions, showToast, type ToastAction } from '../ui/toaster.ts';
import { undoneText } from './change-lines.ts';
import { landResults } from './change-results.ts';
import {
  type OrdersBefore,
  RECENT_CHANGES_TOOL,
  type RecentChange,
  recordChange,
  settleChange,
} from './recent-changes.ts';
import { undoTogether } from './sent-together.ts';

/** A single letter undoes no older change (ms): whoever presses it by mistake has long gone on to something else. */
const MAX_AGE_BY_KEY_MS = 5 * 60_000;

let last: RecentChange | null = null;
/** The last one until it was to be undone. Where that does not reach the server, it is the last one again. */
let taken: RecentChange | null = null;

function forget(): void {
  last = null;
  taken = null;
}

// The next user cannot undo the previous user's change.
onSessionChange(() => {
  if (sessionState().status === 'signed-out') forget();
});

// After a reset the number may belong to another event.
onEventLogReset(() => {
  forget();
  dismissActions();
});

/**
 * Records the change, and returns what undoes it. Undefined when nothing had to change: there is nothing to undo.
 * `before`: the orders as they were displayed. `text`: what the toast says of the change.
 */
export function undoAction(
  client: QueryClient,
  changed: readonly ChangedResult[],
  before: OrdersBefore = new Map(),
  text: string | null = null,
): ToastAction | undefined {
  const made = recordChange(changed, before, text);
  if (made === null) return undefined;
  last = made;
  return {
    label: i18n.t('undo.undo'),
    otherWay: i18n.t('undo.otherWay'),
    run: () => void undo(client, made),
  };
}

/** By its key: an older change is the user's to choose from the tray. */
export async function undoByKey(client: QueryClient): Promise<void> {
  if (last === null || serverNow() - last.at <= MAX_AGE_BY_KEY_MS) return undoLast(client);
  const tray = findScreenTool(RECENT_CHANGES_TOOL);
  if (tray === undefined) showToast({ text: i18n.t('undo.nothingRecent') });
  else tray.run();
}

/** This page's last change, however old. */
export async function undoLast(client: QueryClient): Promise<void> {
  if (last === null) showToast({ text: i18n.t('undo.nothing') });
  else await undo(client, last);
}

/** What a request changed; its event is named, and the server undoes all of it. */
type UndoableChange = Pick<RecentChange, 'roNumber' | 'seq' | 'orders' | 'text'>;

export async function undo(client: QueryClient, change: UndoableChange): Promise<void> {
  if (last?.seq === change.seq) {
    taken = last;
    last = null;
  }
  try {
    const results = await undoTogether(change.roNumber, change.seq);
    const { changed, refused } = landResults(client, results);
    const [first] = refused;
    if (first === undefined) {
      settleChange(change.seq, { kind: 'undone' });
      showToast({ text: i18n.t('undo.done'), detail: undoneText(change, changed, i18n.t) });
    } else {
      const words = { count: changed.length, total: results.length };
      const text = i18n.t('undo.partly', words);
      settleChange(change.seq, { kind: 'refused', reason: `${text}. ${first.error}` });
      showToast({ tone: 'destructive', text, detail: first.error });
    }
  } catch (failure) {
    const reason = errorMessage(failure, i18n.t);
    if (isRefusal(failure)) settleChange(change.seq, { kind: 'refused', reason });
    else if (taken?.seq === change.seq) last ??= taken;
    showToast({ tone: 'destructive', text: i18n.t('undo.failed'), ...failureDetail(failure, i18n.t) });
  }
}

/** The server understood and will not do it; after anything else the user can try again. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof ApiError && [403, 404, 409].includes(failure.status);
}
