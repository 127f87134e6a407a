// The toaster. One toast at a time: a new one replaces the old one. What has failed stays in sight for a moment, however
// soon something else succeeds.
import { createAtom, useSelector } from '@tanstack/react-store';
import type { FailedRequest } from './request-reference.tsx';

/** How long a toast stays unless it says otherwise, and how long a dismissed one is kept before it is forgotten. */
export const TOAST_MS = 5_000;
/** One whose request is to be read out or copied. */
const FAILED_REQUEST_MS = 20_000;

export interface Toast {
  id: number;
  tone: 'default' | 'destructive';
  text: string;
  /** A quieter second sentence, for instance the server's reason. */
  detail?: string;
  action?: ToastAction;
  /** At which the server failed. */
  request?: FailedRequest | null;
  /** How long it stays. */
  durationMs: number;
  open: boolean;
}

/** An action in the toast, for instance Undo. */
export interface ToastAction {
  label: string;
  /** Another way to the same result, for users who cannot reach the toast in time. */
  otherWay: string;
  run(): void;
}

/** A failure is in sight for so long before a success takes its place. */
const MIN_FAILURE_MS = 2_000;

const toast = createAtom<Toast | null>(null);
let nextId = 1;
/** When the last one came in sight (ms). */
let shownAt = 0;
/** A success that waits until the failure in sight has been read. */
let waiting: Toast | null = null;
let isShownLater = false;

/** Returns the toast's id. */
export function showToast(
  content: Pick<Toast, 'text'> &
    Partial<Pick<Toast, 'detail' | 'tone' | 'action' | 'request' | 'durationMs'>>,
): number {
  const durationMs = content.request == null ? TOAST_MS : FAILED_REQUEST_MS;
  const made: Toast = { tone: 'default', durationMs, ...content, id: nextId++, open: true };
  show(made);
  return made.id;
}

function show(made: Toast): void {
  const current = toast.get();
  const isFailureInSight = current?.open === true && current.tone === 'destructive';
  const left = shownAt + MIN_FAILURE_MS - Date.now();
  if (isFailureInSight && made.tone !== 'destructive' && left > 0 && left <= MIN_FAILURE_MS) {
    waiting = made;
    if (!isShownLater) setTimeout(showWaiting, left);
    isShownLater = true;
    return;
  }
  // What waits is older than this.
  if (made.tone !== 'destructive') waiting = null;
  shownAt = Date.now();
  toast.set(made);
}

function showWaiting(): void {
  isShownLater = false;
  if (waiting === null) return;
  const next = waiting;
  waiting = null;
  show(next);
}

/** What they would undo is no longer as it was. */
export function dismissActions(): void {
  if (waiting?.action !== undefined) waiting = null;
  const current = toast.get();
  if (current?.action !== undefined) dismissToast(current.id);
}

export function dismissToast(id: number): void {
  const dismissed = toast.get();
  if (dismissed?.id !== id) return;
  toast.set({ ...dismissed, open: false });
  setTimeout(() => {
    if (toast.get()?.id === id) toast.set(null);
  }, TOAST_MS);
}

export function currentToast(): Toast | null {
  return toast.get();
}

export function useToast(): Toast | null {
  return useSelector(toast);
}
