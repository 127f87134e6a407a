// The tray of one's last changes: undoing after the toast is gone.
import { ADVISOR, expect, OWNER, openDesk, test } from './desk.ts';

test('a change is undone from the tray after its toast, and a covered one says why not', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const order = await desk.firstWith('Drop');
  await desk.search(order);
  await desk.pickStatus(order, 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.pickStatus(order, 'PDI');
  await desk.says('Status updated to PDI and priority set to Low');

  await page.getByRole('button', { name: 'Your last changes' }).click();
  const tray = page.getByRole('dialog', { name: 'Your last changes' });
  const changes = tray.getByRole('listitem');
  await expect(changes).toHaveCount(2);
  await expect(changes.nth(0)).toContainText('Status: Used → PDI');
  await expect(changes.nth(1)).toContainText('Status: Drop → Used');
  await expect(changes.nth(1)).toContainText('Status changed since: PDI');
  await expect(changes.nth(1).getByRole('button')).toHaveCount(0);
  await changes
    .nth(0)
    .getByRole('button', { name: `Undo: RO ${order}` })
    .click();
  await expect(changes.nth(0)).toContainText('Undone');
  await expect(desk.status(order)).toHaveText('Used');
  await desk.says('Change undone');
});

test('Shift-Z opens the tray where one is, and Escape returns there', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const order = await desk.firstWith('Unassigned');
  await desk.search(order);
  await desk.row(order).focus();
  await page.keyboard.press('Shift+Z');
  const tray = page.getByRole('dialog', { name: 'Your last changes' });
  await expect(tray).toContainText('You have changed nothing since this page was opened.');
  await page.keyboard.press('Escape');
  await expect(tray).toBeHidden();
  await expect(desk.row(order)).toBeFocused();

  await desk.act('Dispatch RO', order);
  await desk.option(/^Bo Li/).click();
  await page.keyboard.press('Enter');
  // The toast names whom and which.
  await expect(page.getByText(`Bo Li · RO ${order}`, { exact: true })).toBeVisible();
  await desk.says('Technician assigned successfully');
  await desk.row(order).focus();
  await page.keyboard.press('Shift+Z');
  await expect(tray.getByRole('listitem')).toContainText('Technicians: Unassigned → Bo Li');
  await page.keyboard.press('Enter');
  await expect(tray.getByRole('listitem')).toContainText('Undone');
  await page.keyboard.press('Escape');
  await expect(desk.row(order)).toContainText('Unassigned');
});

test('somebody else’s change of the same field is the reason in the tray', async ({ browser, dispatch }) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) await desk.search(order);
  await advisor.pickStatus(order, 'Used');
  await advisor.says('Status updated to Used and priority set to Low');
  await expect(owner.status(order)).toHaveText('Used');
  await owner.pickStatus(order, 'PDI');
  await expect(advisor.status(order)).toHaveText('PDI');
  await advisor.page.getByRole('button', { name: 'Your last changes' }).click();
  const change = advisor.page
    .getByRole('dialog', { name: 'Your last changes' })
    .getByRole('listitem')
    .first();
  await expect(change).toContainText('Status changed since: PDI');
  await expect(change.getByRole('button')).toHaveCount(0);
});

test('the history says what was displayed before a change, not “nothing”', async ({ browser, dispatch }) => {
  dispatch.importFile('one.csv', 'number,customer,status\n987654,LOVELACE,Drop\n');
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.search('987654');
  await desk.pickStatus('987654', 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.act('Dispatch RO', '987654');
  await desk.option(/^Bo Li/).click();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  await desk.link('987654').click();
  const history = desk.page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Status: Drop → Used');
  await expect(history).toContainText('Technician: Unassigned → Bo Li');
  await expect(history).not.toContainText('nothing');
});
