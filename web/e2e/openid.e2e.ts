import { ADVISOR, expect, test } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { OpenIdProvider } from './openid-provider.ts';

// The provider is another site to the browser, so what comes back from it comes with the cookies that
// survive that, and no others.
test('who signs in at the provider comes back to the desk, and stays signed in', async ({ page, binary }) => {
  const provider = await OpenIdProvider.start();
  const dispatch = new Dispatch(binary, provider.options);
  try {
    await dispatch.start();
    await provider.serve(dispatch.url, {
      'advisor-7': { email: ADVISOR, email_verified: true },
      stranger: { email: 'stranger@example.com', email_verified: true },
    });

    await page.goto(`${dispatch.url}/api/auth/oidc/start`);
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await page.getByPlaceholder('Enter any login').fill('advisor-7');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${dispatch.url}/dashboard`);
    await expect(page.getByRole('table')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('table')).toBeVisible();

    const cookies = await page.context().cookies(`${dispatch.url}/api/auth/oidc`);
    expect(cookies.map(({ name, sameSite, httpOnly }) => ({ name, sameSite, httpOnly }))).toEqual([
      { name: 'dispatch_refresh', sameSite: 'Strict', httpOnly: true },
    ]);
    // Nothing of the way is in the address bar, nor where "back" leads.
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  } finally {
    await dispatch.discard();
    provider.stop();
  }
});

test('whom the provider knows and the shop does not is led back to the sign-in screen', async ({
  page,
  binary,
}) => {
  const provider = await OpenIdProvider.start();
  const dispatch = new Dispatch(binary, provider.options);
  try {
    await dispatch.start();
    await provider.serve(dispatch.url, {
      stranger: { email: 'stranger@example.com', email_verified: true },
    });
    await page.goto(`${dispatch.url}/api/auth/oidc/start`);
    await page.getByPlaceholder('Enter any login').fill('stranger');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'There is no account here for that sign-in. Ask an owner to invite you.',
    );
    await expect(page).toHaveURL(`${dispatch.url}/login`);
    await expect(page.getByLabel('Email')).toBeVisible();
  } finally {
    await dispatch.discard();
    provider.stop();
  }
});
