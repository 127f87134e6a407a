// Intake keys: an owner makes one, a program brings an order in with it, and is refused once it is revoked.
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { Desk, expect, goToScreen, OWNER, openSignedIn, test } from './desk.ts';

const ORDER = 987_652;

test('a key made on the screen brings an order to the desk until it is revoked', async ({
  page,
  request,
  dispatch,
}) => {
  const desk = new Desk(page);
  await openSignedIn(page, dispatch, OWNER, '/users');
  await page.getByRole('button', { name: 'Intake keys' }).click();
  const sheet = page.getByRole('dialog', { name: 'Intake keys' });
  await expect(sheet).toContainText('No program has a key yet.');
  await sheet.getByLabel('Program').fill('Nightly export');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('button', { name: 'Copy key' })).toBeFocused();
  await expect(sheet).toContainText('it will not be shown again');
  const key = await sheet.getByLabel('Key', { exact: true }).inputValue();
  await expect(sheet.locator('pre')).toContainText(`curl ${dispatch.url}/api/intake/repair-orders`);
  await expectAccessibleInBothThemes(page, 'a new intake key');
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(sheet).not.toContainText(key);
  const keys = sheet.getByRole('list', { name: 'Keys in use' });
  await expect(keys).toContainText(`by ${OWNER}`);
  await expect(keys).toContainText('Never used');
  await page.keyboard.press('Escape');

  const send = () =>
    request.post(`${dispatch.url}/api/intake/repair-orders`, {
      headers: { authorization: `Bearer ${key}` },
      data: { repairOrderNumber: ORDER, customer: 'Ann Miller' },
    });
  const taken = await send();
  expect(taken.status()).toBe(200);
  expect((await taken.json()).result.created).toBe(1);
  await goToScreen(page, 'Repair orders');
  await desk.find(String(ORDER));
  await expect(page.getByRole('row').filter({ hasText: String(ORDER) })).toContainText('Ann Miller');

  await goToScreen(page, 'User Management');
  await page.getByRole('button', { name: 'Intake keys' }).click();
  await expect(keys).toContainText('Last used');
  await sheet.getByRole('button', { name: 'Revoke the key of Nightly export' }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke the key of Nightly export?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(sheet).toContainText('No program has a key yet.');
  expect((await send()).status()).toBe(401);
});

test('on a phone the sheet has the width of the page', async ({ page, dispatch }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, dispatch, OWNER, '/users');
  await page.getByRole('button', { name: 'Intake keys' }).click();
  const sheet = page.getByRole('dialog', { name: 'Intake keys' });
  await sheet.getByLabel('Program').fill('A program with a long name for a narrow page');
  await sheet.getByRole('button', { name: 'Make key' }).click();
  await expect(sheet.getByLabel('Key', { exact: true })).toHaveValue(/^dk_/);
  expect(await sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  await expectAccessibleInBothThemes(page, 'a new intake key on a phone');
});
