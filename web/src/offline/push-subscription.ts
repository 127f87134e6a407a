// Web Push: assignments announced by this browser while the page is closed.
import { deleteSubscription, fetchPushKey, putSubscription } from '../api/push.ts';
import { database, type NotificationTexts } from './database.ts';
import { markLocalData } from './local-data.ts';
import { registerServiceWorker } from './service-worker-registration.ts';

/** Why push is not available. */
export type PushObstacle = 'insecure' | 'home-screen' | 'unsupported' | 'blocked';

const STORAGE_KEY = 'dispatch.push';

export function pushObstacle(): PushObstacle | null {
  if (!isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isAppleTouch() ? 'home-screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'blocked' : null;
}

/** Safari on a phone or tablet has push for pages on the home screen only; an iPad says it is a Mac. */
function isAppleTouch(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1)
  );
}

export async function isPushOn(): Promise<boolean> {
  if (localStorage.getItem(STORAGE_KEY) === null || pushObstacle() !== null) return false;
  return (await currentSubscription()) !== null;
}

/** Asks for the permission if needed, so it must run from a tap. Returns whether push is on. */
export async function turnPushOn(texts: NotificationTexts): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  if ((await registerServiceWorker()) === null) return false;
  await subscribe(await navigator.serviceWorker.ready);
  localStorage.setItem(STORAGE_KEY, 'yes');
  markLocalData();
  await saveTexts(texts);
  return true;
}

export async function turnPushOff(): Promise<void> {
  localStorage.removeItem(STORAGE_KEY);
  const subscription = await currentSubscription();
  if (subscription === null) return;
  await subscription.unsubscribe();
  await deleteSubscription(subscription.endpoint);
}

/**
 * Renews the subscription at sign-in: the server keeps it for one session, a browser may have dropped it, and the
 * server's key may have changed.
 */
export async function renewPush(texts: NotificationTexts): Promise<void> {
  if (localStorage.getItem(STORAGE_KEY) === null || pushObstacle() !== null) return;
  if (Notification.permission !== 'granted' || (await registerServiceWorker()) === null) return;
  await subscribe(await navigator.serviceWorker.ready);
  await saveTexts(texts);
}

/** Ends push at sign-out. The server drops its subscription with the session. */
export async function endPush(): Promise<void> {
  localStorage.removeItem(STORAGE_KEY);
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  await (await database()).clear('words');
}

async function subscribe({ pushManager }: ServiceWorkerRegistration): Promise<void> {
  const key = await fetchPushKey();
  let subscription = await pushManager.getSubscription();
  if (subscription !== null && keyOf(subscription) !== key) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await putSubscription(subscription.toJSON());
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function saveTexts(texts: NotificationTexts): Promise<void> {
  await (await database()).put('words', texts, 'notices');
}

/** In base64url, as the server writes it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
