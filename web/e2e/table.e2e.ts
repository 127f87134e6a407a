import { readFile } from 'node:fs/promises';
import { ADVISOR, type Desk, expect, OWNER, openDesk, test } from './desk.ts';

/** The orders on screen, from the top. */
async function visibleNumbers(desk: Desk): Promise<(string | null)[]> {
  const links = desk.table.getByRole('link', { name: /^Open repair order/ });
  return links.evaluateAll((all) => all.map((one) => one.textContent));
}

test('rows keep their place under a pointer, show their changes, and are sorted again when it leaves', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const before = await visibleNumbers(desk);
  const order = before[3] ?? '';
  await desk.row(before[1] ?? '').hover();

  await owner.search(order);
  await owner.pickStatus(order, 'PDI');
  await expect(desk.status(order)).toHaveText('PDI');
  expect(await visibleNumbers(desk)).toEqual(before);
  await expect(desk.page.getByText('Newer order is waiting')).toBeVisible();
  await expect(desk.page.getByText('1 moved', { exact: true })).toBeVisible();

  await desk.page.getByRole('textbox', { name: 'Search repair orders' }).hover();
  await expect.poll(() => visibleNumbers(desk)).not.toContain(order);
  await expect(desk.page.getByText('Newer order is waiting')).toBeHidden();
});

test('the desk works with the keyboard alone', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { keyboard } = desk.page;
  const orders = await visibleNumbers(desk);
  await desk.row(orders[0] ?? '').focus();
  await keyboard.press('j');
  await keyboard.press('ArrowDown');
  const third = desk.row(orders[2] ?? '');
  await expect(third).toBeFocused();

  await keyboard.press('o');
  const details = desk.details(orders[2] ?? '');
  await expect(details).toBeVisible();
  await keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(third).toBeFocused();

  await keyboard.press('s');
  await expect(desk.dialog(`Change status of RO ${orders[2]}`)).toBeVisible();
  await keyboard.press('Escape');
  await expect(third).toBeFocused();
  // The focused row stays, however far the list is scrolled.
  await third.hover();
  await desk.page.mouse.wheel(0, 10_000);
  await expect(third).not.toBeInViewport();
  await expect(third).toBeAttached();
  await keyboard.press('k');
  await expect(desk.row(orders[1] ?? '')).toBeFocused();
  await expect(desk.row(orders[1] ?? '')).toBeInViewport();
});

test('a copied link shows the same view, and the file has all of it', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.tab('Drop').click();
  await desk.page.getByRole('button', { name: 'Columns' }).click();
  await desk.page.getByRole('checkbox', { name: 'Vehicle Info' }).click();
  await desk.page.keyboard.press('Escape');
  // The button's tooltip would lie over the table's head.
  await desk.page.getByRole('textbox', { name: 'Search repair orders' }).focus();
  await desk.table.getByRole('columnheader', { name: 'Timeline' }).getByRole('button').click();
  await expect(desk.page).toHaveURL(/sort=timeline/);
  const there = desk.page.url();

  // Somebody else's choices do not count here.
  const { page, table } = await openDesk(browser, dispatch, OWNER);
  await page.goto(there);
  await expect(table.getByRole('columnheader', { name: 'Timeline' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(table.getByRole('columnheader', { name: 'Vehicle Info' })).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');

  const [file] = await Promise.all([
    desk.page.waitForEvent('download'),
    desk.page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^repair-orders-drop-\d{4}-\d\d-\d\d\.csv$/);
  const [head, first, ...others] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/^\uFEFF"RO number","Tag","Customer","Status",/);
  expect(first?.split(',')[0]).toBe(`"${(await visibleNumbers(desk))[0]}"`);
  expect(others).toHaveLength((await desk.count('Drop')) - 1);
});
