// The commonest tasks by keys alone, from a desk on which nothing has the focus and at a row, and by clicks, and how many
// keys and clicks each takes: those that type a word count one by one, too.
import type { Locator, Page } from '@playwright/test';
import { type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

const ORDER = '987651';

/** Presses keys, clicks, and counts both. */
class Hands {
  private pressed = 0;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      this.pressed++;
    }
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.pressed += text.length;
  }

  async click(target: Locator, modifiers: readonly 'Shift'[] = []): Promise<void> {
    await target.click({ modifiers: [...modifiers] });
    this.pressed++;
  }

  /** A sentence in the palette; what it would do is read before Enter. */
  async command(text: string, offered: string): Promise<void> {
    await this.press('Control+k');
    await this.type(text);
    await expect(this.page.getByRole('option', { selected: true })).toContainText(offered);
    await this.press('Enter');
  }

  /** Since the last time it was asked. */
  count(): number {
    const count = this.pressed;
    this.pressed = 0;
    return count;
  }
}

async function says(desk: Desk, text: string): Promise<void> {
  await expect(desk.page.getByText(text, { exact: true })).toBeVisible();
  await desk.page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

test('the ten commonest tasks by keys alone', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile({ repairOrderNumber: 987_651, customer: 'HOPPER,GRACE', vehicleVIN: '1HGCM82633A009999' }),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const hands = new Hands(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

  await hands.command('7651 pdi', `Set RO ${ORDER} to PDI`);
  await says(desk, 'Status updated to PDI and priority set to Low');
  expect(hands.count(), 'status').toBe(10);

  await hands.command('7651 high', `Set priority of RO ${ORDER} to High`);
  await says(desk, 'Priority updated to High');
  expect(hands.count(), 'priority').toBe(11);

  await hands.command('bo li 7651', `Assign Bo Li to RO ${ORDER}`);
  await says(desk, 'Technician assigned successfully');
  expect(hands.count(), 'dispatch').toBe(12);

  await hands.command('7651 rea hank', `Reassign RO ${ORDER} from Bo Li to Hank Mueller`);
  await says(desk, 'Technician reassigned successfully');
  expect(hands.count(), 'reassign').toBe(15);

  await hands.command('7651 rem', `Remove Hank Mueller from RO ${ORDER}`);
  await says(desk, 'Technician unassigned successfully');
  expect(hands.count(), 'remove').toBe(10);

  await hands.press('z');
  await says(desk, 'Change undone');
  expect(hands.count(), 'undo').toBe(1);

  await hands.command('7651 vin', `Copy VIN of RO ${ORDER}`);
  await says(desk, 'VIN copied to clipboard');
  expect(hands.count(), 'copy a VIN').toBe(10);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1HGCM82633A009999');

  await hands.command('hopper', ORDER);
  await expect(desk.details(ORDER)).toContainText('Hopper, Grace');
  expect(hands.count(), 'find a customer').toBe(8);
  await page.keyboard.press('Escape');
  await expect(desk.details(ORDER)).toBeHidden();

  // Five of those nobody has: their tab, the first five of them, and who gets them.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const before = await desk.count('Unassigned');
  await hands.command('unas', 'Unassigned');
  await expect(desk.tab('Unassigned')).toHaveAttribute('aria-selected', 'true');
  await expect(desk.table).toHaveAttribute('aria-rowcount', String(before + 1));
  await hands.press('j', 'x', 'j', 'x', 'j', 'x', 'j', 'x', 'j', 'x', 'd');
  await hands.type('bo li');
  await expect(desk.dialog('Batch Dispatch 5 ROs')).toBeVisible();
  const technicians = page.getByRole('listbox', { name: 'Technician' });
  await expect(technicians.getByRole('option', { selected: true })).toContainText('Bo Li');
  await hands.press('Enter');
  await says(desk, 'Technician assigned successfully');
  expect(hands.count(), 'batch of five').toBe(23);
  await expect.poll(() => desk.count('Unassigned')).toBe(before - 5);

  await hands.command('invite', 'Invite somebody');
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  await hands.type('nina@example.com');
  await hands.press('Tab');
  await hands.type('Nina Nord');
  await hands.press('Enter');
  await expect(page.getByText(/^The invitation to nina@example\.com waits as a file in /)).toBeVisible();
  expect(hands.count(), 'invite somebody').toBe(35);
});

test('at a row a status and a priority are three keys away, a technician two, and a ticked batch of five two', async ({
  browser,
  dispatch,
}) => {
  const batch = [987_652, 987_653, 987_654, 987_655, 987_656];
  dispatch.importFile(
    'orders.json',
    orderFile(...[Number(ORDER), ...batch].map((repairOrderNumber) => ({ repairOrderNumber }))),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const hands = new Hands(page);
  await desk.find(ORDER);
  const row = desk.row(ORDER);

  await row.focus();
  await hands.press('s', 'u', 'Enter');
  await desk.says('Status updated to Used and priority set to Low');
  expect(hands.count(), 'status').toBe(3);

  await row.focus();
  await hands.press('p', 'h', 'Enter');
  await desk.says('Priority updated to High');
  expect(hands.count(), 'priority').toBe(3);

  await desk.openRanked(ORDER, async () => {
    await row.focus();
    hands.count();
    await hands.press('d');
  });
  const offers = desk.picker('Technicians of RO', ORDER).getByRole('group', { name: 'Best fit first' });
  await expect(offers.getByRole('option').first()).toHaveAttribute('data-active', 'true');
  await hands.press('Enter');
  await desk.says('Technician assigned successfully');
  expect(hands.count(), 'dispatch').toBe(2);

  await desk.tab('Unassigned').click();
  await desk.search('98765');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('5 RO(s) selected', { exact: true })).toBeVisible();
  await hands.press('d');
  // Each order has its proposal.
  const verb = desk.dialog('Batch Dispatch 5 ROs').getByRole('button', { name: 'Dispatch', exact: true });
  await expect(verb).toBeFocused();
  await hands.press('Enter');
  await desk.says('Technician assigned successfully');
  expect(hands.count(), 'batch of five').toBe(2);
  await expect(page.getByText('No repair orders found matching your criteria')).toBeVisible();
});

test('the ten commonest tasks by clicks', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const hands = new Hands(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

  const before = await desk.count('Unassigned');
  await hands.click(desk.tab('Unassigned'));
  await expect(desk.tab('Unassigned')).toHaveAttribute('aria-selected', 'true');
  await expect(desk.table).toHaveAttribute('aria-rowcount', String(before + 1));
  const boxes = page.getByRole('checkbox', { name: /^Select RO/ });
  await hands.click(boxes.nth(0));
  await hands.click(boxes.nth(4), ['Shift']);
  await hands.click(button('Batch Dispatch'));
  await hands.click(
    desk.dialog('Batch Dispatch 5 ROs').getByRole('button', { name: 'Dispatch', exact: true }),
  );
  await desk.says('Technician assigned successfully');
  expect(hands.count(), 'batch of five').toBe(5);
  await expect.poll(() => desk.count('Unassigned')).toBe(before - 5);

  dispatch.importFile(
    'orders.json',
    orderFile({ repairOrderNumber: 987_651, customer: 'HOPPER,GRACE', vehicleVIN: '1HGCM82633A009999' }),
  );
  await desk.tab('All').click();
  await hands.click(page.getByRole('textbox', { name: 'Search repair orders' }));
  await hands.type('hopper');
  await expect(desk.row(ORDER)).toContainText('Hopper, Grace');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '2');
  expect(hands.count(), 'find a customer').toBe(7);

  await hands.click(desk.status(ORDER));
  await hands.click(page.getByRole('option', { name: 'PDI', exact: true }));
  await desk.says('Status updated to PDI and priority set to Low');
  expect(hands.count(), 'status').toBe(2);

  await hands.click(button(new RegExp(`^Change priority of RO ${ORDER}:`)));
  await hands.click(page.getByRole('option', { name: 'High', exact: true }));
  await desk.says('Priority updated to High');
  expect(hands.count(), 'priority').toBe(2);

  await hands.click(desk.technicians(ORDER));
  await hands.click(desk.option(/^Bo Li/));
  await desk.says('Technician assigned successfully');
  expect(hands.count(), 'dispatch').toBe(2);

  await hands.click(button(`Reassign technician of RO ${ORDER}`));
  await hands.click(desk.option(/^Hank Mueller/));
  await hands.click(desk.dialog(/^Reassign/).getByRole('button', { name: 'Reassign', exact: true }));
  await desk.says('Technician reassigned successfully');
  expect(hands.count(), 'reassign').toBe(3);

  await hands.click(button(`Remove technician from RO ${ORDER}`));
  await expect(page.getByText('Technician unassigned successfully', { exact: true })).toBeVisible();
  expect(hands.count(), 'remove').toBe(1);

  await hands.click(button('Undo'));
  await desk.says('Change undone');
  expect(hands.count(), 'undo').toBe(1);

  await hands.click(desk.row(ORDER).getByRole('button', { name: /^Copy VIN/ }));
  await desk.says('VIN copied to clipboard');
  expect(hands.count(), 'copy a VIN').toBe(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1HGCM82633A009999');

  await hands.click(page.getByRole('link', { name: 'User Management' }));
  await hands.click(page.getByLabel('Email', { exact: true }));
  await hands.type('nina@example.com');
  await hands.click(page.getByLabel('Name', { exact: true }));
  await hands.type('Nina Nord');
  await hands.click(button('Send Invitation'));
  await expect(page.getByText(/^The invitation to nina@example\.com waits as a file in /)).toBeVisible();
  expect(hands.count(), 'invite somebody').toBe(29);
});
