// The audit trail: an owner finds a refused sign-in and a change of roles, takes the file, and nobody else gets there.
import { readFileSync } from 'node:fs';
import { expectAccessibleInBothThemes, expectThumbSized } from './accessibility.ts';
import { ADVISOR, expect, fillSignIn, goToScreen, OWNER, openDesk, PASSWORD, test } from './desk.ts';
import { Api } from './server-api.ts';

const ADMIN = 'admin@example.com';

test('an owner reads refused sign-ins and role changes, and downloads the trail as a file', async ({
  browser,
  dispatch,
}) => {
  const stranger = await browser.newPage();
  await stranger.goto(dispatch.url);
  await fillSignIn(stranger, ADMIN, 'not the password');
  await expect(stranger.getByRole('alert')).not.toBeEmpty();

  const { page } = await openDesk(browser, dispatch, OWNER);
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PATCH', `/api/users/${ADVISOR}`, { roles: ['Advisor', 'Used'] });
  await goToScreen(page, 'Audit');
  await expect(page).toHaveURL(/\/audit$/);
  const row = (text: RegExp) => page.getByRole('row', { name: text });
  await expect(row(/Sign-in · wrong password admin@example\.com/)).toBeVisible();
  await expect(row(/Roles changed owner@example\.com advisor@example\.com/)).toBeVisible();

  await page.getByLabel('Event', { exact: true }).selectOption('Roles changed');
  await expect(page).toHaveURL(/\?kind=roles-changed$/);
  await expect(row(/Sign-in/)).toHaveCount(0);
  await expect(row(/Roles changed/)).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(3);
  expect(file).toContain('"roles-changed","done","","127.0.0.1","person","owner@example.com"');

  await page.getByRole('textbox', { name: 'Email, name or address' }).fill('nobody@');
  await expect(page.getByText('No matching events')).toBeVisible();
  await page.getByRole('button', { name: 'Show all events' }).click();
  await expect(row(/Audit trail downloaded owner@example\.com Roles changed/)).toBeVisible();
});

test('an admin is redirected to the desk', async ({ browser, dispatch }) => {
  const { page } = await openDesk(browser, dispatch, ADMIN);
  await expect(page.getByRole('link', { name: 'Audit' })).toHaveCount(0);
  await page.goto(`${dispatch.url}/audit`);
  await expect(page).toHaveURL(/\/dashboard/);
});

test('no accessibility rule is broken on a wide screen, a tablet and a phone', async ({
  browser,
  dispatch,
}) => {
  for (const width of [1440, 1024, 390]) {
    const isPhone = width === 390;
    const context = await browser.newContext({
      viewport: { width, height: isPhone ? 844 : 900 },
      ...(isPhone && { hasTouch: true, isMobile: true }),
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(dispatch.url);
    await fillSignIn(page, OWNER, 'not the password');
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await fillSignIn(page, OWNER, PASSWORD);
    await goToScreen(page, 'Audit');
    await expect(page.getByText('wrong password').first()).toBeVisible();
    await expectAccessibleInBothThemes(page, `audit, ${width} px`);
    if (isPhone) await expectThumbSized(page);
    await page.getByRole('textbox', { name: 'Email, name or address' }).fill('nobody@');
    await expect(page.getByText('No matching events')).toBeVisible();
    await expectAccessibleInBothThemes(page, `audit, nothing found, ${width} px`);
    await context.close();
  }
});
