// The commonest tasks by keys alone, from a desk on which nothing has the focus, and how many keys each takes: those that
// type a word count one by one, too.
import type { Page } from '@playwright/test';
import { type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

const ORDER = '987651';

/** Presses keys and counts them. */
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
  await expect(page.getByText('Invitation to nina@example.com is on its way', { exact: true })).toBeVisible();
  expect(hands.count(), 'invite somebody').toBe(35);
});
