// What somebody sees first: what they chose on any screen, what their role starts with, and the way to the other screens.
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import {
  ADVISOR,
  type Desk,
  expect,
  fillSignIn,
  goToScreen,
  OWNER,
  openDesk,
  openSignedIn,
  PASSWORD,
  signInByApi,
  test,
} from './desk.ts';

const USED = 'used@example.com';
const TECHNICIAN = 'tech@example.com';

const isSelected = (desk: Desk, tab: string) =>
  expect(desk.tab(tab)).toHaveAttribute('aria-selected', 'true');
const columnHead = (desk: Desk, name: string) => desk.table.getByRole('columnheader', { name });

/** The server has what was chosen. */
async function isRemembered(page: Page, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse(
    (response) =>
      response.request().method() === 'PUT' &&
      response.url().endsWith('/api/me/preferences') &&
      response.ok(),
  );
  await act();
  await answer;
}

async function signIn(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  await fillSignIn(page, email, PASSWORD);
}

test('tab, sorting, columns and row height follow to another browser, and an address wins', async ({
  browser,
  dispatch,
}) => {
  const first = await openDesk(browser, dispatch, ADVISOR);
  const { page } = first;
  await isRemembered(page, () => first.tab('Drop').click());
  await isRemembered(page, () => page.getByRole('radio', { name: 'Dense rows' }).click());
  await isRemembered(page, () => columnHead(first, 'Timeline').getByRole('button').click());
  await page.getByRole('button', { name: 'Columns' }).click();
  await isRemembered(page, () => page.getByRole('checkbox', { name: 'Vehicle Info' }).click());

  const second = await openDesk(browser, dispatch, ADVISOR);
  await isSelected(second, 'Drop');
  await expect(columnHead(second, 'Timeline')).toHaveAttribute('aria-sort', 'ascending');
  await expect(columnHead(second, 'Vehicle Info')).toBeHidden();
  await expect(second.page.getByRole('radio', { name: 'Dense rows' })).toBeChecked();
  await expect(second.page).toHaveURL(/tab=drop/);

  await second.page.goto(`${dispatch.url}/dashboard?tab=pdi`);
  await isSelected(second, 'PDI');
  await goToScreen(second.page, 'Technician Dashboard');
  await expect(second.page).toHaveURL(/\/technicians$/);
  await goToScreen(second.page, 'Repair orders');
  await isSelected(second, 'Drop');
  await second.page.goBack();
  await second.page.goBack();
  await isSelected(second, 'PDI');

  // Nobody else sees any of it.
  const other = await openDesk(browser, dispatch, OWNER);
  await isSelected(other, 'All');
  await expect(columnHead(other, 'Vehicle Info')).toBeVisible();
});

test('the last of several tabs wins, a search that is being typed stays, and a reload shows the same', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.tab('All').focus();
  for (const tab of ['Waiting', 'Drop', 'PDI', 'Used']) {
    await desk.page.keyboard.press('ArrowDown');
    await expect(desk.tab(tab)).toBeFocused();
  }
  await isSelected(desk, 'Used');
  await desk.type('a');
  await desk.tab('Waiting').click();
  await desk.tab('PDI').click();
  await isSelected(desk, 'PDI');
  await desk.page.waitForURL(
    ({ searchParams }) => searchParams.get('q') === 'a' && searchParams.get('tab') === 'pdi',
  );
  await desk.page.reload();
  await isSelected(desk, 'PDI');
  await expect(desk.page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue('a');
});

test('a choice that the server did not hear of is sent later', async ({ browser, gateway }) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  await desk.page.route('**/api/me/preferences', (route) => route.abort());
  await desk.tab('Used').click();
  await isSelected(desk, 'Used');
  await desk.page.unroute('**/api/me/preferences');
  await isRemembered(desk.page, () => desk.page.goto(`${gateway.url}/dashboard`).then(() => undefined));
  await isSelected(desk, 'Used');
});

