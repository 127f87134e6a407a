import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteSubscription, fetchPushKey, putSubscription } from '../api/push.ts';
import { i18n } from '../i18n/i18n.ts';
import { database } from './database.ts';
import { notificationTexts } from './notification-texts.ts';
import { endPush, renewPush } from './push-subscription.ts';
import { PushSwitch } from './push-switch.tsx';

vi.mock('../api/push.ts', () => ({
  fetchPushKey: vi.fn(),
  putSubscription: vi.fn(),
  deleteSubscription: vi.fn(),
}));

const KEY = 'BPx-_w';
const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer;

/** A browser with push, as far as it concerns a page. */
function browserWithPush(answer: NotificationPermission = 'granted') {
  let subscribed: ReturnType<typeof subscription> | null = null;
  const shown = [{ close: vi.fn() }];
  const subscription = (applicationServerKey: string) => ({
    endpoint: 'https://push.test/1',
    options: { applicationServerKey: bytesOf(applicationServerKey) },
    toJSON: () => ({ endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn(async () => {
      subscribed = null;
      return true;
    }),
  });
  const registration = {
    update: async () => undefined,
    getNotifications: async () => shown,
    pushManager: {
      getSubscription: async () => subscribed,
      subscribe: vi.fn(async ({ applicationServerKey }: { applicationServerKey: string }) => {
        subscribed = subscription(applicationServerKey);
        return subscribed;
      }),
    },
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    permission: answer === 'denied' ? 'default' : answer,
    requestPermission: vi.fn(async () => answer),
  });
  const serviceWorker = {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  };
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: serviceWorker } }));
  return { registration, shown, current: () => subscribed };
}

const texts = notificationTexts(i18n.t, 'en');
const draw = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PushSwitch />
    </QueryClientProvider>,
  );
const theSwitch = () => screen.findByRole('switch', { name: /^Tell me about new work/ });

beforeEach(() => {
  vi.stubEnv('DEV', false);
  vi.mocked(fetchPushKey).mockReset().mockResolvedValue(KEY);
  vi.mocked(putSubscription).mockReset().mockResolvedValue();
  vi.mocked(deleteSubscription).mockReset().mockResolvedValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('turning push on subscribes with the server’s key and gives the worker its texts', async () => {
  const { registration } = browserWithPush();
  draw();
  expect(await theSwitch()).not.toBeChecked();
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).toBeChecked());
  expect(registration.pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: KEY,
  });
  expect(putSubscription).toHaveBeenCalledWith({
    endpoint: 'https://push.test/1',
    keys: { p256dh: 'p', auth: 'a' },
  });
  expect(await (await database()).get('words', 'notices')).toEqual(texts);
});

test('turning push off unsubscribes in the browser and at the server', async () => {
  const { current } = browserWithPush();
  draw();
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).toBeChecked());
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).not.toBeChecked());
  expect(current()).toBeNull();
  expect(deleteSubscription).toHaveBeenCalledWith('https://push.test/1');
});

test('push stays off when the server refuses, with a message', async () => {
  browserWithPush();
  vi.mocked(putSubscription).mockRejectedValue(new Error('No known push service.'));
  draw();
  await userEvent.click(await theSwitch());
  expect(await screen.findByRole('alert')).toHaveTextContent('No known push service.');
  expect(await theSwitch()).not.toBeChecked();
});

test('a user who denies the permission is not subscribed', async () => {
  const { registration } = browserWithPush('denied');
  draw();
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).toBeEnabled());
  expect(registration.pushManager.subscribe).not.toHaveBeenCalled();
});

test('a page that opens again registers again, with a new subscription when the key has changed', async () => {
  const { current } = browserWithPush();
  await renewPush(texts);
  expect(putSubscription).not.toHaveBeenCalled();
  draw();
  await userEvent.click(await theSwitch());
  await vi.waitFor(() => expect(putSubscription).toHaveBeenCalledTimes(1));
  await vi.waitFor(async () => expect(await theSwitch()).toBeChecked());
  const before = current();
  await renewPush(texts);
  expect(putSubscription).toHaveBeenCalledTimes(2);
  expect(current()).toBe(before);
  vi.mocked(fetchPushKey).mockResolvedValue('BAAA');
  await renewPush(texts);
  expect(before?.unsubscribe).toHaveBeenCalledTimes(1);
  expect(current()).not.toBe(before);
});

test('a subscription the browser let lapse is made again when the page opens', async () => {
  const { current } = browserWithPush();
  draw();
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).toBeChecked());
  await current()?.unsubscribe();
  await renewPush(texts);
  expect(current()).not.toBeNull();
});

test('nothing of the subscription is left after a sign-out', async () => {
  const { current, shown } = browserWithPush();
  draw();
  await userEvent.click(await theSwitch());
  await vi.waitFor(async () => expect(await theSwitch()).toBeChecked());
  await endPush();
  expect(current()).toBeNull();
  expect(shown[0]?.close).toHaveBeenCalled();
  expect(await (await database()).get('words', 'notices')).toBeUndefined();
  vi.mocked(putSubscription).mockClear();
  await renewPush(texts);
  expect(putSubscription).not.toHaveBeenCalled();
});

test('on plain HTTP a sentence says why push is not available', async () => {
  vi.stubGlobal('isSecureContext', false);
  draw();
  expect(await screen.findByText(/its address is not secure/)).toBeInTheDocument();
  expect(screen.queryByRole('switch')).toBeNull();
});

test('on an iPhone a sentence says how to get push', async () => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', Object.create(navigator, { userAgent: { value: 'Mozilla/5.0 (iPhone; CPU)' } }));
  draw();
  expect(await screen.findByText(/add it to the Home Screen/)).toBeInTheDocument();
});

test('a blocked permission can be granted in the browser alone', async () => {
  browserWithPush();
  vi.stubGlobal('Notification', { permission: 'denied' });
  draw();
  expect(await screen.findByText(/Notifications are blocked/)).toBeInTheDocument();
});
