// The desk without a mouse: the focus is always visible somewhere.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { Desk, expect, OWNER, openDesk, PASSWORD, test } from './desk.ts';
import { orderFile } from './server-api.ts';

/** The focused element, and whether its focus is visible. */
async function expectFocusVisible(desk: Desk): Promise<void> {
  const problem = await desk.page.evaluate(async () => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return 'nothing has the focus';
    const drawn = (element: Element) => {
      const { outlineStyle, outlineWidth, boxShadow, backgroundColor } = getComputedStyle(element);
      return [outlineStyle === 'none' ? '' : outlineWidth, boxShadow, backgroundColor].join();
    };
    const nearby = () => [
      focused,
      ...focused.children,
      ...(focused.parentElement ? [focused.parentElement] : []),
    ];
    const look = () => nearby().map(drawn).join();
    // Nothing is half faded during the check.
    for (const element of nearby()) {
      if (element instanceof HTMLElement) element.style.setProperty('transition', 'none', 'important');
    }
    const withFocus = look();
    // A field shows the caret, a list its active option, and a dialog is itself visible.
    if (focused.matches('input, [role="listbox"], [role="dialog"]')) return 'seen';
    focused.blur();
    await new Promise(requestAnimationFrame);
    const without = look();
    focused.focus({ preventScroll: true });
    return withFocus === without ? `not to be seen at ${focused.outerHTML.slice(0, 200)}` : 'seen';
  });
  expect(problem).toBe('seen');
}

