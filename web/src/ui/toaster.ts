// The toaster. One toast at a time: a new one replaces the old one.
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

const toast = createAtom<Toast | null>(null);
let nextId = 1;

export function showToast(
  content: Pick<Toast, 'text'> &
    Partial<Pick<Toast, 'detail' | 'tone' | 'action' | 'request' | 'durationMs'>>,
): void {
  const durationMs = content.request == null ? TOAST_MS : FAILED_REQUEST_MS;
  toast.set({ tone: 'default', durationMs, ...content, id: nextId++, open: true });
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
