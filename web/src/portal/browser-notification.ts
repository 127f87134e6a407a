// Browser notifications, for technicians who look at another window. Only a button asks for the permission.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';

export type Permission = NotificationPermission | 'unknown';

const listeners = createListeners();

function permission(): Permission {
  return typeof Notification === 'undefined' ? 'unknown' : Notification.permission;
}

export function useNotificationPermission(): Permission {
  return useSyncExternalStore(listeners.subscribe, permission);
}

export async function requestNotificationPermission(): Promise<void> {
  await Notification.requestPermission();
  listeners.notify();
}

interface Notice {
  title: string;
  body: string;
  /** A notification replaces an earlier one with the same tag. */
  tag: string;
  /** The path it opens. */
  path: string;
}

/** Only while the page is hidden. */
export async function notifyIfHidden({ title, body, tag, path }: Notice): Promise<void> {
  if (document.visibilityState !== 'hidden' || permission() !== 'granted') return;
  const options = { body, tag, data: { url: path } };
  // With a service worker it must show the notification: phones allow no other.
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
