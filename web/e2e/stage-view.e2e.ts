// The orders in columns by stage: moved by mouse and by keys, seen by another desk, with limits, filters and a phone.
import type { Locator, Page } from '@playwright/test';
import { ADVISOR, expect, OWNER, openSignedIn, settled, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const [FIRST, SECOND, THIRD] = [987_801, 987_802, 987_803];

const column = (page: Page, stage: string): Locator =>
  page.getByRole('region', { name: new RegExp(`^${stage}: \\d+ cars?$`) });
const link = (within: Page | Locator, number: number): Locator =>
  within.getByRole('link', { name: `Open repair order ${number}`, exact: true });

/** By the mouse, with the steps by which a drag is told from a click. */
async function drag(page: Page, number: number, stage: string): Promise<void> {
  const card = page.locator(`[data-card="${number}"]`);
  const [start, end] = await settled(() =>
    Promise.all([card.boundingBox(), column(page, stage).boundingBox()]),
  );
  if (start === null || end === null) throw new Error('one of them is not on screen');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + 60, { steps: 12 });
  await expect(page.getByText(`${number} would go to ${stage}.`)).toHaveCount(1);
  await page.mouse.up();
}

test('cars are moved between columns by mouse and by keys, and every desk sees it', async ({
  browser,
  dispatch,
}) => {
  const numbers = [FIRST, SECOND, THIRD];
  dispatch.importFile(
    'orders.json',
    orderFile(...numbers.map((repairOrderNumber) => ({ repairOrderNumber }))),
  );
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  await api.send('PATCH', '/api/stages/in-diagnosis', { limit: 1 });
  const openBoard = async (email: string) => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    // Only the imported ones.
    await openSignedIn(page, dispatch, email, '/dashboard?q=9878&show=stages');
    await expect(link(column(page, 'To be dispatched'), FIRST)).toBeVisible();
    return page;
  };
  const owner = await openBoard(OWNER);
  const advisor = await openBoard(ADVISOR);

  await test.step('dragged into a column it stands there on both desks', async () => {
    await drag(owner, FIRST, 'In diagnosis');
    await expect(owner.getByText('Stage: In diagnosis', { exact: true })).toBeVisible();
    for (const page of [owner, advisor])
      await expect(link(column(page, 'In diagnosis'), FIRST)).toBeVisible();
  });

  await test.step('by T it is moved, and the focus goes with it', async () => {
    await link(advisor, SECOND).focus();
    await advisor.keyboard.press('t');
    await advisor.keyboard.type('diag');
    await advisor.keyboard.press('Enter');
    for (const page of [owner, advisor])
      await expect(link(column(page, 'In diagnosis'), SECOND)).toBeVisible();
    await expect(link(advisor, SECOND)).toBeFocused();
  });

  await test.step('over its limit the column says so', async () => {
    for (const page of [owner, advisor])
      await expect(column(page, 'In diagnosis').getByText('Over the limit of 1')).toBeVisible();
  });

  await test.step('arrows lead between cards and columns, and Enter opens the details', async () => {
    await link(advisor, THIRD).focus();
    await advisor.keyboard.press('ArrowRight');
    await expect(column(advisor, 'In diagnosis').locator('a:focus')).toHaveCount(1);
    await advisor.keyboard.press('ArrowLeft');
    await expect(link(advisor, THIRD)).toBeFocused();
    await advisor.keyboard.press('Enter');
    await expect(advisor.getByRole('heading', { name: `Repair Order #${THIRD} Details` })).toBeVisible();
    await expect(advisor.getByRole('region', { name: 'Where the hours went' })).toBeVisible();
    await advisor.keyboard.press('Escape');
    await expect(link(advisor, THIRD)).toBeFocused();
  });

  await test.step('by H it waits, and dragged on it asks whether the hold ends', async () => {
    await advisor.keyboard.press('h');
    await advisor.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click();
    await expect(link(column(owner, 'Waiting for parts'), THIRD)).toBeVisible();
    await drag(owner, THIRD, 'To be dispatched');
    const question = owner.getByRole('dialog', { name: `Move ${THIRD} to To be dispatched?` });
    await question.getByRole('button', { name: 'End holds and move' }).click();
    for (const page of [owner, advisor])
      await expect(link(column(page, 'To be dispatched'), THIRD)).toBeVisible();
  });

  await test.step('search, tabs and the stage filter apply, and the address keeps the view', async () => {
    await owner.getByRole('textbox', { name: /search/i }).fill(String(FIRST));
    await expect(link(owner, SECOND)).toHaveCount(0);
    await expect(column(owner, 'In diagnosis').getByText('1 of 2')).toBeVisible();
    await owner.getByRole('textbox', { name: /search/i }).fill('9878');
    await owner.getByLabel('Stage', { exact: true }).selectOption({ value: 'in-diagnosis' });
    await expect(owner.getByRole('region', { name: /: \d+ cars?$/ })).toHaveCount(1);
    await owner.reload();
    await expect(link(column(owner, 'In diagnosis'), FIRST)).toBeVisible();
    await owner.getByRole('radio', { name: 'List' }).click();
    await expect(owner.getByRole('table')).toBeVisible();
  });
});

