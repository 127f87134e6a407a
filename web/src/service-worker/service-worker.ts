// Beside the technician's page, and alive without it: opens the page where there is no connection, and tells of work
// while it is closed. Desks have none. It must know nothing of who is signed in.
import { database, type NotificationTexts } from '../offline/database.ts';
import { kindOf, type Shell, shellKeeper } from './app-shell-cache.ts';
import { dataOf, parsePushMessage, toNotification, withoutOrders } from './push-notifications.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written in here by the build. */
declare const SHELL: Shell;

const shell = shellKeeper(SHELL);
const TOLD_AGAIN_AFTER_MS = 3_000;

self.addEventListener('install', (event) => {
  event.waitUntil(shell.keep().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(shell.forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, self.location.origin);
  if (kind === 'page') event.respondWith(shell.page(event.request));
  if (kind === 'asset') event.respondWith(shell.asset(event.request));
});

self.addEventListener('push', (event) => {
  event.waitUntil(pushed(event.data?.text() ?? ''));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(dataOf(event.notification).url));
});

async function pushed(text: string): Promise<void> {
  const message = parsePushMessage(text);
  if (message === null) return;
  const words = await readWords();
  if (message.type === 'TECH_UNASSIGNED') {
    await removeOrders(message.roNumbers ?? [message.roNumber], words);
    return;
  }
  const { title, options } = toNotification(message, words);
  const isSeen = await isOnScreen(message.url);
  // A browser wants something shown for each push. Who has the page in front of them is told by the page.
  await self.registration.showNotification(
    title,
    isSeen ? { ...options, renotify: false, silent: true } : options,
  );
  if (isSeen)
    for (const shown of await self.registration.getNotifications({ tag: options.tag })) shown.close();
  await tellDelivered(message.receipt);
}

async function removeOrders(removed: readonly number[], words: NotificationTexts | undefined): Promise<void> {
  for (const shown of await self.registration.getNotifications()) {
    const data = dataOf(shown);
    if (!data.roNumbers.some((number) => removed.includes(number))) continue;
    const rest = withoutOrders(data, removed, words);
    shown.close();
    if (rest !== null) await self.registration.showNotification(rest.title, rest.options);
  }
}

async function tellDelivered(receipt: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const answer = await fetch('/api/push/delivered', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ receipt }),
        credentials: 'omit',
      });
      if (answer.status < 500) return;
    } catch {
      // The network that brought the push may be gone again.
    }
    await new Promise((resolve) => setTimeout(resolve, TOLD_AGAIN_AFTER_MS));
  }
}

async function isOnScreen(url: string): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window' });
  return pages.some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === url);
}

/** The page that is open already, if any. */
async function open(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  const [other] = pages;
  // A browser may refuse to lead another page there.
  const led = await other?.focus().then(
    (page) => page.navigate(url),
    () => null,
  );
  if (led === null || led === undefined) await self.clients.openWindow(url);
}

async function readWords(): Promise<NotificationTexts | undefined> {
  try {
    return await (await database()).get('words', 'notices');
  } catch {
    return undefined;
  }
}
