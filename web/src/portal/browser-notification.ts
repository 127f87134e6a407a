// The browser's own notification, for who is looking at something else. It is asked for by a button alone.
import { useSyncExternalStore } from 'react';

export type Permission = NotificationPermission | 'unknown';

const listeners = new Set<() => void>();

function permission(): Permission {
  return typeof Notification === 'undefined' ? 'unknown' : Notification.permission;
}

export function useNotificationPermission(): Permission {
  return useSyncExternalStore(subscribe, permission);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function requestNotificationPermission(): Promise<void> {
  await Notification.requestPermission();
  for (const listener of listeners) listener();
}

interface Notice {
  title: string;
  body: string;
  /** One of several with the same takes the other's place. */
  tag: string;
  /** Where it leads. */
  path: string;
}

/** Only while the page is hidden. */
export async function notifyIfHidden({ title, body, tag, path }: Notice): Promise<void> {
  if (document.visibilityState !== 'hidden' || permission() !== 'granted') return;
  const options = { body, tag, data: { url: path } };
  // Where there is one it must be the service worker's: phones know no other.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined) {
    await worker.showNotification(title, options);
    return;
  }
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
