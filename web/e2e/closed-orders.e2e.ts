// Finding orders that are closed: below the desk's list, by keys alone, on a phone, and in the command palette.
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import { ADVISOR, expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { orderFile } from './server-api.ts';

const CLOSED = 25;
const FIRST = 987_600;

/** Cars whose words nobody else in the shop has: one is open, the others are closed. */
function importCars(dispatch: Dispatch): void {
  const cars = Array.from({ length: CLOSED + 1 }, (_, at) => ({
    repairOrderNumber: FIRST + at,
    customer: at === CLOSED ? 'QUILLFEATHER,TED' : 'QUILLFEATHER,ANA',
    vehicle: '1989 Zastava Yugo',
  }));
  dispatch.importFile('cars.json', orderFile(...cars));
  const closed = cars.slice(0, CLOSED).map(({ repairOrderNumber }) => `${repairOrderNumber},Closed`);
  dispatch.importFile('closed.csv', ['number,status', ...closed].join('\n'));
}

const section = (page: Page) => page.getByRole('region', { name: 'Closed orders' });
const closedRow = (page: Page, roNumber: number) =>
  section(page).getByRole('link', { name: new RegExp(`^${roNumber} `) });

test('a closed order is found below the open ones and opens its details, which change nothing', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(section(page)).toHaveCount(0);
  await desk.search('zastava ana');
  await expect(section(page).getByText('25 found', { exact: true })).toBeVisible();
  await desk.search('zastava');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '2');
  await expect(section(page).getByRole('link')).toHaveCount(CLOSED);
  await expectAccessible(page, 'closed orders');

  await closedRow(page, FIRST + 3).click();
  const details = desk.details(String(FIRST + 3));
  await expect(details.getByText(/^Closed /).first()).toBeVisible();
  await expect(details.getByText('Quillfeather, Ana', { exact: true })).toBeVisible();
  await expect(
    details.getByRole('button', { name: /^(Status of|Change priority|Dispatch|Add)/ }),
  ).toHaveCount(0);
  await expect(closedRow(page, FIRST + 3)).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(details).toHaveCount(0);

  await desk.search('no such order');
  await expect(section(page).getByText('No closed order matches', { exact: true })).toBeVisible();
  await desk.search('');
  await expect(section(page)).toHaveCount(0);
});

test('by keys alone: from the last open order to the closed ones, into one and back', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('/');
  await page.keyboard.type('zastava');
  await expect(section(page).getByRole('link')).toHaveCount(CLOSED);
  await page.keyboard.press('ArrowDown');
  await expect(desk.table.locator(`[data-key="${FIRST + CLOSED}"]`)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const first = section(page).getByRole('link').first();
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(desk.table.locator(`[data-key="${FIRST + CLOSED}"]`)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const second = section(page).getByRole('link').nth(1);
  await expect(second).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^Repair Order #\d+ Details$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: /^Repair Order #\d+ Details$/ })).toHaveCount(0);
  await expect(second).toBeFocused();

  // Nobody waits for the closed orders: Enter goes there as soon as they are.
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(String(FIRST + 7));
  await page.keyboard.press('Enter');
  await expect(closedRow(page, FIRST + 7)).toBeFocused();
});

test('a search that fails leaves the open orders alone and is tried again', async ({ browser, dispatch }) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  await page.route('**/api/repair-orders/search?*', (route) =>
    route.fulfill({ status: 400, json: { ok: false, code: 'invalid-request', error: 'not today' } }),
  );
  await desk.search('zastava');
  await expect(section(page).getByRole('alert')).toContainText('Closed orders could not be searched');
  await expect(desk.row(String(FIRST + CLOSED))).toBeVisible();
  await page.unroute('**/api/repair-orders/search?*');
  await section(page).getByRole('button', { name: 'Try again' }).click();
  await expect(closedRow(page, FIRST)).toBeVisible();
});

test('the palette finds closed orders behind the open ones', async ({ browser, dispatch }) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('quillfeather');
  const options = page.getByRole('option');
  await expect(options.filter({ hasText: 'Closed order' })).toHaveCount(8);
  await expect(options.first()).toContainText(String(FIRST + CLOSED));
  await page.getByRole('combobox').fill(String(FIRST + 5));
  await expect(options.filter({ hasText: 'Closed order' })).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(desk.details(String(FIRST + 5))).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('closed orders unfold below the cards', async ({ page, dispatch }) => {
    importCars(dispatch);
    await openSignedIn(page, dispatch, OWNER);
    await page.getByRole('textbox', { name: 'Search repair orders' }).fill('zastava');
    await expect(section(page).getByText('25 found', { exact: true })).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(section(page).getByRole('link')).toHaveCount(0);
    await section(page).getByRole('button', { name: 'Show closed orders' }).tap();
    await expect(section(page).getByRole('link')).toHaveCount(CLOSED);
    await expectAccessible(page, 'closed orders on a phone');
    await expectThumbSized(page);
    await closedRow(page, FIRST + CLOSED - 1).tap();
    await expect(
      page.getByRole('dialog', { name: `Repair Order #${FIRST + CLOSED - 1} Details` }),
    ).toBeVisible();
  });
});
