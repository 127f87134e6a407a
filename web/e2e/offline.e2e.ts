// Offline work in the bay: changes arrive once and in order, the page opens, and never from an old build.
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { test as base, expect, fillSignIn, OWNER, PASSWORD } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { PushService } from './push-service.ts';
import { Api, orderFile, statusOf } from './server-api.ts';

const TECHNICIAN = 'tech@example.com';
const ORDER = 990_001;
const test = base;

interface Me {
  technicianId: number;
}

/** An order of the test's own on the technician's list, with a job to clock and to write about. */
async function orderFor(dispatch: Dispatch): Promise<{ technician: number; api: Api }> {
  const api = await Api.signIn(dispatch.url, OWNER);
  const me = await (await Api.signIn(dispatch.url, TECHNICIAN)).get<Me>('/api/auth/me');
  const jobs = [{ jobNumber: 1, concern: 'Brakes squeal', operations: [{ operationCode: 'BRK' }] }];
  dispatch.importFile('bay.json', orderFile({ repairOrderNumber: ORDER, jobs }));
  await expect(async () => {
    await api.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber: ORDER,
      idTechnician: me.technicianId,
    });
  }).toPass();
  return { technician: me.technicianId, api };
}

class Bay {
  readonly context: BrowserContext;
  readonly address: string;
  page: Page;

  private constructor(context: BrowserContext, page: Page, address: string) {
    this.context = context;
    this.page = page;
    this.address = address;
  }

