import { ADVISOR, expect, fillSignIn, PASSWORD, test } from './desk.ts';

test('a wrong password is refused, the right one leads to the desk, signing out leaves it', async ({
  page,
  dispatch,
}) => {
  await page.goto(dispatch.url);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Welcome to the product' })).toBeVisible();

  await fillSignIn(page, ADVISOR, 'not the password');
  await expect(page.getByRole('alert')).toHaveText('The email or password is not correct');
  await expect(page).toHaveURL(/\/login$/);

  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('table')).toBeVisible();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto(`${dispatch.url}/dashboard`);
  await expect(page).toHaveURL(/\/login$/);
});

test('a reload keeps the session, the tab, the search and the row height', async ({ page, dispatch }) => {
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await page.getByRole('tab', { name: 'Drop' }).click();
  await page.getByRole('radio', { name: 'Dense rows' }).click();
  await page.getByRole('textbox', { name: 'Search repair orders' }).fill('a');
  await expect(page).toHaveURL(/\/dashboard\?(?=.*tab=drop)(?=.*q=a)/);

  await page.reload();
  await expect(page.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue('a');
  await expect(page.getByRole('radio', { name: 'Dense rows' })).toBeChecked();
  await expect(page.getByRole('table')).toBeVisible();
});

test('a page that is closed while its session is renewed stays signed in', async ({ context, gateway }) => {
  const page = await context.newPage();
  await page.goto(gateway.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByRole('table')).toBeVisible();
  const cookies = async () => (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
  const before = await cookies();

  const isRenewal = (_method: string, path: string) => path === '/api/auth/refresh';
  gateway.hold(isRenewal);
  const renewal = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/auth/refresh');
  await page.reload({ waitUntil: 'commit' });
  await renewal;
  await page.close();
  gateway.release();
  // The cookie before is good for half a minute after the server has replaced it.
  await expect.poll(cookies).not.toEqual(before);
});

test('signing out in one tab signs out the others', async ({ context, dispatch }) => {
  const one = await context.newPage();
  await one.goto(dispatch.url);
  await fillSignIn(one, ADVISOR, PASSWORD);
  await expect(one.getByRole('table')).toBeVisible();
  const other = await context.newPage();
  await other.goto(dispatch.url);
  await expect(other.getByRole('table')).toBeVisible();

  await one.getByRole('button', { name: 'Sign out' }).click();
  await expect(one).toHaveURL(/\/login$/);
  await expect(other).toHaveURL(/\/login$/);
});

test('a session that ends on the server leaves the desk by itself', async ({ page, dispatch }) => {
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  // The page is not told by this call, only by what the server does to its socket.
  const ended = await page.request.post(`${dispatch.url}/api/auth/sign-out`);
  expect(ended.ok()).toBe(true);
  await expect(page).toHaveURL(/\/login$/);
});

test('an unknown address leads to the desk or to the login screen', async ({ page, dispatch }) => {
  await page.goto(`${dispatch.url}/no/such/screen`);
  await expect(page).toHaveURL(/\/login$/);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`${dispatch.url}/no/such/screen`);
  await expect(page).toHaveURL(/\/dashboard$/);
});
