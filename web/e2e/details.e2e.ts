// An order's details: where they are in the browser's history, and what is done in them beside the list.
import type { Browser, Locator } from '@playwright/test';
import { expectThumbSized } from './accessibility.ts';
import { ADVISOR, type Desk, expect, goToScreen, OWNER, openDesk, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const ORDERS = ['987653', '987652', '987651'] as const;
const [FIRST, SECOND, THIRD] = ORDERS;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The status id of the API. */
const USED = 12;

/** A desk with these orders alone in the list, the highest number first. */
async function openShortList(
  browser: Browser,
  dispatch: Dispatch,
  { email = OWNER, screen = WIDE, changes = {} } = {},
): Promise<Desk> {
  const orders = ORDERS.map((number) => ({ repairOrderNumber: Number(number), ...changes }));
  dispatch.importFile('orders.json', orderFile(...orders));
  const desk = await openDesk(browser, dispatch, email);
  await desk.search('98765');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
  await desk.page.setViewportSize(screen);
  await expect(desk.link(FIRST)).toBeVisible();
  return desk;
}

function detailsOn({ width }: typeof WIDE, desk: Desk, order: string): Locator {
  return width === WIDE.width ? desk.details(order) : desk.dialog(`Repair Order #${order} Details`);
}

const button = (within: Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });

/** The value beside a name in the details. */
function fact(details: Locator, name: string): Locator {
  return details
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]');
}

for (const screen of [WIDE, PHONE]) {
  const title = `${screen.width} px wide`;

  test(`Back closes the details and Forward opens them again, ${title}`, async ({ browser, dispatch }) => {
    const desk = await openShortList(browser, dispatch, { screen });
    const { page } = desk;
    const details = (order: string) => detailsOn(screen, desk, order);
    await desk.link(FIRST).click();
    await expect(details(FIRST)).toBeVisible();
    // The orders that follow take the entry over.
    await button(details(FIRST), 'Next order').click();
    await expect(details(SECOND)).toBeVisible();
    await button(details(SECOND), 'Next order').click();
    await expect(details(THIRD)).toBeVisible();

    await page.goBack();
    await expect(details(THIRD)).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);
    await page.goForward();
    await expect(details(THIRD)).toBeVisible();
    await desk.wasNotReloaded();
    await page.reload();
    await expect(details(THIRD)).toBeVisible();
    await page.goBack();
    await expect(details(THIRD)).toBeHidden();
    await expect(desk.link(FIRST)).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);
  });

  test(`no entries pile up in the history, ${title}`, async ({ browser, dispatch }) => {
    const desk = await openShortList(browser, dispatch, { screen });
    const { page } = desk;
    // A screen before the desk, to go back to.
    await goToScreen(page, 'Technician Dashboard');
    await expect(page).toHaveURL(/\/technicians$/);
    await page.getByRole('link', { name: 'Dispatch home' }).click();
    await desk.search('98765');
    for (const order of [FIRST, SECOND, THIRD, FIRST]) {
      await desk.link(order).click();
      const details = detailsOn(screen, desk, order);
      await expect(details).toBeVisible();
      await button(details, `Dispatch RO ${order}`).click();
      const dialog = desk.dialog(`Dispatch RO ${order}`);
      await button(dialog, 'Cancel').click();
      await expect(dialog).toBeHidden();
      await button(details, 'Close').click();
      await expect(details).toBeHidden();
    }
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/technicians$/);
  });

  test(`Back closes the dialog over the details first, ${title}`, async ({ browser, dispatch }) => {
    const desk = await openShortList(browser, dispatch, { screen });
    const { page } = desk;
    const details = detailsOn(screen, desk, FIRST);
    await desk.link(FIRST).click();
    await button(details, `Dispatch RO ${FIRST}`).click();
    const dialog = desk.dialog(`Dispatch RO ${FIRST}`);
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(details).toBeVisible();
    await page.goBack();
    await expect(details).toBeHidden();
    await expect(desk.link(FIRST)).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);

    // Without details the dialog is all that Back closes.
    await page.getByRole('button', { name: `Dispatch RO ${SECOND}` }).click({ force: true });
    await expect(desk.dialog(`Dispatch RO ${SECOND}`)).toBeVisible();
    await page.goBack();
    await expect(desk.dialog(`Dispatch RO ${SECOND}`)).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);
    await desk.wasNotReloaded();
  });

  test(`an order is worked on in its details, ${title}`, async ({ browser, dispatch }) => {
    const desk = await openShortList(browser, dispatch, { screen });
    const { page } = desk;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const details = detailsOn(screen, desk, FIRST);
    await desk.link(FIRST).click();

    await button(details, new RegExp(`^Status of RO ${FIRST}`)).click();
    await page.getByRole('option', { name: 'PDI' }).click();
    await expect(fact(details, 'Status')).toHaveText('PDI');
    await button(details, new RegExp(`^Change priority of RO ${FIRST}:`)).click();
    await desk.option(/^High/).click();
    await expect(fact(details, 'Priority')).toHaveText('High');
    await button(details, `Dispatch RO ${FIRST}`).click();
    await desk.option(/^Bo Li/).click();
    await button(desk.dialog(/^Dispatch RO/), 'Dispatch').click();
    await expect(fact(details, 'Technicians')).toContainText('Bo Li');
    await expect(button(details, `Add technician to RO ${FIRST}`)).toBeVisible();
    await button(details, `Reassign technician of RO ${FIRST}`).click();
    await desk.option(/^Hank Mueller/).click();
    await button(desk.dialog(/^Reassign/), 'Reassign').click();
    await expect(fact(details, 'Technicians')).toContainText('Hank Mueller');
    await button(details, `Remove technician from RO ${FIRST}`).click();
    await expect(fact(details, 'Technicians')).toContainText('Unassigned');

    await button(details, /^Copy VIN/).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('1HGCM82633A004352');
    if (screen === PHONE) await expectThumbSized(page, '[role="dialog"] button');

    // Somebody else's change is there at once.
    const api = await Api.signIn(dispatch.url, ADVISOR);
    await api.post('/api/repair-orders/update-status', {
      data: [{ repairOrderNumber: FIRST, idStatus: USED }],
    });
    await expect(fact(details, 'Status')).toHaveText('Used');
  });

  test(`the details open from anywhere on a row or card, ${title}`, async ({ browser, dispatch }) => {
    const desk = await openShortList(browser, dispatch, { screen });
    const { page } = desk;
    const row = (order: string) => page.locator('[data-key]').filter({ has: desk.link(order) });
    // Text that was selected with the pointer is not a click.
    await row(FIRST).getByText('2003 Honda Accord EX').selectText();
    await row(FIRST).getByText('2003 Honda Accord EX').dispatchEvent('click');
    await row(FIRST)
      .getByRole('button', { name: /^Status of RO/ })
      .click();
    await expect(desk.dialog(/^Change status of RO/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(desk.dialog(/^Change status of RO/)).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard\?q=98765$/);

    await page.evaluate(() => getSelection()?.removeAllRanges());
    await row(SECOND).getByText('Lovelace, Ada').click();
    await expect(detailsOn(screen, desk, SECOND)).toBeVisible();
  });
}