test('a phone shows one column at a time', async ({ browser, dispatch }) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: FIRST }));
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const viewport = { width: 390, height: 844 };
  const page = await (await browser.newContext({ viewport, hasTouch: true, isMobile: true })).newPage();
  await openSignedIn(page, dispatch, ADVISOR, '/dashboard?q=9878&show=stages');
  await expect(link(column(page, 'To be dispatched'), FIRST)).toBeVisible();
  await expect(page.getByRole('region', { name: /: \d+ cars?$/ })).toHaveCount(1);
  await page.getByRole('button', { name: `Move ${FIRST} to another stage` }).tap();
  await page.getByRole('option', { name: 'Wash', exact: true }).tap();
  await expect(page.getByText('Stage: Wash', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Stage', exact: true }).last().selectOption({ label: 'Wash (1)' });
  await expect(link(column(page, 'Wash'), FIRST)).toBeVisible();
  // Nothing is wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('on a tablet a car is dragged by finger, after a hold', async ({ browser, dispatch }) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: FIRST }));
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const context = await browser.newContext({ viewport: { width: 1180, height: 820 }, hasTouch: true });
  const page = await context.newPage();
  await openSignedIn(page, dispatch, ADVISOR, '/dashboard?q=9878&show=stages');
  const card = page.locator(`[data-card="${FIRST}"]`);
  await expect(card).toBeVisible();
  const [from, to] = await settled(() =>
    Promise.all([card.boundingBox(), column(page, 'In diagnosis').boundingBox()]),
  );
  if (from === null || to === null) throw new Error('one of them is not on screen');
  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const [x, y] = [from.x + from.width / 2, from.y + from.height - 12];
  await touch('touchStart', x, y);
  // It is held: the card under the finger is a second one.
  await expect(page.getByText(String(FIRST), { exact: true })).toHaveCount(2);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', x + (to.x + to.width / 2 - x) * part, y);
  await expect(page.getByText(`${FIRST} would go to In diagnosis.`)).toHaveCount(1);
  await touch('touchEnd', x, y);
  await expect(link(column(page, 'In diagnosis'), FIRST)).toBeVisible();
});

test('of a thousand cars in a stage those in sight are drawn, and all are counted', async ({
  browser,
  dispatch,
}) => {
  const count = 1_000;
  const numbers = Array.from({ length: count }, (_, at) => 555_001_000 + at);
  dispatch.importFile(
    'orders.json',
    orderFile(...numbers.map((repairOrderNumber) => ({ repairOrderNumber }))),
  );
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await openSignedIn(page, dispatch, ADVISOR, '/dashboard?q=555001&show=stages');
  await expect(page.getByRole('region', { name: `To be dispatched: ${count} cars` })).toBeVisible();
  const cards = page.locator('[data-card]');
  expect(await cards.count()).toBeLessThan(40);
  await cards.first().getByRole('link').focus();
  await page.keyboard.press('End');
  await expect(page.locator(`[aria-posinset="${count}"] a`)).toBeFocused();
  expect(await cards.count()).toBeLessThan(40);
});
