// The service worker of the technician's page: opens the page without a connection, and announces assignments while
// it is closed. Desks have none. It must not know who is signed in.
import { database, type NotificationTexts } from '../offline/database.ts';
import { type AppShell, createAppShellCache, kindOf } from './app-shell-cache.ts';
import { dataOf, parsePushMessage, toNotification, withoutOrders } from './push-notifications.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written in here by the build. */
declare const SHELL: AppShell;

const shell = createAppShellCache(SHELL);
const RETRY_DELAY_MS = 3_000;

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
  const texts = await loadTexts();
  if (message.type === 'TECH_UNASSIGNED') {
    await removeOrders(message.roNumbers ?? [message.roNumber], texts);
    return;
  }
  const { title, options } = toNotification(message, texts);
  const isSeen = await isOnScreen(message.url);
  // Browsers require a notification for each push. When the page is visible, the page itself announces it.
  await self.registration.showNotification(
    title,
    isSeen ? { ...options, renotify: false, silent: true } : options,
  );
  if (isSeen)
    for (const shown of await self.registration.getNotifications({ tag: options.tag })) shown.close();
  await reportDelivered(message.receipt);
}

async function removeOrders(removed: readonly number[], texts: NotificationTexts | undefined): Promise<void> {
  for (const shown of await self.registration.getNotifications()) {
    const data = dataOf(shown);
    if (!data.roNumbers.some((number) => removed.includes(number))) continue;
    const rest = withoutOrders(data, removed, texts);
    shown.close();
    if (rest !== null) await self.registration.showNotification(rest.title, rest.options);
  }
}

async function reportDelivered(receipt: string): Promise<void> {
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
      // The connection that delivered the push may be gone again.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
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
  // A browser may refuse to navigate an existing page.
  const led = await other?.focus().then(
    (page) => page.navigate(url),
    () => null,
  );
  if (led === null || led === undefined) await self.clients.openWindow(url);
}

async function loadTexts(): Promise<NotificationTexts | undefined> {
  try {
    return await (await database()).get('words', 'notices');
  } catch {
    return undefined;
  }
}
