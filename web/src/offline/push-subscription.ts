// Whether this browser is told of work while the page is closed.
import { deleteSubscription, fetchPushKey, putSubscription } from '../api/push.ts';
import { database, type NotificationTexts } from './database.ts';
import { markLocalData } from './local-data.ts';
import { registerServiceWorker } from './service-worker-registration.ts';

/** Why it cannot be. */
export type PushObstacle = 'insecure' | 'home-screen' | 'unsupported' | 'blocked';

const WANTED_AT = 'dispatch.push';

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
  if (localStorage.getItem(WANTED_AT) === null || pushObstacle() !== null) return false;
  return (await currentSubscription()) !== null;
}

/** Asks the user, if need be: from a tap only. Whether it is on now. */
export async function turnPushOn(words: NotificationTexts): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  if ((await registerServiceWorker()) === null) return false;
  await subscribe(await navigator.serviceWorker.ready);
  localStorage.setItem(WANTED_AT, 'yes');
  markLocalData();
  await keepWords(words);
  return true;
}

export async function turnPushOff(): Promise<void> {
  localStorage.removeItem(WANTED_AT);
  const subscription = await currentSubscription();
  if (subscription === null) return;
  await subscription.unsubscribe();
  await deleteSubscription(subscription.endpoint);
}

/**
 * The page is open, and somebody signed in: the server's word lasts for one sign-in, a browser may have let its own
 * lapse, and the server's key may be another.
 */
export async function renewPush(words: NotificationTexts): Promise<void> {
  if (localStorage.getItem(WANTED_AT) === null || pushObstacle() !== null) return;
  if (Notification.permission !== 'granted' || (await registerServiceWorker()) === null) return;
  await subscribe(await navigator.serviceWorker.ready);
  await keepWords(words);
}

/** The sign-in is over: nothing more of it is shown here. The server forgets its part with the session. */
export async function endPush(): Promise<void> {
  localStorage.removeItem(WANTED_AT);
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

async function keepWords(words: NotificationTexts): Promise<void> {
  await (await database()).put('words', words, 'notices');
}

/** In base64url, as the server writes it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
