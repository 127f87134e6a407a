// The desk's freshness: its indicator, and what the desk polls beside the stream.

import type { Page, Response } from '@playwright/test';
import { DISPLAYED_TIME } from '../src/shop/displayed-time.fixture.ts';
import { ADVISOR, Desk, expect, OWNER, openSignedIn, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

/** A desk with a clock that the test advances. */
async function openWithClock(page: Page, at: { url: string }): Promise<Desk> {
  // Installed first, so that it misses no request.
  const desk = new Desk(page);
  await page.clock.install();
  await openSignedIn(page, at, ADVISOR);
  await desk.isLive();
  await expect(desk.table).toBeVisible();
  await desk.markAsLoaded();
  return desk;
}

/** Waits until the page has read an answer and gone on: it has done so once other tasks have run after it. */
async function hasRead(page: Page, answer: Response): Promise<void> {
  await answer.finished();
  for (let task = 0; task < 5; task++) {
    await page.evaluate(
      () =>
        new Promise<void>((ran) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => ran();
          port2.postMessage(null);
        }),
    );
  }
}

const MINUTE_MS = 60_000;

test('without the stream polling brings new orders, faster while there are some', async ({
  page,
  dispatch,
  gateway,
}) => {
  // Much activity, in the minutes that the server looks back upon.
  const arrived = Array.from({ length: 12 }, (_, nth) => ({ repairOrderNumber: 987_601 + nth }));
  dispatch.importFile('orders.json', orderFile(...arrived));
  const orders = await (await Api.signIn(dispatch.url, OWNER)).orders();
  const last = Math.max(...orders.map(([row]) => row?.repairOrderNumber ?? 0));
  const desk = await openWithClock(page, gateway);
  const polls = desk.requests(/next-batch/);
  const activity = desk.requests(/activity-metrics/);
  const look = (from: number) => `GET /api/repair-orders/next-batch/${from}`;
  /** The seconds until the next poll, which is answered. In steps: a jump would outrun the answer. */
  const secondsToLook = async () => {
    const pollCount = polls.length;
    const answered = page.waitForResponse(/next-batch/);
    let seconds = 0;
    for (; polls.length === pollCount && seconds < 400; seconds++) await page.clock.runFor(1_000);
    await hasRead(page, await answered);
    return seconds;
  };
  gateway.cutStream();
  await desk.isNotLive();
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: 987_654 }));
  await desk.search('987654');
  await expect(page.getByText('No repair orders found matching your criteria')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 2_000);

  // Some of the first minute has gone by while the page was opened.
  expect(await secondsToLook()).toBeLessThanOrEqual(60);
  expect(polls).toEqual([look(last + 1)]);
  expect(activity).toEqual(['GET /api/repair-orders/activity-metrics']);
  // The page may take its time over the answer, and draws it by a timer.
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(desk.row('987654')).toContainText('Lovelace, Ada', { timeout: 500 });
  }).toPass();
  expect(desk.lists).toBe(1);
  await desk.wasNotReloaded();

  // The shop is busy: every half a minute, until more than five looks found nothing.
  const waited: number[] = [];
  for (let n = 0; n < 7; n++) waited.push(await secondsToLook());
  for (const seconds of waited.slice(0, 6)) {
    expect(seconds).toBeGreaterThanOrEqual(28);
    expect(seconds).toBeLessThanOrEqual(35);
  }
  expect(waited[6]).toBeGreaterThanOrEqual(298);
  expect(new Set(polls.slice(1))).toEqual(new Set([look(987_655)]));
  // More than five minutes after the first time it was asked again how busy the shop is.
  expect(activity).toHaveLength(2);
});

test('a poll times out after 5 s, and the whole list is loaded each hour', async ({ page, gateway }) => {
  const desk = await openWithClock(page, gateway);
  const opened = await page.evaluate(() => Date.now());
  gateway.hold((_, path) => path.includes('/next-batch/'));
  const polls = desk.requests(/next-batch/);
  const nextPoll = page.waitForRequest(/next-batch/);
  // From now on no time passes but what the test lets pass.
  await page.clock.pauseAt(Date.now() + 2_000);
  for (let waited = 0; polls.length === 0 && waited < MINUTE_MS; waited += 200) await page.clock.runFor(200);
  const look = await nextPoll;
  const failed = page.waitForEvent('requestfailed', (request) => request === look);
  await page.clock.runFor(4_000);
  expect(look.failure()).toBeNull();
  await page.clock.runFor(1_100);
  await failed;
  gateway.release();

  const lists = desk.lists;
  await page.clock.fastForward(50 * MINUTE_MS);
  expect(desk.lists).toBe(lists);
  // A poll waits for the server, and the next is due after its answer.
  await expect
    .poll(async () => {
      await page.clock.fastForward(MINUTE_MS);
      return desk.lists;
    })
    .toBe(lists + 1);
  const minutes = ((await page.evaluate(() => Date.now())) - opened) / MINUTE_MS;
  expect(minutes).toBeGreaterThanOrEqual(60);
  expect(minutes).toBeLessThan(75);
  await desk.wasNotReloaded();
});

test('the desk shows how long ago it heard from the server, then since when it is not live, and recovers by itself', async ({
  page,
  gateway,
}) => {
  const desk = await openWithClock(page, gateway);
  const sign = page.getByRole('banner').getByText('Live', { exact: true }).locator('..');
  await expect(sign).toHaveText(/^Live\d s$/);
  await expect.poll(async () => (await desk.top()).length).toBeGreaterThanOrEqual(14);
  const orders = await desk.top();
  const colourOf = (name: string) =>
    page.evaluate((token) => {
      const probe = document.body.appendChild(document.createElement('span'));
      probe.style.color = `var(--${token})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name);

  gateway.silenceStream();
  await page.clock.runFor(10_500);
  const late = page.getByText(/^Last heard 1\d s ago$/);
  await expect(late).toBeVisible();
  await expect(late).toHaveCSS('color', await colourOf('stale'));
  const area = page.locator('[data-stale]');
  await expect(area).toHaveCount(0);
  await page.clock.runFor(10_000);
  const banner = page.getByRole('alert').filter({ hasText: new RegExp(`^Not live since ${DISPLAYED_TIME}`) });
  await expect(banner).toBeVisible();
  await expect(banner).toHaveCSS('background-color', await colourOf('danger'));
  const box = await banner.boundingBox();
  expect([box?.x, box?.width]).toEqual([0, 1440]);
  await expect(area.getByRole('table')).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(area).toHaveCSS('filter', 'grayscale(1)');
  // The banner takes a row's room and no more; what is there can be read and used.
  expect((await desk.top()).slice(0, 14)).toEqual(orders.slice(0, 14));

  gateway.unsilenceStream();
  await page.clock.runFor(30_000);
  await desk.isLive();
  await expect(banner).toHaveCount(0);
  await expect(area).toHaveCount(0);
  await desk.wasNotReloaded();
});