test('who is only Used starts on Used', async ({ page, dispatch }) => {
  await signIn(page, dispatch.url, USED);
  await expect(page.getByRole('tab', { name: 'Used' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/\/dashboard\?tab=used$/);
});

test('who is only a Technician starts on their portal, unless they asked for another address', async ({
  page,
  browser,
  dispatch,
}) => {
  await signIn(page, dispatch.url, TECHNICIAN);
  await expect(page.getByRole('region', { name: 'Job clock' })).toBeVisible();
  await expect(page).toHaveURL(/\/technicians\/\d+$/);
  await page.goto(`${dispatch.url}/login`);
  await expect(page.getByRole('region', { name: 'Job clock' })).toBeVisible();
  await goToScreen(page, 'Repair orders');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('link', { name: 'Dispatch home' }).click();
  await expect(page.getByRole('region', { name: 'Job clock' })).toBeVisible();

  const context = await browser.newContext();
  const asked = await context.newPage();
  await signIn(asked, `${dispatch.url}/dashboard?tab=drop`, TECHNICIAN);
  await expect(asked.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');
});

test('the start keeps the query of its address', async ({ page, dispatch }) => {
  await signIn(page, `${dispatch.url}/?tab=pdi&q=98`, ADVISOR);
  await expect(page.getByRole('tab', { name: 'PDI' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue('98');
});

test('the screens have words where there is room, and the current one is marked', async ({
  page,
  dispatch,
}) => {
  await openSignedIn(page, dispatch, OWNER);
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  await page.setViewportSize({ width: 1680, height: 900 });
  await expect(links).toHaveText([
    'Repair orders',
    'Technician Dashboard',
    'User Management',
    'Technician Management',
    'Boards',
    'Audit',
  ]);
  await expect(links.first()).toHaveAttribute('aria-current', 'page');
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(links.last()).toHaveText('');
  await expect(links.first()).toHaveText('Repair orders');
  await expect(links.last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1680, height: 900 });
  await expect(links.first()).toHaveText('Repair orders');
});

for (const [language, current] of [
  ['en', 'Repair orders'],
  ['de', 'Aufträge'],
  ['es', 'Órdenes de reparación'],
] as const) {
  test(`an owner at 1440 px reads where they are and most of the other screens' words, in ${language}`, async ({
    page,
    dispatch,
  }) => {
    await page.addInitScript((chosen) => localStorage.setItem('dispatch.language', chosen), language);
    await signInByApi(page.context(), dispatch, OWNER);
    const links = page.locator('header nav a');
    for (const screen of ['/dashboard', '/audit']) {
      await page.goto(dispatch.url + screen);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(links).toHaveCount(6);
      await expect(page.locator('header nav a[aria-current=page]')).not.toHaveText('');
      // No word pushes a link out of sight.
      await expect(links.last()).toBeInViewport({ ratio: 1 });
      const words = (await links.allTextContents()).filter((word) => word !== '');
      expect(words.length).toBeGreaterThanOrEqual(4);
      if (screen === '/dashboard') expect(words[0]).toBe(current);
    }
  });
}

test('a view is saved, shared, opened by somebody else by menu, link and palette, and deleted', async ({
  browser,
  dispatch,
}) => {
  const author = await openDesk(browser, dispatch, ADVISOR);
  const { page } = author;
  await author.tab('PDI').click();
  await columnHead(author, 'Timeline').getByRole('button').click();
  await author.search('a');
  await expect(page).toHaveURL(/[?&]q=a(&|$)/);
  const viewsButton = (desk: Desk) => desk.page.getByRole('button', { name: 'Views', exact: true });
  const manage = async (desk: Desk) => {
    await viewsButton(desk).click();
    await desk.page.getByRole('menuitem', { name: 'Save or change views...' }).click();
    await expect(desk.dialog('Views')).toBeVisible();
  };
  await manage(author);
  const sheet = author.dialog('Views');
  const button = (name: string) => sheet.getByRole('button', { name, exact: true });
  await sheet.getByLabel('Name of the view on screen').fill('Morning');
  await button('Save').click();
  await author.says('Morning is saved');
  // The same name again is refused, and says why.
  await sheet.getByLabel('Name of the view on screen').fill('morning');
  await button('Save').click();
  await author.says('You have a view of that name already.');
  await button('Rename Morning').click();
  await sheet.getByLabel('New name of Morning').fill('Morning round');
  await sheet.getByRole('listitem').getByRole('button', { name: 'Save' }).click();
  await author.says('Morning round is saved');
  await button('Share Morning round with everybody').click();
  await expect(sheet.getByText('Shared with everybody')).toBeVisible();
  await expectAccessible(page, 'the sheet of views');
  const address = await sheet.getByRole('link', { name: 'Morning round' }).getAttribute('href');

  const reader = await openDesk(browser, dispatch, OWNER);
  await viewsButton(reader).click();
  const shared = reader.page.getByRole('menuitem', { name: 'Morning round' });
  await expect(shared).toContainText(/\w+/);
  await expectAccessible(reader.page, 'the menu of views');
  await isRemembered(reader.page, () => shared.click());
  const isShown = async () => {
    await isSelected(reader, 'PDI');
    await expect(columnHead(reader, 'Timeline')).toHaveAttribute('aria-sort', 'ascending');
    await expect(reader.page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue('a');
  };
  await isShown();
  // To open it was to choose it.
  await reader.page.goto(`${dispatch.url}/dashboard`);
  await isSelected(reader, 'PDI');
  await expect(columnHead(reader, 'Timeline')).toHaveAttribute('aria-sort', 'ascending');
  await reader.page.goto(`${dispatch.url}/dashboard?tab=all`);
  await isSelected(reader, 'All');
  await reader.command('view morn');
  await isShown();
  await reader.page.goto(dispatch.url + address);
  await isShown();

  // What is on screen now takes the saved view's place.
  await page.keyboard.press('Escape');
  await author.tab('Drop').click();
  await isSelected(author, 'Drop');
  await manage(author);
  await button('Replace Morning round with the view on screen').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
  await expect(page.getByText('Morning round is replaced', { exact: true })).toBeVisible();
  await expect(sheet.getByRole('link', { name: 'Morning round' })).toHaveAttribute('href', /tab=drop/);

  await button('Delete Morning round').click();
  const question = page.getByRole('alertdialog', { name: 'Delete the view Morning round?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(sheet.getByRole('link', { name: 'Morning round' })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('every screen is in a menu, and nothing of the bar is out of sight', async ({ page, dispatch }) => {
    await openSignedIn(page, dispatch, OWNER);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    const bar = page.getByRole('banner');
    for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
      await expect(control).toBeInViewport({ ratio: 1 });
    }
    await page.getByRole('button', { name: 'Orders, other screens' }).tap();
    const items = page.getByRole('menuitem');
    await expect(items).toHaveText([
      'Repair orders',
      'Technician Dashboard',
      'User Management',
      'Technician Management',
      'Boards',
      'Audit',
    ]);
    for (const item of await items.all()) await expect(item).toBeInViewport({ ratio: 1 });
    await expect(items.first()).toHaveAttribute('aria-current', 'page');
    await expectAccessible(page, 'the menu of screens');
    await expectThumbSized(page);
    await items.filter({ hasText: 'Boards' }).tap();
    await expect(page).toHaveURL(/\/boards$/);
    await expect(page.getByRole('button', { name: 'Boards, other screens' })).toBeVisible();
  });
});
