// Offline work in the bay: changes arrive once and in order, the page opens, and never from an old build.
import type { Page } from '@playwright/test';
import { displayedStatus } from '../src/rules/displayed-status.ts';
import { Bay, ORDER, orderFor, TECHNICIAN } from './bay.ts';
import { expect, fillSignIn, OWNER, PASSWORD, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api } from './server-api.ts';

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
  expect(rows?.[0] && displayedStatus(rows[0])).toBe('Used');
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
  await expect(bay.page.getByRole('alert').filter({ hasText: 'Disconnected' })).toContainText(
    'what you tap waits on this device',
  );
  // So does the installed app, which starts at the page's root.
  await bay.page.goto(`${dispatch.url}/`);
  await expect(bay.page).toHaveURL(bay.address);
  await expect(bay.order).toBeVisible();

  // Every screen that the portal leads to is there, and a tap that needs the server says so and takes nothing away.
  await bay.order.click();
  const details = bay.page.getByRole('dialog', { name: `Repair Order #${ORDER} Details` });
  const magic = details.getByRole('button', { name: 'Tech Story Magic' });
  await magic.click();
  const interview = bay.page.getByRole('dialog', { name: 'Tech Story Generation' });
  await interview.getByRole('textbox', { name: 'Cause' }).fill('Worn pads');
  await interview.getByRole('textbox', { name: 'Brief Tech Notes' }).fill('Replaced them');
  await interview.getByRole('button', { name: 'Start Generation' }).click();
  await expect(interview).toContainText('The server could not be reached.');
  await bay.page.keyboard.press('Escape');
  await expect(magic).toBeVisible();
  await bay.page.keyboard.press('Escape');
  await bay.page.getByRole('button', { name: /^Finished cars/ }).click();
  const closed = bay.page.getByRole('dialog', { name: 'Finished cars' });
  await expect(closed.getByRole('textbox', { name: 'Find a car' })).toBeVisible();
  await expect(closed.getByText('Story owed').first()).toBeVisible();
  await bay.page.keyboard.press('Escape');

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
  const question = bay.page.getByRole('alertdialog', { name: 'Sign out and lose what waits?' });
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
  // A browser ends the old worker for the new one, and starts it again for a request that comes meanwhile. It would end
  // it again after half a minute without requests, but not under a debugger, as here: the new one waits for minutes.
  // So it comes when the page has fetched ahead what it fetches after a reload, this order's details last.
  gateway.hold((_, path) => path === '/service-worker.js');
  const lastFetched = bay.page.waitForResponse(`**/api/repair-orders/${ORDER}`);
  await bay.page.reload();
  expect(await build()).toBe('two');
  await (await lastFetched).finished();
  gateway.release();
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
