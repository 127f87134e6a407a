// An advisor sees whom to call and why, says by one key that it is done, and finds it so after a power cut.
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import { ADVISOR, expect, goToScreen, OWNER, openDesk, openSignedIn, saysInToast, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const [LATE, WAITS, READY, ANOTHERS] = [987_801, 987_802, 987_803, 987_804];
const HOUR_MS = 3_600_000;

/** Dana has one that is late, one that waits for approval and one that is ready; Lee has one that is late. */
async function fill(dispatch: Dispatch): Promise<Api> {
  const promisedDateTime = new Date(Date.now() - HOUR_MS).toISOString();
  const job = { jobNumber: 1, operations: [{ operationCode: 'LOF', soldHours: 1.2 }] };
  const orders = [
    { repairOrderNumber: LATE, customer: 'Ada Lovelace', promisedDateTime, jobs: [job] },
    { repairOrderNumber: WAITS, customer: 'Grace Hopper' },
    { repairOrderNumber: READY, customer: 'Emmy Noether' },
    { repairOrderNumber: ANOTHERS, customer: 'Lise Meitner', promisedDateTime, advisor: 'Lee Park' },
  ];
  dispatch.importFile('orders.json', orderFile(...orders));
  return Api.signIn(dispatch.url, OWNER);
}

async function useStages(owner: Api): Promise<void> {
  await owner.send('PUT', '/api/stages', { enabled: true });
  await owner.post(`/api/repair-orders/${WAITS}/holds`, { reason: 'approval', note: 'Brake pads, 420' });
  await owner.post(`/api/repair-orders/${READY}/stage`, { stage: 'ready' });
}

const section = (page: Page, name: string) =>
  page.getByRole('region', { name: new RegExp(`^${name} \\d+$`) });
const card = (page: Page, customer: string, name = 'To call') =>
  section(page, name).getByRole('listitem').filter({ hasText: customer }).first();
const called = (page: Page, customer: string) =>
  page.getByRole('button', { name: new RegExp(`^Mark as called: ${customer}`) });

test('an advisor calls the most urgent customers, and a power cut forgets nobody', async ({
  browser,
  dispatch,
}) => {
  const owner = await fill(dispatch);
  const { page } = await openDesk(browser, dispatch, ADVISOR);
  await expect(page.getByRole('link', { name: 'My customers' })).toHaveCount(0);
  await useStages(owner);

  await test.step('who is not called as orders name the advisor chooses once', async () => {
    await goToScreen(page, 'My customers');
    await expect(page.getByText('Which advisor are you?')).toBeVisible();
    await page.getByRole('button', { name: 'Dana Whitfield (3)' }).click();
    await expect(section(page, 'To call')).toContainText('To call 3');
    await expect(page.getByText('Lise Meitner')).toHaveCount(0);
  });

  await test.step('each says why, the most urgent first', async () => {
    const names = section(page, 'To call').getByRole('button');
    await expect(names).toHaveCount(3);
    for (const [place, name] of ['Ada Lovelace', 'Grace Hopper', 'Emmy Noether'].entries())
      await expect(names.nth(place)).toHaveAccessibleName(new RegExp(`^Mark as called: ${name}`));
    await expect(card(page, 'Ada Lovelace')).toContainText(/Late.*1\.2 h left.*promised.*late by 1 h/);
    await expect(card(page, 'Grace Hopper')).toContainText(
      /Approval.*Waiting for approval since.*Brake pads, 420/,
    );
    await expect(card(page, 'Emmy Noether')).toContainText(/Ready.*since/);
    await expectAccessible(page, 'customers to call');
  });

  await test.step('by keys: one says called, and the next has the focus', async () => {
    await called(page, 'Ada Lovelace').focus();
    await page.keyboard.press('ArrowDown');
    await expect(called(page, 'Grace Hopper')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(card(page, 'Ada Lovelace', 'Called')).toContainText(/called \d/);
    await expect(called(page, 'Grace Hopper')).toBeFocused();
    await saysInToast(page, 'Customer called');
  });

  await test.step('a power cut forgets neither the call nor who the advisor is', async () => {
    await dispatch.kill();
    await dispatch.start();
    await page.reload();
    await expect(card(page, 'Ada Lovelace', 'Called')).toBeVisible();
    await expect(section(page, 'To call')).toContainText('To call 2');
    const elsewhere = await (await browser.newContext()).newPage();
    await openSignedIn(elsewhere, dispatch, ADVISOR, '/my-customers');
    await expect(section(elsewhere, 'To call')).toContainText('To call 2');
  });

  await test.step('a later other reason brings the customer back, without a reload', async () => {
    const again = await Api.signIn(dispatch.url, OWNER);
    await again.post(`/api/repair-orders/${LATE}/stage`, { stage: 'ready' });
    await expect(card(page, 'Ada Lovelace')).toContainText('Ready');
    await again.post(`/api/repair-orders/${READY}/close`, {});
    await expect(page.getByText('Emmy Noether')).toHaveCount(0);
  });

  await test.step('undone, the customer is to be called again; and at last nobody is', async () => {
    await called(page, 'Grace Hopper').click();
    await expect(card(page, 'Grace Hopper', 'Called')).toBeVisible();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(called(page, 'Grace Hopper')).toBeVisible();
    for (const name of ['Grace Hopper', 'Ada Lovelace']) await called(page, name).click();
    await expect(page.getByText('Nobody to call right now')).toBeVisible();
    await expect(section(page, 'Called')).toContainText('Called 2');
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the list has room, and each button for a thumb', async ({ page, dispatch }) => {
    await useStages(await fill(dispatch));
    await openSignedIn(page, dispatch, ADVISOR, '/my-customers');
    await page.getByRole('button', { name: 'Dana Whitfield (3)' }).tap();
    await expect(called(page, 'Ada Lovelace')).toBeVisible();
    await expectThumbSized(page);
    await expectAccessible(page, 'customers to call on a phone');
    await called(page, 'Ada Lovelace').tap();
    await expect(card(page, 'Ada Lovelace', 'Called')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