test('after signing in every order can be worked with the keyboard alone', async ({ page, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile(
      { repairOrderNumber: 987_651, customerStatus: 'Waiting' },
      { repairOrderNumber: 987_652, customerStatus: 'Waiting' },
      { repairOrderNumber: 987_653, customerStatus: 'Waiting' },
    ),
  );
  const { keyboard } = page;
  const desk = new Desk(page);
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const focused = page.locator(':focus');
  /** Presses Tab until the element has the focus. */
  const tabTo = async (name: string | RegExp, key = 'Tab') => {
    const wanted = page.locator(':focus').and(page.getByRole('button', { name }));
    for (let pressed = 0; pressed < 40 && (await wanted.count()) === 0; pressed++) {
      await keyboard.press(key);
      await expectFocusVisible(desk);
    }
    await expect(wanted).toHaveCount(1);
  };
  const row = (order: string) => desk.row(order);

  await page.goto(dispatch.url);
  await expect(page.getByLabel('Email')).toBeVisible();
  if (!(await page.getByLabel('Email').evaluate((field) => field === document.activeElement)))
    await press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await keyboard.type(OWNER);
  await press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await keyboard.type(PASSWORD);
  await press('Enter');
  await desk.isLive();
  await expect(desk.table).toBeVisible();

  // The rail: one Tab stop, arrows within.
  const onTab = page.locator('[role="tab"]:focus');
  for (let pressed = 0; pressed < 12 && (await onTab.count()) === 0; pressed++) await press('Tab');
  await expect(desk.tab('All')).toBeFocused();
  await expectFocusVisible(desk);
  for (const tab of ['Waiting', 'Drop', 'PDI', 'Used', 'Unassigned']) {
    await press('ArrowDown');
    await expect(desk.tab(tab)).toBeFocused();
    await expect(desk.tab(tab)).toHaveAttribute('aria-selected', 'true');
  }
  await expectFocusVisible(desk);
  await press('Home');
  await expect(desk.tab('All')).toHaveAttribute('aria-selected', 'true');

  // To search, and on into the list.
  await press('/');
  await expect(page.getByRole('textbox', { name: 'Search repair orders' })).toBeFocused();
  await keyboard.type('98765');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
  const onRow = page.locator('tr:focus');
  for (let pressed = 0; pressed < 30 && (await onRow.count()) === 0; pressed++) await press('Tab');
  await expect(row('987653')).toBeFocused();
  await expectFocusVisible(desk);
  await press('ArrowDown');
  await expect(row('987652')).toBeFocused();
  await expectFocusVisible(desk);
  await press('ArrowDown', 'ArrowUp', 'End');
  await expect(row('987651')).toBeFocused();
  await press('Home', 'j');
  await expect(row('987652')).toBeFocused();
  const order = '987652';

  await press('s');
  await expect(page.getByRole('combobox', { name: `Change status of RO ${order}` })).toBeFocused();
  await expectFocusVisible(desk);
  await press('ArrowDown', 'Enter');
  await expect(desk.status(order)).toHaveText('Drop');
  await expect(
    page.getByText('Status updated to Drop and priority set to Low', { exact: true }),
  ).toBeVisible();
  await expect(row(order)).toBeFocused();
  await press('z');
  await expect(desk.status(order)).toHaveText('Waiting');
  await expect(page.getByText('Change undone', { exact: true })).toBeVisible();
  await expect(desk.row(order).locator(':focus').or(page.locator('tr:focus'))).toHaveCount(1);

  /** A dialog by its key: what is typed in it, and what is said then. The focus comes back to the row. */
  const decide = async (key: string, title: RegExp, typed: string, message: string) => {
    await row(order).focus();
    await press(key);
    // A hand waits neither for the dialog nor for its list.
    await keyboard.type(typed);
    const dialog = desk.dialog(title);
    await expect(dialog).toBeVisible();
    // A picker marks the present value as selected, and names the option that Enter picks.
    const picked = dialog
      .locator('[aria-activedescendant]:focus')
      .or(dialog.getByRole('option', { selected: true }));
    await expect(picked.first()).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await expectFocusVisible(desk);
    await press('Enter');
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(desk.dialog(title)).toBeHidden();
    await expect(row(order)).toBeFocused();
    await expectFocusVisible(desk);
    await press('F8', 'Tab');
    await tabTo('Dismiss');
    await press('Enter');
    await expect(page.getByText(message, { exact: true })).toBeHidden();
  };
  await decide('p', /^Change priority of RO/, 'h', 'Priority updated to High');
  await decide('d', /^Technicians of RO/, 'bo li', 'Technician assigned successfully');
  await decide('r', /^Reassign Technician/, 'hank mu', 'Technician reassigned successfully');
  await decide('a', /^Add Technician/, 'bo li', 'Technician assigned successfully');
  await decide('u', /^Select Technician/, 'h', 'Technician unassigned successfully');
  await row(order).focus();
  await press('u');
  await expect(page.getByText('Technician unassigned successfully', { exact: true })).toBeVisible();
  await expect(row(order)).toContainText('Unassigned');
  await expect(row(order)).toBeFocused();
  await press('o');
  await expect(desk.details(order)).toBeVisible();
  await expectFocusVisible(desk);
  await press('Escape');
  await expect(desk.details(order)).toBeHidden();
  await expect(row(order)).toBeFocused();

  // Several together, by x and Space.
  await press('Shift+Tab');
  for (let pressed = 0; pressed < 30 && (await onTab.count()) === 0; pressed++) await press('Shift+Tab');
  await press('End');
  await expect(desk.tab('Unassigned')).toHaveAttribute('aria-selected', 'true');
  for (let pressed = 0; pressed < 40 && (await onRow.count()) === 0; pressed++) await press('Tab');
  await press('Home', 'x', 'ArrowDown', 'Space');
  await expect(page.getByText('2 RO(s) selected', { exact: true })).toBeVisible();
  // The next stop: a row is one, and its buttons are none.
  await press('Tab');
  await expect(page.getByRole('button', { name: 'Batch Dispatch' })).toBeFocused();
  await expectFocusVisible(desk);
  await press('Shift+Tab');
  await expect(onRow).toHaveCount(1);
  await press('d');
  await expect(desk.dialog('Batch Dispatch 2 ROs')).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Technician' })).toBeVisible();
  await expect(desk.dialog('Batch Dispatch 2 ROs').getByRole('button', { name: 'Dispatch' })).toBeFocused();
  await expectFocusVisible(desk);
  await keyboard.type('bo li');
  const technicians = page.getByRole('listbox', { name: 'Technician' });
  await expect(technicians.getByRole('option', { selected: true })).toBeVisible();
  await press('Enter');
  await expect(page.getByText('Technician assigned successfully', { exact: true })).toBeVisible();
  // The rows keep their place while the focus is on them.
  await press('.');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '2');
  await expect(focused).toHaveCount(1);
  await press('z');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
});