  /** Signed in, with the list shown and saved, and the service worker in control. */
  static async open(browser: Browser, at: { url: string }, technician: number): Promise<Bay> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const bay = new Bay(context, page, `${at.url}/technicians/${technician}`);
    await page.goto(at.url);
    await fillSignIn(page, TECHNICIAN, PASSWORD);
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await page.goto(bay.address);
    await expect(bay.order).toBeVisible();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await bay.isKept();
    return bay;
  }

  get order() {
    return this.page.getByRole('link', { name: `Open repair order ${ORDER}`, exact: true });
  }

  get waiting() {
    return this.page.getByText(/changes? waits? for the connection/);
  }

  get lastKnown() {
    return this.page.getByText(/^The last known list, of /);
  }

  /** The details, which are fetched ahead one after another, are on this device. */
  private async isKept(): Promise<void> {
    const kept = () =>
      this.page.evaluate(
        () =>
          new Promise<unknown[]>((found) => {
            const opening = indexedDB.open('dispatch-offline');
            opening.onsuccess = () => {
              const all = opening.result.transaction('saved').objectStore('saved').getAllKeys();
              all.onsuccess = () => {
                opening.result.close();
                found(all.result.flat());
              };
            };
          }),
      );
    await expect.poll(kept, { timeout: 60_000 }).toContain(`details-${ORDER}`);
  }

  async pickStatus(status: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^Status of RO ${ORDER}:`) }).click();
    await this.page.getByRole('menuitemradio', { name: status }).click();
  }

  async startJob(): Promise<void> {
    await this.page.getByRole('button', { name: `Start job 1 of RO ${ORDER}`, exact: true }).click();
  }

  async write(notes: string): Promise<void> {
    await this.order.click();
    await this.page.getByRole('textbox', { name: /Notes on job 1/ }).fill(notes);
    await this.page.getByRole('button', { name: 'Save job 1' }).click();
    await expect(this.page.getByRole('button', { name: 'Save job 1' })).toBeHidden();
    await this.page.keyboard.press('Escape');
  }
}

/** The changes the page sends, as `path` each time it is answered. */
function changesOf(page: Page): string[] {
  const answered: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const kept = /update-status|\/jobs\/|\/clock$/.test(pathname) && response.request().method() !== 'GET';
    if (kept && response.ok()) answered.push(pathname);
  });
  return answered;
}

interface Entry {
  changes: { field: string; to: unknown }[];
  by: { name: string };
}

test('three changes made offline arrive once and in order, even after a server restart', async ({
  browser,
  dispatch,
}) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.context.setOffline(true);
  await dispatch.kill();

  await bay.pickStatus('Used');
  await expect(bay.waiting).toHaveText('1 change waits for the connection');
  await bay.startJob();
  await bay.write('Pads at 2 mm');
  await expect(bay.waiting).toHaveText('3 changes wait for the connection');

  // The page may be closed over it, too.
  await bay.page.close();
  bay.page = await bay.context.newPage();
  await bay.page.goto(bay.address);
  await expect(bay.waiting).toHaveText('3 changes wait for the connection');
  await expect(bay.lastKnown).toBeVisible();

  const answered = changesOf(bay.page);
  await dispatch.start();
  await bay.context.setOffline(false);
  await expect(bay.waiting).toBeHidden();
  await expect(bay.lastKnown).toBeHidden();
  expect(answered).toEqual([
    '/api/repair-orders/update-status',
    `/api/technicians/${technician}/clock`,
    `/api/repair-orders/${ORDER}/jobs/1`,
  ]);
  await isThereOnce(dispatch, technician);
});

test('a change that arrived but was never answered is not executed twice', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, gateway, technician);
  gateway.loseAnswers((method, path) => method !== 'GET' && /update-status|\/jobs\/|\/clock$/.test(path));
  await bay.pickStatus('Used');
  await expect(bay.waiting).toHaveText('1 change waits for the connection');
  await bay.startJob();
  await bay.write('Pads at 2 mm');
  await expect(bay.waiting).toHaveText('3 changes wait for the connection');
  gateway.disconnect();
  await dispatch.kill();
  await dispatch.start();
  gateway.deliverAll();
  gateway.reconnect();
  await expect(bay.waiting).toBeHidden();
  await isThereOnce(dispatch, technician);
});

/** The result of the two tests above, as the server has it. */
async function isThereOnce(dispatch: Dispatch, technician: number): Promise<void> {
  const api = await Api.signIn(dispatch.url, OWNER);
  const rows = (await api.orders()).find(([row]) => row?.repairOrderNumber === ORDER);
  expect(rows?.[0] && statusOf(rows[0])).toBe('Used');
  const history = await api.get<Entry[]>(`/api/repair-orders/${ORDER}/history`);
  const fieldChanges = history.flatMap(({ changes }) => changes).toReversed();
  expect(fieldChanges.filter(({ field }) => field === 'status')).toHaveLength(1);
  expect(fieldChanges.filter(({ to }) => to === 'Pads at 2 mm')).toHaveLength(1);
  expect(fieldChanges.findIndex(({ field }) => field === 'status')).toBeLessThan(
    fieldChanges.findIndex(({ to }) => to === 'Pads at 2 mm'),
  );
  const clock = await api.get<{ running: { roNumber: number; jobNumber: number } | null }>(
    `/api/technicians/${technician}/clock`,
  );
  expect(clock.running).toMatchObject({ roNumber: ORDER, jobNumber: 1 });
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const entries = await api.get<{ roNumber: number | null }[]>(
    `/api/technicians/${technician}/clock/entries?from=${day(-1)}&to=${day(1)}`,
  );
  expect(entries.filter(({ roNumber }) => roNumber === ORDER)).toHaveLength(1);
}

test('a change that the server refuses later is shown and does not block those behind it', async ({
  browser,
  dispatch,
}) => {
  const { technician, api } = await orderFor(dispatch);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.context.setOffline(true);
  await bay.startJob();
  await bay.pickStatus('Used');
  await expect(bay.waiting).toHaveText('2 changes wait for the connection');
  await api.post('/api/repair-orders/technicians/unassign', {
    repairOrderNumber: ORDER,
    idTechnician: technician,
  });
  await bay.context.setOffline(false);
  await expect(bay.waiting).toBeHidden();
  await expect(bay.page.getByRole('alert').filter({ hasText: 'Refused:' })).toContainText(String(ORDER));
  await bay.page.reload();
  const refusal = bay.page.getByRole('alert').filter({ hasText: 'Refused:' });
  await expect(refusal).toBeVisible();
  await refusal.getByRole('button', { name: /^Dismiss/ }).click();
  await expect(refusal).toBeHidden();
});

test('the page opens offline for the signed-in technician and marks the list as last known', async ({
  browser,
  dispatch,
}) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.page.close();
  await bay.context.setOffline(true);
  await dispatch.kill();

  bay.page = await bay.context.newPage();
  await bay.page.goto(bay.address);
  await expect(bay.order).toBeVisible();
  await expect(bay.lastKnown).toBeVisible();
  await expect(bay.page.getByText('What you do is kept and sent when the connection is back.')).toBeVisible();

  await dispatch.start();
  await bay.context.setOffline(false);
  await expect(bay.lastKnown).toBeHidden();
  await expect(bay.order).toBeVisible();
});

test('signing out deletes everything this device kept of the user', async ({ browser, dispatch }) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.context.setOffline(true);
  await bay.pickStatus('Used');
  await expect(bay.waiting).toBeVisible();
  await bay.page.getByRole('button', { name: 'Sign out' }).click();
  const question = bay.page.getByRole('dialog', { name: 'Sign out and lose what waits?' });
  await question.getByRole('button', { name: 'Sign out and lose it' }).click();
  await expect(bay.page.getByRole('heading', { name: 'Welcome to the product' })).toBeVisible();
  await bay.page.goto(bay.address);
  await expect(bay.page.getByRole('status')).toHaveText('Restoring your session...');
  // A page that is left at once deletes the rest when it is opened next.
  const kept = () =>
    bay.page.evaluate(
      () =>
        new Promise<number[]>((found) => {
          const opening = indexedDB.open('dispatch-offline');
          opening.onsuccess = () => {
            const stores = opening.result.transaction(['outbox', 'saved']);
            const counts = ['outbox', 'saved'].map((name) => stores.objectStore(name).count());
            stores.oncomplete = () => {
              opening.result.close();
              found(counts.map(({ result }) => result));
            };
          };
        }),
    );
  await expect.poll(kept).toEqual([0, 0]);
  expect(await bay.page.evaluate(() => localStorage.getItem('dispatch.remembered'))).toBeNull();
});

test('a user whose session ended while offline is led to the login when the connection is back', async ({
  browser,
  dispatch,
}) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.page.close();
  await bay.context.setOffline(true);
  await (await Api.signIn(dispatch.url, TECHNICIAN)).post('/api/auth/sign-out-everywhere', {});
  bay.page = await bay.context.newPage();
  await bay.page.goto(bay.address);
  await expect(bay.order).toBeVisible();
  await bay.context.setOffline(false);
  await expect(bay.page.getByRole('heading', { name: 'Welcome to the product' })).toBeVisible();
});

test('a new build is never hidden by a cached one, and becomes the build that opens offline', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const { technician } = await orderFor(dispatch);
  const bay = await Bay.open(browser, gateway, technician);
  const build = () =>
    bay.page.evaluate(() => document.querySelector('meta[name=build]')?.getAttribute('content'));
  expect(await build()).toBeUndefined();
  // Changes the page and its worker as a deployment would.
  gateway.rewrite((path, text) => {
    if (path === '/service-worker.js') return text.replace(/version:([`"'])/, 'version:$1two-');
    return text.startsWith('<!doctype html>')
      ? text.replace('<head>', '<head><meta name="build" content="two">')
      : text;
  });
  await bay.page.reload();
  expect(await build()).toBe('two');
  const caches = () =>
    bay.page.evaluate(async () => (await window.caches.keys()).map((name) => name.slice(0, 18)));
  await expect.poll(caches).toEqual(['dispatch-shell-two']);
  await bay.context.setOffline(true);
  await bay.page.reload();
  await expect(bay.order).toBeVisible();
  expect(await build()).toBe('two');
});

