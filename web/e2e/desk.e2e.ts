import { ADVISOR, expect, openDesk, openSignedIn, test } from './desk.ts';

test('tabs filter and count, cards count what is shown', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const all = await desk.count('All');
  const byStatus = [];
  for (const tab of ['Waiting', 'Drop', 'PDI', 'Used']) {
    const count = await desk.count(tab);
    expect(count, tab).toBeGreaterThan(0);
    byStatus.push(count);
    await desk.tab(tab).click();
    await expect(desk.table).toHaveAttribute('aria-rowcount', String(count + 1));
    await expect(desk.page.getByRole('button', { name: /^Status of RO/ }).first()).toHaveText(tab);
  }
  // Every order has exactly one status.
  expect(byStatus.reduce((sum, count) => sum + count)).toBe(all);

  const unassigned = await desk.count('Unassigned');
  await desk.tab('Unassigned').click();
  await expect(desk.table).toHaveAttribute('aria-rowcount', String(unassigned + 1));
  await expect(desk.table.getByRole('row').nth(1)).toContainText('Unassigned');
});

test('at 1440x900 at least 14 rows are in sight, and the rest can be scrolled to', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const links = desk.page.getByRole('link', { name: /^Open repair order/ });
  const inSight = () =>
    links.evaluateAll(
      (all) => all.filter((one) => one.getBoundingClientRect().bottom < innerHeight - 16).length,
    );
  await expect.poll(inSight).toBeGreaterThanOrEqual(14);

  const last = await desk.count('All');
  await links.first().hover();
  await desk.page.mouse.wheel(0, 1_000_000);
  await expect(desk.table.locator(`[aria-rowindex="${last + 1}"]`)).toBeVisible();
  await expect(desk.table.getByRole('columnheader', { name: 'RO Details' })).toBeInViewport();
});

test('search finds an order by number, tag, VIN and customer, whatever the case', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const order = await desk.firstWith('Waiting');
  const cells = desk.row(order).getByRole('cell');
  const customer = (await cells.nth(0).innerText()).split('\n').at(-1) ?? '';
  const tag = await desk.table.getByTitle(/^Tag /).first().getAttribute('title');
  const vin = (await cells.nth(1).innerText()).split('\n')[1] ?? '';
  expect(customer).not.toBe('');
  expect(vin).toHaveLength(17);

  for (const text of [order, vin.toLowerCase(), customer.toUpperCase()]) {
    await desk.search('no such order');
    await expect(desk.page.getByText('No repair orders found matching your criteria')).toBeVisible();
    await desk.search(text);
    await expect(desk.row(order)).toBeVisible();
  }
  await desk.search((tag ?? '').replace('Tag ', '').toLowerCase());
  await expect(desk.table.getByTitle(tag ?? '', { exact: true }).first()).toBeVisible();
});

test('the number opens the details, and Escape closes them', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const order = await desk.firstWith('Waiting');
  await desk.link(order).click();
  const dialog = desk.details(order);
  await expect(dialog.getByText('Customer', { exact: true })).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await desk.wasNotReloaded();
});

test('the VIN is copied', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const order = await desk.firstWith('Waiting');
  const copy = desk.row(order).getByRole('button', { name: /^Copy VIN/ });
  const vin = ((await copy.getAttribute('aria-label')) ?? '').replace('Copy VIN ', '');
  await copy.click();
  await expect(desk.page.getByText('VIN copied to clipboard', { exact: true })).toBeVisible();
  expect(await desk.page.evaluate(() => navigator.clipboard.readText())).toBe(vin);
});

test('a status is changed with the keyboard alone', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const order = await desk.firstWith('Drop');
  await desk.search(order);
  await desk.status(order).focus();
  await desk.page.keyboard.press('Enter');
  await expect(desk.page.getByRole('combobox', { name: `Change status of RO ${order}` })).toBeFocused();
  await desk.page.keyboard.press('Tab');
  await desk.page.keyboard.press('Enter');
  await expect(
    desk.page.getByText('Status updated to PDI and priority set to Low', { exact: true }),
  ).toBeVisible();
  await expect(desk.status(order)).toHaveText('PDI');
});

test('on a phone with a scrolled list the menu of the fourth card opens and changes its status', async ({
  page,
  dispatch,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, dispatch, ADVISOR);
  await page.getByRole('tab', { name: 'Drop' }).click();
  const control = page.locator('[aria-posinset="4"]').getByRole('button', { name: /^Status of RO/ });
  await expect(control).toHaveText('Drop');
  const roNumber = /RO (\S+):/.exec((await control.getAttribute('aria-label')) ?? '')?.[1] ?? '';

  await control.click();
  const usedOption = page.getByRole('option', { name: 'Used' });
  await expect(usedOption).toBeInViewport();
  await usedOption.click();
  await expect(
    page.getByText('Status updated to Used and priority set to Low', { exact: true }),
  ).toBeVisible();
  await page.getByRole('tab', { name: 'All' }).click();
  await page.getByRole('textbox', { name: 'Search repair orders' }).fill(roNumber);
  await expect(page.getByRole('button', { name: `Status of RO ${roNumber}: Used` })).toBeVisible();
});