test('a box is ticked and the details stay closed', async ({ browser, dispatch }) => {
  const desk = await openShortList(browser, dispatch);
  await desk.tab('Unassigned').click();
  await desk.page.getByRole('checkbox', { name: `Select RO ${FIRST}` }).click();
  await expect(desk.page.getByText('1 RO(s) selected', { exact: true })).toBeVisible();
  await expect(desk.page).not.toHaveURL(/ro=/);
});

test('Back closes the details and leaves the tab and the search as they were chosen meanwhile', async ({
  browser,
  dispatch,
}) => {
  const desk = await openShortList(browser, dispatch);
  await desk.link(FIRST).click();
  await expect(desk.details(FIRST)).toBeVisible();
  await desk.tab('Drop').click();
  await desk.search('98765');
  await desk.search(SECOND);
  await expect(desk.details(FIRST)).toBeVisible();
  await desk.page.goBack();
  await expect(desk.details(FIRST)).toBeHidden();
  await expect(desk.tab('Drop')).toHaveAttribute('aria-selected', 'true');
  await expect(desk.page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue(SECOND);
  await desk.page.goForward();
  await expect(desk.details(FIRST)).toBeVisible();
  await expect(desk.tab('Drop')).toHaveAttribute('aria-selected', 'true');
  await button(desk.details(FIRST), 'Close').click();
  await expect(desk.details(FIRST)).toBeHidden();
  await expect(desk.page).toHaveURL(/tab=drop/);
  await expect(desk.page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue(SECOND);
});

test('beside the details the list stays in use, and each follows the other', async ({
  browser,
  dispatch,
}) => {
  const desk = await openShortList(browser, dispatch);
  const { page } = desk;
  const { keyboard } = page;
  await desk.row(FIRST).focus();
  await keyboard.press('Enter');
  await expect(desk.details(FIRST)).toBeVisible();
  await expect(page.getByText(`RO ${FIRST} is open, 1 of 3`, { exact: true })).toBeAttached();
  // The focus stays in the list, and the details follow it.
  await expect(desk.row(FIRST)).toBeFocused();
  await expect(desk.row(FIRST)).toHaveAttribute('aria-current', 'true');
  await keyboard.press('ArrowDown');
  await expect(desk.row(SECOND)).toBeFocused();
  await expect(desk.details(SECOND)).toBeVisible();
  await expect(desk.row(SECOND)).toHaveAttribute('aria-current', 'true');
  await expect(desk.row(FIRST)).not.toHaveAttribute('aria-current');

  // A second time it moves into them, where J and K go on through the list.
  await keyboard.press('Enter');
  await expect(desk.details(SECOND)).toBeFocused();
  await keyboard.press('j');
  await expect(desk.details(THIRD)).toBeFocused();
  await expect(desk.row(THIRD)).toHaveAttribute('aria-current', 'true');
  await expect(button(desk.details(THIRD), 'Next order')).toHaveAttribute('aria-disabled', 'true');
  await keyboard.press('j');
  await keyboard.press('k');
  await expect(desk.details(SECOND)).toBeFocused();
  await keyboard.press('p');
  await expect(desk.dialog(`Change priority of RO ${SECOND}`)).toBeVisible();
  await keyboard.press('Escape');
  await expect(desk.dialog(/^Change priority/)).toBeHidden();
  await expect(desk.details(SECOND)).toBeFocused();
  await keyboard.press('Escape');
  await expect(desk.details(SECOND)).toBeHidden();
  await expect(desk.row(SECOND)).toBeFocused();

  // The list is worked while they are open.
  await desk.link(FIRST).click();
  await desk.table.getByRole('button', { name: new RegExp(`^Status of RO ${THIRD}`) }).click();
  await page.getByRole('option', { name: 'PDI' }).click();
  await expect(desk.row(THIRD)).toContainText('PDI');
  await expect(desk.details(FIRST)).toBeVisible();
  await desk.link(THIRD).click();
  await expect(fact(desk.details(THIRD), 'Status')).toHaveText('PDI');
});

test('where there is no room beside the list the details cover it', async ({ browser, dispatch }) => {
  const desk = await openShortList(browser, dispatch, { screen: { width: 1365, height: 800 } });
  await desk.link(FIRST).click();
  await expect(desk.dialog(`Repair Order #${FIRST} Details`)).toBeVisible();
  await desk.page.setViewportSize({ width: 1366, height: 800 });
  await expect(desk.details(FIRST)).toBeVisible();
  await expect(desk.page.getByRole('dialog')).toHaveCount(0);
});

test('an order that leaves the list is followed by the one that took its place', async ({
  browser,
  dispatch,
}) => {
  const desk = await openShortList(browser, dispatch);
  await desk.tab('Drop').click();
  await desk.link(SECOND).click();
  const details = desk.details(SECOND);
  await button(details, new RegExp(`^Status of RO ${SECOND}`)).click();
  await desk.page.getByRole('option', { name: 'Used' }).click();
  await expect(fact(details, 'Status')).toHaveText('Used');
  await desk.page.keyboard.press('.');
  await expect(desk.link(SECOND)).toBeHidden();
  await expect(details).toBeVisible();
  await button(details, 'Next order').click();
  await expect(desk.details(THIRD)).toBeVisible();
});

test('a job is copied by itself', async ({ browser, dispatch }) => {
  const desk = await openShortList(browser, dispatch, {
    changes: {
      jobs: [
        { jobNumber: 1, concern: 'Rattles', operations: [{ operationCode: 'DIAG' }] },
        {
          jobNumber: 2,
          concern: 'Brakes squeal',
          operations: [{ operationCode: 'BRKF', operationDesciption: 'Front brakes' }],
          techStory: 'The pads were worn and have been replaced.',
        },
      ],
    },
  });
  await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.link(FIRST).click();
  await button(desk.details(FIRST), 'Copy job 2').click();
  await desk.says('Job 2 copied to clipboard');
  expect(await desk.page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      '2. BRKF Front brakes',
      'Concern: Brakes squeal',
      'Technician Story: The pads were worn and have been replaced.',
    ].join('\n'),
  );
});

test('a technician sees no control that is not theirs', async ({ browser, dispatch }) => {
  const desk = await openShortList(browser, dispatch, { email: 'tech@example.com' });
  await desk.link(FIRST).click();
  const details = desk.details(FIRST);
  await expect(fact(details, 'Technicians')).toHaveText('Unassigned');
  await expect(details.getByRole('button', { name: /^Status of RO/ })).toBeVisible();
  await expect(
    details.getByRole('button', { name: /^(Change priority of|Dispatch|Reassign|Add|Remove)/ }),
  ).toHaveCount(0);
  await details.focus();
  await desk.page.keyboard.press('p');
  await desk.page.keyboard.press('d');
  await expect(desk.page.getByRole('dialog')).toHaveCount(0);
});
