import type { Page } from '@playwright/test';
import { ADVISOR, expect, PASSWORD, test } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { OpenIdProvider } from './openid-provider.ts';

/** Presses the button at the sign-in screen, and fills in the provider's own forms. */
async function signInElsewhere(page: Page, url: string, person: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in with Example Motors' }).click();
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

// The provider is another site to the browser, so what comes back from it comes with the cookies that
// survive that, and no others.
test('signing in at the identity provider leads back to the desk, and the session stays', async ({
  page,
  binary,
}) => {
  const provider = await OpenIdProvider.start();
  const dispatch = new Dispatch(binary, provider.options);
  try {
    await dispatch.start();
    await provider.serve(dispatch.url, {
      'advisor-7': { email: ADVISOR, email_verified: true },
      stranger: { email: 'stranger@example.com', email_verified: true },
    });

    await signInElsewhere(page, dispatch.url, 'advisor-7');
    // The account has a password, which is asked for once.
    await expect(page).toHaveURL(`${dispatch.url}/login/link`);
    await expect(page.getByRole('heading', { name: 'Link your account' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(ADVISOR);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Link and sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText('The password is not correct');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Link and sign in' }).click();
    await expect(page).toHaveURL(`${dispatch.url}/dashboard`);
    await expect(page.getByRole('table')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('table')).toBeVisible();

    const cookies = await page.context().cookies(`${dispatch.url}/api/auth/oidc`);
    const keptCookies = cookies.map(({ name, sameSite, httpOnly }) => ({ name, sameSite, httpOnly }));
    expect(keptCookies).toContainEqual({
      name: `dispatch_refresh_${new URL(dispatch.url).port}`,
      sameSite: 'Strict',
      httpOnly: true,
    });
    expect(keptCookies.map(({ name }) => name).filter((name) => name.startsWith('dispatch_oidc'))).toEqual(
      [],
    );
    // Nothing of the way is in the address bar, nor where "back" leads.
    await page.goBack();
    expect(page.url()).not.toContain('code=');

    // From then on the provider is enough.
    await page.goto(`${dispatch.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Example Motors' }).click();
    await expect(page).toHaveURL(`${dispatch.url}/dashboard`);
  } finally {
    await dispatch.discard();
    provider.stop();
  }
});

test('a user whom the provider knows and the shop does not is led back to the sign-in screen', async ({
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
    await signInElsewhere(page, dispatch.url, 'stranger');
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
