// Several users edit one order at once.

import { ADVISOR, expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

test('a row and a dialog show who else has the order open until they close it', async ({
  browser,
  dispatch,
}) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) {
    await desk.hidePriority();
    await desk.search(order);
  }

  await owner.askPriority(order);
  await expect(advisor.row(order).getByRole('img', { name: 'Open at Olivia Owens' })).toBeVisible();
  await advisor.link(order).click();
  const details = advisor.details(order);
  await expect(details.getByText('Olivia Owens has this open, too')).toBeVisible();
  await expect(owner.dialog(/Update Priority/).getByText('Ada Visor has this open, too')).toBeVisible();

  await owner.page.keyboard.press('Escape');
  await expect(details.getByText('Olivia Owens has this open, too')).toBeHidden();
  await advisor.page.keyboard.press('Escape');
  await owner.page.close();
  await expect(advisor.row(order).getByRole('img', { name: /^Open at/ })).toBeHidden();
});

/** The demo orders' priorities depend on the hour. */
const lowDrop = { repairOrderNumber: 987_654, customerStatus: 'Drop', priorityName: 'Low' };

test('a change by somebody else under an open dialog is shown, and the user keeps or drops the choice', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', orderFile(lowDrop));
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = String(lowDrop.repairOrderNumber);
  await advisor.hidePriority();
  for (const desk of [advisor, owner]) await desk.search(order);

  // A draft exists when an update of the same field arrives.
  await advisor.askPriority(order);
  await advisor.option('High').click();
  await owner.act('Change priority of RO', order);
  await owner.option('Medium').click();
  await owner.says('Priority updated to Medium');

  const dialog = advisor.dialog(`Update Priority for RO ${order}`);
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText(`Olivia Owens changed RO ${order}`);
  await expect(notice).toContainText('→ Medium');
  await expect(advisor.option('High')).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByRole('button', { name: 'Update Priority' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Keep my choice' }).click();
  await dialog.getByRole('button', { name: 'Update Priority' }).click();
  await advisor.says('Priority updated to High');
  await expect(owner.row(order)).toContainText('High');

  // The other choice: the user takes the other value, and nothing is sent.
  await advisor.askPriority(order);
  await advisor.option('Low').click();
  await owner.act('Change priority of RO', order);
  await owner.option('Medium').click();
  await owner.says('Priority updated to Medium');
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect(advisor.option('Medium')).toHaveAttribute('aria-selected', 'true');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(owner.row(order)).toContainText('Medium');
});

test('a stale version that only the server noticed leads to the same question', async ({
  browser,
  dispatch,
  gateway,
}) => {
  dispatch.importFile('order.json', orderFile(lowDrop));
  const advisor = await openDesk(browser, gateway, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = String(lowDrop.repairOrderNumber);
  await advisor.hidePriority();
  for (const desk of [advisor, owner]) await desk.search(order);
  await advisor.askPriority(order);
  await advisor.option('High').click();
  gateway.cutStream();
  await owner.act('Change priority of RO', order);
  await owner.option('Medium').click();
  await owner.says('Priority updated to Medium');

  const dialog = advisor.dialog(`Update Priority for RO ${order}`);
  const refused = advisor.page.waitForResponse(/update-priority/);
  await dialog.getByRole('button', { name: 'Update Priority' }).click();
  expect((await refused).status()).toBe(409);
  await expect(dialog.getByRole('alert')).toContainText(`Olivia Owens changed RO ${order}`);
  await expect(advisor.option('High')).toHaveAttribute('aria-selected', 'true');
  await dialog.getByRole('button', { name: 'Keep my choice' }).click();
  await dialog.getByRole('button', { name: 'Update Priority' }).click();
  await expect(owner.row(order)).toContainText('High');
});

test('a status that somebody else set while the pick was on its way is shown, and the user can insist', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const advisor = await openDesk(browser, gateway, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) await desk.search(order);
  gateway.cutStream();
  await owner.pickStatus(order, 'Waiting');
  await owner.says('Status updated to Waiting and priority set to Waiting');

  const refused = advisor.page.waitForResponse(/update-status/);
  await advisor.pickStatus(order, 'PDI');
  expect((await refused).status()).toBe(409);
  const dialog = advisor.dialog(`Change status of RO ${order}`);
  await expect(dialog.getByRole('alert')).toContainText(`Olivia Owens changed RO ${order}`);
  await expect(dialog.getByRole('alert')).toContainText('Drop → Waiting');
  await expect(advisor.page.getByText('Failed to update status', { exact: true })).toHaveCount(0);
  // Behind a dialog nothing has a role.
  await expect(advisor.page.locator(`tr[data-key="${order}"]`)).toContainText('Waiting');
  await dialog.getByRole('button', { name: 'Keep my choice' }).click();
  await dialog.getByRole('button', { name: 'Set PDI' }).click();
  await advisor.says('Status updated to PDI and priority set to Low');
  await expect(owner.status(order)).toHaveText('PDI');
});

test('other changes of the order neither discard nor block a draft', async ({ browser, dispatch }) => {
  const owner = await openDesk(browser, dispatch, OWNER);
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const order = await owner.firstWith('Unassigned');
  for (const desk of [owner, advisor]) await desk.search(order);
  await owner.act('Dispatch RO', order);
  await owner.option(/^Mike Kowalczyk/).click();
  await advisor.pickStatus(order, 'PDI');
  await advisor.says('Status updated to PDI and priority set to Low');
  await expect(owner.dialog(/Dispatch RO/).getByText(`Ada Visor changed RO ${order}`)).toBeVisible();
  await expect(owner.option(/^Mike Kowalczyk/)).toHaveAttribute('aria-selected', 'true');
  await owner.page.keyboard.press('Enter');
  await owner.says('Technician assigned successfully');
  await expect(advisor.row(order)).toContainText('Mike Kowalczyk');
});

test('a change is undone from its toast, on every screen, unless somebody has touched the field since', async ({
  browser,
  dispatch,
}) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) await desk.search(order);

  // The toast stays while the pointer is on it, however long the other screen takes here.
  const undo = advisor.page.getByRole('button', { name: 'Undo' });
  await advisor.pickStatus(order, 'Used');
  await undo.hover();
  await expect(owner.status(order)).toHaveText('Used');
  await undo.click();
  await advisor.says('Change undone');
  await expect(owner.status(order)).toHaveText('Drop');

  await advisor.pickStatus(order, 'PDI');
  await undo.hover();
  await expect(owner.status(order)).toHaveText('PDI');
  await owner.pickStatus(order, 'Waiting');
  await expect(advisor.status(order)).toHaveText('Waiting');
  await undo.click();
  await advisor.says('The change could not be undone');
  await expect(advisor.status(order)).toHaveText('Waiting');

  // Its history has both, and the owner may take back what the advisor's is not.
  await owner.link(order).click();
  const history = owner.page.getByRole('region', { name: 'History' });
  await expect(history.getByText('Ada Visor').first()).toBeVisible();
  // The owner's change set the priority, too: while that entry comes, the one below it moves away from the pointer.
  await history.getByRole('button', { name: 'Undo this change: Priority' }).click();
  await owner.says('Change undone');
  await expect(advisor.status(order)).toHaveText('PDI');
});
