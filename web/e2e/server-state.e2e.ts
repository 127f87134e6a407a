// A server that cannot save or read, or was restored from a backup: every screen shows it.

import type { Page } from '@playwright/test';
import { DISPLAYED_TIME } from '../src/shop/displayed-time.fixture.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { Board } from './board-screen.ts';
import { Desk, expect, OWNER, openSignedIn, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';
import { ServerStateMock } from './server-state.ts';

const ORDER = 987_651;
const TECHNICIAN = 'tech@example.com';
const notSaving = (page: Page) =>
  page.getByRole('alert').filter({ hasText: new RegExp(`^Not saving since ${DISPLAYED_TIME}`) });
const notLive = (page: Page) =>
  page.getByRole('alert').filter({ hasText: new RegExp(`^Not live since ${DISPLAYED_TIME}`) });
const restored = (page: Page) => page.getByRole('alert').filter({ hasText: 'was restored from a backup' });

/** In the shop's zone, as the demo has it. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

async function signIn(page: Page, at: { url: string }, email: string): Promise<void> {
  await openSignedIn(page, at, email);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

test('a server that cannot save is announced on every screen without dimming it, until it can', async ({
  page,
  dispatch,
}) => {
  const mock = await ServerStateMock.to(page);
  await signIn(page, dispatch, OWNER);
  mock.announce({ notSavingSince: ago(1) });
  const screens = ['Technician Dashboard', 'User Management', 'Technician Management', 'Boards'];
  for (const screen of screens) {
    await page.getByRole('link', { name: screen }).click();
    await expect(notSaving(page)).toContainText(
      'A change is tried three times; if it is refused, make it again',
    );
  }
  await page.getByRole('button', { name: 'Account, appearance and language' }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(page).toHaveURL(/account/);
  await expect(notSaving(page)).toBeVisible();
  await page.getByRole('link', { name: 'Dispatch home' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(notSaving(page)).toBeVisible();
  await expect(page.locator('[data-stale]')).toHaveCount(0);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  mock.announce({});
  await expect(notSaving(page)).toHaveCount(0);
});

for (const width of [1440, 1024, 390]) {
  test(`no banner breaks a rule of axe or the width of the page, ${width} px`, async ({
    browser,
    dispatch,
  }) => {
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const mock = await ServerStateMock.to(page, { generation: 'a' });
    await signIn(page, dispatch, OWNER);
    await expect(page.getByRole('button', { name: /^Status of RO/ }).first()).toBeVisible();
    // All states at once.
    mock.announce({ generation: 'b', notSavingSince: ago(1), notReadSince: ago(2) });
    await expect(restored(page)).toBeVisible();
    await expect(notSaving(page)).toBeVisible();
    await expect(notLive(page)).toContainText('The server cannot read its database');
    await expect(page.getByRole('button', { name: /^Status of RO/ }).first()).toBeVisible();
    await expect(page.locator('[data-stale]')).toHaveCount(1);
    await expectAccessibleInBothThemes(page, 'restored, not saving and not read');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    mock.announce({ generation: 'b' });
    await expect(notLive(page)).toHaveCount(0);
    await expect(notSaving(page)).toHaveCount(0);
    await expect(page.locator('[data-stale]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Dismiss the notice of the restored data' }).click();
    await expect(restored(page)).toHaveCount(0);
  });
}

test('a change refused while the server cannot save keeps the dialog and its choice', async ({
  page,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: ORDER }));
  const desk = new Desk(page);
  const mock = await ServerStateMock.to(page);
  await signIn(page, dispatch, OWNER);
  await desk.hidePriority();
  await desk.find(String(ORDER));
  mock.announce({ notSavingSince: ago(1) });
  await expect(notSaving(page)).toBeVisible();
  const refusal = { ok: false, error: 'Changes cannot be saved right now.', code: 'unavailable' };
  let attempts = 0;
  await page.route(/update-priority/, (route) => {
    attempts++;
    return route.fulfill({ status: 503, json: refusal });
  });
  await desk.askPriority(String(ORDER));
  await desk.option(/^High/).click();
  await page.getByRole('button', { name: 'Update Priority' }).click();
  const message = `RO ${ORDER}: The server could not do this just now. Please try again.`;
  await expect(page.getByText(message, { exact: true })).toBeVisible();
  expect(attempts).toBe(3);
  await expect(desk.option(/^High/)).toHaveAttribute('aria-selected', 'true');

  mock.announce({});
  await expect(notSaving(page)).toHaveCount(0);
  await page.unroute(/update-priority/);
  await page.getByRole('button', { name: 'Update Priority' }).click();
  await desk.says('Priority updated to High');
});

test('a tap in the portal waits while the server cannot save, and is sent as soon as it can', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  const me = await (await Api.signIn(dispatch.url, TECHNICIAN)).get<{ technicianId: number }>('/api/auth/me');
  dispatch.importFile(
    'orders.json',
    orderFile({ repairOrderNumber: ORDER, regularIdTechnician: me.technicianId }),
  );
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const mock = await ServerStateMock.to(page);
  await signIn(page, dispatch, TECHNICIAN);
  await page.goto(`${dispatch.url}/technicians/${me.technicianId}`);
  const status = page.getByRole('button', { name: new RegExp(`^Status of RO ${ORDER}:`) });
  await expect(status).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  mock.announce({ notSavingSince: ago(1) });
  await expect(notSaving(page)).toContainText('What you tap waits on this device');
  const refusal = { ok: false, error: 'Changes cannot be saved right now.', code: 'unavailable' };
  await page.route(/update-status/, (route) => route.fulfill({ status: 503, json: refusal }));
  await status.click();
  await page.getByRole('option', { name: 'PDI' }).click();
  await expect(page.getByText('1 change waits until the server saves again')).toBeVisible();
  await page.unroute(/update-status/);
  mock.announce({});
  await expect(page.getByText(/^1 change waits/)).toHaveCount(0);
  const saved = async () => (await api.orders()).flat().find((row) => row.repairOrderNumber === ORDER);
  await expect.poll(async () => (await saved())?.appCustomerStatus).toBe('PDI');
});

test('after a restore a screen reloads its data, and an open dialog keeps its choice', async ({
  page,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: ORDER }));
  const desk = new Desk(page);
  const mock = await ServerStateMock.to(page, { generation: 'a' });
  await signIn(page, dispatch, OWNER);
  await desk.hidePriority();
  await desk.find(String(ORDER));
  await desk.askPriority(String(ORDER));
  await desk.option(/^High/).click();
  const lists = mock.lists.length;
  await mock.reconnect({ generation: 'b' });
  await expect(desk.dialog(/^Update Priority/).getByRole('alert')).toContainText('What you chose is kept');
  await expect(desk.option(/^High/)).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => mock.lists.slice(lists)).toEqual(['b']);
  await page.getByRole('button', { name: 'Update Priority' }).click();
  await expect(page.getByText('Priority updated to High', { exact: true })).toBeVisible();
  await expect(restored(page)).toBeVisible();
  await expect(desk.link(String(ORDER))).toBeVisible();
  await desk.isLive();
});

test('a board shows that the server cannot save, is not live when it cannot read, and reloads after a restore', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const target = { name: 'North wall', layout: 'queue', settings: { pageSeconds: 120 } };
  const link = await owner.ask<{ url: string }>('/api/boards/links', target);
  const board = await Board.open(browser, { url: 'about:' }, 'blank');
  const { page } = board;
  const mock = await ServerStateMock.to(page, { generation: 'a' });
  await page.goto(dispatch.url + link.url);
  await board.isLive();
  await expect(board.cards.first()).toBeVisible();

  mock.announce({ generation: 'a', notSavingSince: ago(1) });
  await expect(page.getByText(/^Not saving since \d{1,2}:\d\d\s[AP]M$/)).toBeVisible();
  await board.isLive();
  expect(await board.illegible()).toEqual([]);
  mock.announce({ generation: 'a', notReadSince: ago(2) });
  await expect(page.getByRole('alert')).toHaveText(/^NOT LIVE SINCE \d{1,2}:\d\d\s[AP]M$/);
  await expect(page.getByText(/^Not saving/)).toHaveCount(0);
  mock.announce({ generation: 'a' });
  await board.isLive();

  const pictures = board.received.filter((text) => text.includes('"checksum"')).length;
  await mock.reconnect({ generation: 'b' });
  await expect
    .poll(() => board.received.filter((text) => text.includes('"checksum"')).length)
    .toBeGreaterThan(pictures);
  await board.isLive();
  await expect(board.cards.first()).toBeVisible();
});
