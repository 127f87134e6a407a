// The toaster. One toast at a time: a new one replaces the old one.

/** How long a toast stays, and how long a dismissed one is kept before it is forgotten. */
export const TOAST_MS = 5_000;

export interface Toast {
  id: number;
  tone: 'default' | 'destructive';
  text: string;
  /** A quieter second sentence, for instance the server's reason. */
  detail?: string;
  action?: ToastAction;
  open: boolean;
}

/** An action in the toast, for instance Undo. */
export interface ToastAction {
  label: string;
  /** Another way to the same result, for users who cannot reach the toast in time. */
  otherWay: string;
  run(): void;
}

let toast: Toast | null = null;
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(
  content: Pick<Toast, 'text'> & Partial<Pick<Toast, 'detail' | 'tone' | 'action'>>,
): void {
  setCurrent({ tone: 'default', ...content, id: nextId++, open: true });
}

export function dismissToast(id: number): void {
  if (toast?.id !== id) return;
  setCurrent({ ...toast, open: false });
  setTimeout(() => {
    if (toast?.id === id) setCurrent(null);
  }, TOAST_MS);
}

export function currentToast(): Toast | null {
  return toast;
}

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setCurrent(next: Toast | null): void {
  toast = next;
  for (const listener of listeners) listener();
}
