// Whoever is signed out without having chosen it reads why, and goes on where they were after the next sign-in.
import type { Page } from '@playwright/test';
import { ADVISOR, expect, fillSignIn, OWNER, openDesk, PASSWORD, test } from './desk.ts';
import { Api } from './server-api.ts';

const TWO_HOURS_MS = 7_200_000;
const RIGHTS_CHANGED =
  'You were signed out because your roles or your technician were changed. Sign in again to go on with what you may do now.';

const reads = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toHaveText(text);

test('two hours without activity say so in every tab, and both go on where they were', async ({
  context,
  dispatch,
}) => {
  await context.clock.install();
  const page = await context.newPage();
  await page.goto(`${dispatch.url}/account`);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${dispatch.url}/technicians`);
  await expect(other.getByRole('heading', { name: 'Technician Dashboard' })).toBeVisible();

  await context.clock.fastForward(TWO_HOURS_MS);
  for (const one of [page, other]) await reads(one, 'You were signed out after two hours without activity.');
  // A reload keeps the reason.
  await page.reload();
  await reads(page, 'You were signed out after two hours without activity.');
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/account$/);
  await fillSignIn(other, ADVISOR, PASSWORD);
  await expect(other).toHaveURL(/\/technicians$/);
});

test('a session that an owner ends, or that a lost role ends, says which of them ended it', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { page } = await openDesk(browser, dispatch, ADVISOR);
  await page.getByRole('tab', { name: 'Drop' }).click();
  await expect(page.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');
  await owner.send('DELETE', `/api/users/${ADVISOR}/sessions`);
  await reads(page, 'An owner signed you out.');
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/dashboard\?.*tab=drop/);
  await expect(page.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');

  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await owner.send('PATCH', `/api/users/${ADVISOR}`, { roles: ['Used'] });
  await reads(page, RIGHTS_CHANGED);
});

test('a session that its own user ends on another device says so', async ({ browser, dispatch }) => {
  const { page } = await openDesk(browser, dispatch, ADVISOR);
  const elsewhere = await Api.signIn(dispatch.url, ADVISOR);
  await elsewhere.send('POST', '/api/auth/sign-out-everywhere');
  await reads(page, 'You ended this session on another device or in another browser.');
});

test('an account without a role says so', async ({ browser, dispatch }) => {
  const { page } = await openDesk(browser, dispatch, ADVISOR);
  await page.route('**/api/auth/refresh', (route) =>
    route.fulfill({ status: 403, json: { ok: false, error: 'No role.', code: 'no-role' } }),
  );
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('DELETE', `/api/users/${ADVISOR}/sessions`);
  await reads(
    page,
    'You were signed out: you no longer have a role in this shop. Ask an owner to give you one.',
  );
});

test('signing out says nothing and starts anew, and the other tabs say where it happened', async ({
  context,
  dispatch,
}) => {
  const page = await context.newPage();
  await page.goto(`${dispatch.url}/account`);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${dispatch.url}/technicians`);
  await expect(other.getByRole('heading', { name: 'Technician Dashboard' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  for (const note of await page.getByRole('status').all()) await expect(note).toBeEmpty();
  await reads(other, 'You signed out in another tab of this browser.');
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/dashboard$/);
  // Another user than the one who was there begins at the dashboard.
  await fillSignIn(other, OWNER, PASSWORD);
  await expect(other).toHaveURL(/\/dashboard$/);
});