test('a desk registers no service worker', async ({ browser, dispatch }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(dispatch.url);
  await fillSignIn(page, OWNER, PASSWORD);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});

test.describe('a push', () => {
  let service: PushService;
  test.beforeEach(async () => {
    service = await PushService.start();
  });
  test.afterEach(async () => service.close());

  test('announces an order while the page is closed, reports its delivery to the desk, and disappears with the order', async ({
    browser,
    binary,
  }) => {
    const dispatch = new Dispatch(binary, ['--push-service', service.origin]);
    try {
      await dispatch.start();
      const { technician, api } = await orderFor(dispatch);
      const phone = await Api.signIn(dispatch.url, TECHNICIAN);
      await phone.send('PUT', '/api/push/subscription', service.subscription);
      await phone.post(`/api/technicians/${technician}/clock`, { action: 'clock-in' });
      const bay = await Bay.open(browser, dispatch, technician);
      await bay.context.grantPermissions(['notifications']);
      const deliver = await pushesTo(bay, dispatch.url);
      // Closed: what stays open is no page of ours.
      await bay.page.goto(`${dispatch.url}/favicon.svg`);

      const other = ORDER + 1;
      dispatch.importFile('other.json', orderFile({ repairOrderNumber: other }));
      const assignment = { repairOrderNumber: other, idTechnician: technician };
      await api.post('/api/repair-orders/technicians/assign', assignment);
      await deliver(await service.nextAbout(other));
      await expect
        .poll(() => notices(bay.page))
        .toEqual([
          { title: `RO ${other}`, body: '2003 Honda Accord EX · Drop · Low', tag: `assignment-${other}` },
        ]);
      await expect
        .poll(async () => {
          const { receipts } = await api.get<{
            receipts: { roNumber: number; deliveredAt: string | null }[];
          }>('/api/assignments');
          return receipts.find(({ roNumber }) => roNumber === other)?.deliveredAt ?? null;
        })
        .not.toBeNull();

      await api.post('/api/repair-orders/technicians/unassign', assignment);
      await deliver(await service.nextAbout(other));
      await expect.poll(() => notices(bay.page)).toEqual([]);
    } finally {
      await dispatch.discard();
    }
  });
});

/** Hands messages to the service worker as the browser does. */
async function pushesTo(bay: Bay, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await bay.context.newCDPSession(bay.page);
  const registered = new Promise<string>((found) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) found(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  return async (data) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

function notices(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  });
}
