// Sends notices of this page's changes to the others on the socket. The server announces every change itself, with
// its rows; the notices are for clients that listen to them. They are sent one after another, at a rate the server
// accepts.
import { type ChangeNotice, isConnected, sendNotice } from '../api/socket.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toaster.ts';

const MAX_RETRIES = 5;
const RETRY_INTERVAL_MS = 1_000;
/** The server accepts ten a second. */
const SEND_INTERVAL_MS = 125;
/** A status change also sets the priority, whose notice follows after this delay. */
export const PRIORITY_NOTICE_DELAY_MS = 200;

let waiting: ChangeNotice[] = [];
let sending = false;

export function sendChangeNotice(...notices: ChangeNotice[]): void {
  waiting.push(...notices);
  if (!sending) void sendAll();
}

async function sendAll(): Promise<void> {
  sending = true;
  try {
    while (waiting.length > 0) {
      if (!(await connected())) {
        // The notices behind it would fail the same way.
        waiting = [];
        showToast({ tone: 'destructive', text: i18n.t('toast.notConnected') });
        return;
      }
      const [notice] = waiting.splice(0, 1);
      if (notice !== undefined) await send(notice);
      if (waiting.length > 0) await pause(SEND_INTERVAL_MS);
    }
  } finally {
    sending = false;
  }
}

async function connected(): Promise<boolean> {
  for (let retry = 0; retry < MAX_RETRIES && !isConnected(); retry++) await pause(RETRY_INTERVAL_MS);
  return isConnected();
}

async function send(notice: ChangeNotice): Promise<void> {
  try {
    await sendNotice(notice);
  } catch (failure) {
    console.warn(`The notice of repair order ${notice.roNumber} was not taken.`, failure);
    showToast({ tone: 'destructive', text: i18n.t('toast.noticeFailed') });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
