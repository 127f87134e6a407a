// Offline work in the bay: changes arrive once and in order, the page opens, and never from an old build.
import type { Locator, Page } from '@playwright/test';
import { displayedStatus } from '../src/rules/displayed-status.ts';
import { Bay, ORDER, orderFor, TECHNICIAN } from './bay.ts';
import { expect, fillSignIn, OWNER, PASSWORD, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

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

const CLOSED_ORDER = ORDER + 1;

/** A story and time on the clock for the open order, and an order with time and no story that is closed before the page is opened. */
async function workOfBefore(dispatch: Dispatch, technician: number, api: Api): Promise<void> {
  const own = await Api.signIn(dispatch.url, TECHNICIAN);
  const tap = (action: string, job = {}) =>
    own.post(`/api/technicians/${technician}/clock`, { action, ...job, at: new Date().toISOString() });
  await tap('start', { roNumber: ORDER, jobNumber: 1 });
  await tap('stop');
  const { version } = await api.get<{ version: number }>(`/api/repair-orders/${ORDER}`);
  const story = { techStory: 'Brakes squeal. Replaced the pads.', expectedVersion: version };
  await own.send('PATCH', `/api/repair-orders/${ORDER}/jobs/1`, story);

  const jobs = [{ jobNumber: 1, concern: 'Oil leak', operations: [{ operationCode: 'OIL' }] }];
  dispatch.importFile('leak.json', orderFile({ repairOrderNumber: CLOSED_ORDER, jobs }));
  await expect(async () => {
    await api.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber: CLOSED_ORDER,
      idTechnician: technician,
    });
  }).toPass();
  await tap('start', { roNumber: CLOSED_ORDER, jobNumber: 1 });
  await tap('stop');
  dispatch.importFile('leak.csv', `number,status\n${CLOSED_ORDER},Closed`);
  const closed = async () =>
    (
      await api.get<{ repairOrderNumber: number }[]>(`/api/technicians/${technician}/closed-orders?days=1`)
    ).map(({ repairOrderNumber }) => repairOrderNumber);
  await expect.poll(closed).toContain(CLOSED_ORDER);
}

test('the page opens offline for the signed-in technician and marks what it shows as last known', async ({
  browser,
  dispatch,
}) => {
  const { technician, api } = await orderFor(dispatch);
  await workOfBefore(dispatch, technician, api);
  const bay = await Bay.open(browser, dispatch, technician);
  await bay.isAllKept();
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

  await opensEachSheet(bay);

  await dispatch.start();
  await bay.context.setOffline(false);
  await expect(bay.lastKnown).toBeHidden();
  await expect(bay.order).toBeVisible();
});

/** Every screen that the portal leads to is there, and a tap that needs the server says so and takes nothing away. */
async function opensEachSheet({ page, order }: Bay): Promise<void> {
  const sheet = (name: string | RegExp) => page.getByRole('dialog', { name });
  const opensLastKnown = async (press: Locator, name: string | RegExp, text: string) => {
    await press.click();
    await expect(sheet(name).getByText(/^Last known, of /)).toBeVisible();
    await expect(sheet(name)).toContainText(text);
    return sheet(name);
  };
  const details = await opensLastKnown(order, `Repair Order #${ORDER} Details`, 'Brakes squeal');
  const magic = details.getByRole('button', { name: 'Tech Story Magic' });
  await magic.click();
  const interview = sheet('Tech Story Generation');
  await interview.getByRole('textbox', { name: 'Cause' }).fill('Worn pads');
  await interview.getByRole('textbox', { name: 'Brief Tech Notes' }).fill('Replaced them');
  await interview.getByRole('button', { name: 'Start Generation' }).click();
  await expect(interview).toContainText('The server could not be reached.');
  await page.keyboard.press('Escape');
  await expect(magic).toBeVisible();
  const versions = details.getByRole('button', { name: 'Versions of the story of job 1' });
  await opensLastKnown(versions, 'Versions of the story, job 1', 'Replaced the pads.');
  await page.keyboard.press('Escape');
  const claim = details.getByRole('button', { name: 'Claim sheet of job 1' });
  await opensLastKnown(claim, `Claim sheet: repair order ${ORDER}, job 1`, 'Technicians and clocked hours');
  await page.keyboard.press('Escape');
  await expect(magic).toBeVisible();
  await page.keyboard.press('Escape');

  const finished = page.getByRole('button', { name: /^Finished cars/ });
  const closed = await opensLastKnown(finished, 'Finished cars', 'Story owed');
  await closed.getByRole('textbox', { name: 'Find a car' }).fill(String(CLOSED_ORDER));
  // It was never opened.
  const car = closed.getByRole('button', { name: new RegExp(`^${CLOSED_ORDER}`) });
  await opensLastKnown(car, `Repair Order #${CLOSED_ORDER} Details`, 'Concern: Oil leak');
  await page.keyboard.press('Escape');

  const clock = page.getByRole('button', { name: 'Clock entries' });
  const entries = await opensLastKnown(clock, /^Clock entries of /, `RO ${ORDER}, job 1`);
  const earlier = entries.getByRole('button', { name: 'Earlier week' });
  await earlier.click();
  await earlier.click();
  await expect(entries.getByRole('alert')).toContainText('it needs the network');
  await entries.getByRole('button', { name: 'Later week' }).click();
  await expect(entries.getByText(/^Last known, of /)).toBeVisible();
  await page.keyboard.press('Escape');

  // Screens of the desk are not kept, and the way back is.
  await page.getByRole('link', { name: 'Technician Dashboard' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'it needs the network' })).toBeVisible();
  await page.getByRole('link', { name: 'My portal' }).click();
  await expect(order).toBeVisible();
}

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
  await expect(bay.page.getByRole('heading', { name: 'The server does not answer' })).toBeVisible();
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
  // So it comes when the page has fetched ahead what it fetches after a reload, the second week of the clock last.
  gateway.hold((_, path) => path === '/service-worker.js');
  let weeks = 0;
  const lastFetched = bay.page.waitForResponse(
    (answer) => answer.url().includes('/clock/entries?') && ++weeks === 2,
  );
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