test('a button without words says what it is when the focus comes to it by keyboard', async ({
  browser,
  dispatch,
}) => {
  const { page, table } = await openDesk(browser, dispatch, OWNER);
  const shown = (button: Locator) => button.evaluate((one) => getComputedStyle(one, '::after').content);
  const views = page.getByRole('button', { name: 'Views', exact: true });
  await views.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(views).toBeFocused();
  expect(await shown(views)).toBe('"Views" / ""');
  // While its menu is open, the menu says what it is.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await shown(views)).toBe('none');
  await page.keyboard.press('Escape');
  await expect(views).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  // Of whichever row was the first then: another may have come above it.
  const copy = table.getByRole('button', { name: /^Copy VIN / }).and(page.locator(':focus'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(copy).toHaveCount(1);
  expect(await shown(copy)).toMatch(/^"Copy VIN \w+"/);
});

test('the controls above the list work by keyboard, and each returns the focus', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const { keyboard } = page;
  const at = (name: string) => page.getByRole('button', { name, exact: true });
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  await press('/');
  for (let n = 0; n < 6 && (await page.locator(':focus').and(at('Columns')).count()) === 0; n++)
    await press('Tab');
  await expect(at('Columns')).toBeFocused();
  await expectFocusVisible(desk);

  await press('Enter');
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await expect(columns).toBeVisible();
  const vehicle = columns.getByRole('checkbox', { name: 'Vehicle Info' });
  for (let n = 0; n < 6 && (await page.locator(':focus').and(vehicle).count()) === 0; n++) await press('Tab');
  await press('Space');
  await expect(desk.table.getByRole('columnheader', { name: 'Vehicle Info' })).toBeHidden();
  await press('Space');
  await expect(desk.table.getByRole('columnheader', { name: 'Vehicle Info' })).toBeVisible();
  for (
    let n = 0;
    n < 6 && (await page.locator(':focus').and(at('Move Vehicle Info back')).count()) === 0;
    n++
  )
    await press('Tab');
  await expectFocusVisible(desk);
  await press('Enter');
  await expect(desk.table.getByRole('columnheader').nth(2)).toHaveText('Vehicle Info');
  await expect(at('Move Vehicle Info back')).toBeFocused();
  await press('Escape');
  await expect(columns).toBeHidden();
  await expect(at('Columns')).toBeFocused();

  await press('Tab');
  await expect(page.getByRole('radio', { name: 'Comfortable rows' })).toBeFocused();
  await expectFocusVisible(desk);
  const dense = page.getByRole('radio', { name: 'Dense rows' });
  await press('ArrowRight');
  await expect(dense).toBeFocused();
  await press('Space');
  await expect(dense).toBeChecked();
  await expect(dense).toBeFocused();
  await press('Tab');
  await expect(at('Export as CSV')).toBeFocused();
  await expectFocusVisible(desk);
  const [file] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(
    (await desk.count('All')) + 1,
  );
  await expect(at('Export as CSV')).toBeFocused();

  // A column's head sorts.
  await press('Tab', 'Tab');
  await expect(page.locator('th :focus')).toHaveText('RO Details');
  await expectFocusVisible(desk);
  await press('Enter');
  const head = desk.table.getByRole('columnheader', { name: 'RO Details' });
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(head.getByRole('button')).toBeFocused();

  await press('?');
  const sheet = desk.dialog('Keyboard shortcuts');
  await expect(sheet.getByText('Change the priority')).toBeVisible();
  await expectFocusVisible(desk);
  await press('Escape');
  await expect(sheet).toBeHidden();
  await expect(head.getByRole('button')).toBeFocused();

  for (
    let n = 0;
    n < 40 && (await page.locator(':focus').and(at('Account, appearance and language')).count()) === 0;
    n++
  )
    await press('Shift+Tab');
  await expect(at('Account, appearance and language')).toBeFocused();
  await expectFocusVisible(desk);
  await press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  const dark = page.getByRole('menuitemradio', { name: 'Dark' });
  // Letters would work as well, but not on a machine that takes a second between two of them.
  for (let n = 0; n < 20 && (await page.locator(':focus').and(dark).count()) === 0; n++) {
    await press('ArrowDown');
    // Radix moves the focus by a timer; a key in between would act on the entry before.
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
  }
  await expect(dark).toBeFocused();
  await expectFocusVisible(desk);
  await press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(at('Account, appearance and language')).toBeFocused();
  await press('Tab');
  await expect(at('Sign out')).toBeFocused();
  await expectFocusVisible(desk);
  await press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});

test('the palette executes typed commands and explains those it refuses', async ({ browser, dispatch }) => {
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: 987_654 }));
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await desk.find('987654');
  const row = desk.row('987654');
  await row.focus();
  const runCommand = async (sentence: string, answer: string) => {
    await desk.command(sentence);
    await expect(page.getByText(answer, { exact: true })).toBeVisible();
    await expect(desk.dialog('Commands')).toBeHidden();
    await expect(row).toBeFocused();
  };
  await runCommand('987654 assign bo li', 'Technician assigned successfully');
  await expect(row).toContainText('Bo Li');
  await runCommand('987654 priority high', 'Priority updated to High');
  await runCommand('987654 status pdi', 'Status updated to PDI and priority set to Low');
  await runCommand('undo', 'Change undone');
  await expect(desk.status('987654')).toHaveText('Drop');
  await runCommand('987654 remove bo', 'Technician unassigned successfully');
  await runCommand('987654 status foo', 'Invalid status: foo');
  await runCommand('999999 status pdi', 'RO 999999 not found in current data');
  await runCommand('bo li 987654', 'Technician assigned successfully');
  await runCommand('medium 987654', 'Priority updated to Medium');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(desk.dialog('Commands')).toBeHidden();
  await expect(row).toBeFocused();
});
