// The screens before the desk: signing in, resetting a password, redirects and sign-out; and the account screen.
import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { ADVISOR, type Desk, expect, fillSignIn, OWNER, openDesk, PASSWORD, test } from './desk.ts';
import { Mailbox } from './mail.ts';
import { Api } from './server-api.ts';

const NEW_PASSWORD = 'quite another one';
const TWO_HOURS_MS = 7_200_000;

const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isAt = (page: Page, path: string | RegExp) =>
  expect(page).toHaveURL((url) =>
    typeof path === 'string' ? url.pathname === path : path.test(url.pathname),
  );

/** The next call of this path waits until the returned function is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    `**${path}`,
    async (route) => {
      await gate;
      await route.continue();
    },
    { times: 1 },
  );
  return release;
}

/** The next call of this path gets this answer instead of the server's. */
function refuse(page: Page, path: string, status: number, code: string, error: string): Promise<unknown> {
  const json = { ok: false, error, code };
  return page.route(`**${path}`, (route) => route.fulfill({ status, json }), { times: 1 });
}

async function askForReset(page: Page, url: string, address: string): Promise<void> {
  await page.goto(`${url}/forgot-password`);
  await email(page).fill(address);
  await button(page, 'Send Reset Link').click();
  await expect(page.getByText('Password reset email sent. Check your inbox.', { exact: true })).toBeVisible();
}

/** Resolves when there is such an element, for however short a time: a locator looks only now and then. */
function isSeen(page: Page, selector: string): Promise<void> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((seen) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector(wanted) === null) return;
          observer.disconnect();
          seen();
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
    selector,
  );
}

test('the login screen shows each of its texts', async ({ page, dispatch }) => {
  await page.goto(dispatch.url);
  await isAt(page, '/login');
  await expect(page.getByRole('heading', { name: 'Welcome to the product', exact: true })).toBeVisible();
  await expect(page.getByText('Your automotive service platform', { exact: true })).toBeVisible();
  await expect(page.getByText('DISPATCH', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Forgot password?', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact support', exact: true })).toHaveAttribute(
    'href',
    /^mailto:/,
  );

  // Both are required, and an email has to look like one: the browser says so, and nothing is sent.
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/sign-in')) sent.push(request.url());
  });
  const isValid = (field: 'email' | 'password') =>
    page.locator(`input[name=${field}]`).evaluate((input: HTMLInputElement) => input.validity.valid);
  await button(page, 'Sign in').click();
  expect(await isValid('email')).toBe(false);
  await email(page).fill('nobody');
  await password(page).fill('something');
  await button(page, 'Sign in').click();
  expect(await isValid('email')).toBe(false);
  expect(sent).toEqual([]);

  await button(page, 'Show password').click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await button(page, 'Hide password').click();
  await expect(password(page)).toHaveAttribute('type', 'password');

  const alert = page.getByRole('alert');
  const release = await hold(page, '/api/auth/sign-in');
  await fillSignIn(page, ADVISOR, 'not the password');
  await expect(button(page, 'Signing in...')).toBeDisabled();
  const shaken = isSeen(page, '.shake');
  release();
  await shaken;
  await expect(alert).toHaveText('The email or password is not correct');
  // The answer does not tell whether the account exists.
  await fillSignIn(page, 'nobody@example.com', 'not the password');
  await expect(button(page, 'Sign in')).toBeEnabled();
  await expect(alert).toHaveText('The email or password is not correct');

  for (const [status, code, errorText, text] of [
    [429, 'too-many-requests', '.', 'Too many attempts. Wait a moment and try again.'],
    [
      503,
      'network-request-failed',
      '.',
      'The sign-in service could not be reached. Check the connection and try again.',
    ],
    [423, 'user-disabled', 'This account has been disabled.', 'This account has been disabled.'],
    [500, 'unheard-of', '', 'Failed to sign in'],
  ] as const) {
    await refuse(page, '/api/auth/sign-in', status, code, errorText);
    await fillSignIn(page, ADVISOR, 'not the password');
    await expect(alert).toHaveText(text);
  }
  await page.route('**/api/auth/sign-in', (route) => route.abort(), { times: 1 });
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(alert).toHaveText('The server could not be reached.');

  await fillSignIn(page, ADVISOR, PASSWORD);
  await isAt(page, '/dashboard');
});

test('a refusal by the identity provider is shown once and leaves the address', async ({
  page,
  dispatch,
}) => {
  for (const [code, text] of [
    ['oidc-failed', 'The sign-in was not completed. Please try again.'],
    ['oidc-no-account', 'There is no account here for that sign-in. Ask an owner to invite you.'],
    [
      'oidc-unverified-email',
      'The email address of that sign-in is not verified. Verify it with the provider and try again.',
    ],
  ]) {
    await page.goto(`${dispatch.url}/login?error=${code}`);
    await expect(page.getByRole('alert')).toHaveText(text ?? '');
    await expect(page).toHaveURL(`${dispatch.url}/login`);
  }
  await page.reload();
  await expect(button(page, 'Sign in')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a forgotten password is reset by the link that was mailed, which works once', async ({
  page,
  dispatch,
}) => {
  const mail = new Mailbox(dispatch);
  await page.goto(`${dispatch.url}/login`);
  await email(page).fill(ADVISOR);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await isAt(page, '/forgot-password');
  await expect(page.getByRole('heading', { name: 'Reset your password', exact: true })).toBeVisible();
  await expect(email(page)).toHaveValue(ADVISOR);
  await expect(email(page)).toHaveAttribute('type', 'email');

  await page.route('**/api/auth/password-reset', (route) => route.abort(), { times: 1 });
  await button(page, 'Send Reset Link').click();
  await expect(page.getByRole('alert')).toHaveText('The server could not be reached.');
  const release = await hold(page, '/api/auth/password-reset');
  await button(page, 'Send Reset Link').click();
  await expect(button(page, 'Sending...')).toBeDisabled();
  release();
  await expect(page.getByText('Password reset email sent. Check your inbox.', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  const first = await mail.nextLink(ADVISOR);

  // An unknown address gets the same answer.
  await askForReset(page, dispatch.url, 'nobody@example.com');
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await isAt(page, '/login');

  // A newer link replaces the older one.
  await askForReset(page, dispatch.url, ADVISOR);
  const second = await mail.nextLink(ADVISOR);
  expect(second).not.toBe(first);
  expect(mail.count('nobody@example.com')).toBe(0);
  await page.goto(dispatch.url + first);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await button(page, 'Set password').click();
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await isAt(page, '/forgot-password');

  await page.goto(dispatch.url + second);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(`${dispatch.url}/reset-password`);
  await expect(page.getByText('At least 8 characters')).toBeVisible();
  await page.getByLabel('New password').fill('short');
  await expect(page.getByText('(not met yet)')).toHaveCount(1);
  await button(page, 'Set password').click();
  await expect(page.getByRole('alert')).toHaveText('The password does not meet the requirements.');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await expect(page.getByText('(met)')).toHaveCount(1);
  await button(page, 'Set password').click();
  await isAt(page, '/login');
  await expect(page.getByText('Your password is set. You can sign in with it now.')).toBeVisible();
  await expect(email(page)).toHaveValue(ADVISOR);

  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByRole('alert')).toHaveText('The email or password is not correct');
  await fillSignIn(page, ADVISOR, NEW_PASSWORD);
  await isAt(page, '/dashboard');
  await button(page, 'Sign out').click();
  await isAt(page, '/login');

  await page.goto(dispatch.url + second);
  await page.getByLabel('New password').fill(PASSWORD);
  await button(page, 'Set password').click();
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
});

test('opening a reset link signs out whoever is signed in in that browser', async ({ context, dispatch }) => {
  const mail = new Mailbox(dispatch);
  const page = await context.newPage();
  await askForReset(page, dispatch.url, ADVISOR);
  await page.goto(dispatch.url);
  await fillSignIn(page, OWNER, PASSWORD);
  await isAt(page, '/dashboard');

  const tab = await context.newPage();
  await tab.goto(dispatch.url + (await mail.nextLink(ADVISOR)));
  await expect(tab.getByText(/\(owner@example\.com\) is signed in in this browser/)).toBeVisible();
  await isAt(page, '/dashboard');
  await tab.getByLabel('New password').fill(NEW_PASSWORD);
  await button(tab, 'Set password').click();
  await isAt(tab, '/login');
  await isAt(page, '/login');
  await fillSignIn(tab, ADVISOR, NEW_PASSWORD);
  await isAt(tab, '/dashboard');
});

test('a password reset ends all sessions of the old password', async ({ browser, page, dispatch }) => {
  const mail = new Mailbox(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await askForReset(page, dispatch.url, ADVISOR);
  await page.goto(dispatch.url + (await mail.nextLink(ADVISOR)));
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await button(page, 'Set password').click();
  await isAt(page, '/login');
  await isAt(desk.page, '/login');
});

test('each role lands on its own screen, and a visitor who is not signed in lands on the login', async ({
  browser,
  dispatch,
}) => {
  const page = await browser.newPage();
  for (const path of ['/', '/dashboard', '/account', '/no/such/screen']) {
    await page.goto(dispatch.url + path);
    await isAt(page, '/login');
  }
  await page.goto(`${dispatch.url}/forgot-password`);
  await isAt(page, '/forgot-password');
  for (const account of ['owner', 'admin', 'advisor', 'manager', 'used', 'tech', 'tech2']) {
    // Who is only a technician works in the portal.
    const start = account.startsWith('tech') ? /^\/technicians\/\d+$/ : '/dashboard';
    await page.goto(`${dispatch.url}/login`);
    await fillSignIn(page, `${account}@example.com`, PASSWORD);
    await isAt(page, start);
    for (const path of ['/', '/login', '/forgot-password', '/no/such/screen']) {
      await page.goto(dispatch.url + path);
      await isAt(page, start);
    }
    await page.goto(`${dispatch.url}/account`);
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    await page.getByRole('link', { name: 'Dispatch home' }).click();
    await isAt(page, start);
    await button(page, 'Sign out').click();
    await isAt(page, '/login');
  }
});

test('two hours of inactivity in every tab sign out all tabs', async ({ context, dispatch }) => {
  const almost = TWO_HOURS_MS - 60_000;
  await context.clock.install();
  const page = await context.newPage();
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByRole('table')).toBeVisible();
  const other = await context.newPage();
  await other.goto(dispatch.url);
  await expect(other.getByRole('table')).toBeVisible();

  for (const touch of [
    () => page.mouse.move(200, 200),
    () => page.keyboard.press('Shift'),
    () => page.mouse.click(5, 400),
    () => page.mouse.wheel(0, 300),
  ]) {
    await context.clock.fastForward(almost);
    await touch();
    // A moving mouse is taken note of once a second.
    await context.clock.fastForward(2_000);
  }
  await isAt(page, '/dashboard');
  await isAt(other, '/dashboard');

  await context.clock.fastForward(TWO_HOURS_MS);
  await isAt(page, '/login');
  await isAt(other, '/login');
  await page.goto(`${dispatch.url}/dashboard`);
  await isAt(page, '/login');
});

test('a change of roles changes the permissions in place, without leaving the screen', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.type('a');
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PATCH', `/api/users/${ADVISOR}`, { roles: ['Advisor', 'Admin'] });
  await expect(desk.page.getByText('Admin, Advisor').or(desk.page.getByText('Advisor, Admin'))).toBeVisible();
  await desk.tab('Unassigned').click();
  await expect(desk.page.getByRole('checkbox', { name: /^Select RO/ }).first()).toBeVisible();
  await desk.wasNotReloaded();
});

test('a second factor is set up, asked for at the next sign-in, and turned off', async ({
  page,
  dispatch,
}) => {
  // A code is accepted once, and the next one is half a minute away.
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await button(page, 'Account, appearance and language').click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await isAt(page, '/account');
  const section = page.getByRole('region', { name: 'Two-factor sign-in' });
  await section.getByRole('button', { name: 'Set up' }).click();
  await section.getByLabel('Current password').fill('not the password');
  await section.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('alert')).toHaveText('The current password is not correct');
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const app = new AuthenticatorApp((await section.locator('code').innerText()).replace(/\s/g, ''));
  await section.getByLabel('Code from the app').fill('000000');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByRole('alert')).toHaveText('The code is not correct');
  await section.getByLabel('Code from the app').fill(await app.nextCode());
  await section.getByRole('button', { name: 'Turn on' }).click();
  const list = section.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  await section.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section.getByText('10 recovery codes left')).toBeVisible();
  await button(page, 'Sign out').click();

  const alert = page.getByRole('alert');
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByLabel('Code').fill('000000');
  await button(page, 'Sign in').click();
  await expect(alert).toHaveText('The code is not correct');
  await button(page, 'Back').click();
  await expect(email(page)).toHaveValue(ADVISOR);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await button(page, 'Use a recovery code').click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await button(page, 'Sign in').click();
  await isAt(page, '/dashboard');
  await button(page, 'Sign out').click();

  await fillSignIn(page, ADVISOR, PASSWORD);
  await page.getByLabel('Code').fill(await app.nextCode());
  await page.keyboard.press('Enter');
  await isAt(page, '/dashboard');
  await page.goto(`${dispatch.url}/account`);
  await expect(section.getByText('9 recovery codes left')).toBeVisible();
  await section.getByRole('button', { name: 'Turn off' }).click();
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByLabel('Code or recovery code').fill(await app.nextCode());
  await section.getByRole('button', { name: 'Turn off' }).click();
  await expect(section.getByText('Off', { exact: true })).toBeVisible();
});

test('sessions are listed, ended one by one and all together, and by another password', async ({
  browser,
  dispatch,
}) => {
  const desks = [];
  for (let place = 0; place < 3; place++) desks.push(await openDesk(browser, dispatch, ADVISOR));
  const [here, there, elsewhere] = desks;
  if (here === undefined || there === undefined || elsewhere === undefined) throw new Error('no desks');
  const { page } = here;
  await page.goto(`${dispatch.url}/account`);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const rows = sessions.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'This one' })).toHaveCount(1);
  await expect(rows.filter({ hasText: '127.0.0.1' })).toHaveCount(3);

  await sessions
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await expect(rows).toHaveCount(2);
  const isOut = (desk: Desk) => new URL(desk.page.url()).pathname === '/login';
  await expect.poll(() => [there, elsewhere].filter(isOut).length).toBe(1);

  const section = page.getByRole('region', { name: 'Password' });
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByLabel('New password').fill(NEW_PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(
    section.getByText('Password changed. You are signed out everywhere else.', { exact: true }),
  ).toBeVisible();
  await isAt(there.page, '/login');
  await isAt(elsewhere.page, '/login');
  await expect(rows).toHaveCount(1);

  await fillSignIn(there.page, ADVISOR, NEW_PASSWORD);
  await isAt(there.page, '/dashboard');
  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click();
  await isAt(page, '/login');
  await isAt(there.page, '/login');
});

test('no rule of axe is broken before the desk and on the account', async ({ browser, dispatch }) => {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const isSoundInBothWidths = async (state: string) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectAccessibleInBothThemes(page, `${state}, ${width} px wide`);
    }
  };
  const mail = new Mailbox(dispatch);
  await page.goto(`${dispatch.url}/login?error=oidc-failed`);
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await isSoundInBothWidths('login');
  await askForReset(page, dispatch.url, ADVISOR);
  await isSoundInBothWidths('forgot password');
  await page.goto(dispatch.url + (await mail.nextLink(ADVISOR)));
  await page.getByLabel('New password').fill('some');
  await expect(page.getByText('At least 8 characters')).toBeVisible();
  await isSoundInBothWidths('reset password');
  await page.goto(`${dispatch.url}/login`);
  await page.goto(`${dispatch.url}/reset-password`);
  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  await isSoundInBothWidths('a link that is over');
  await page.goto(`${dispatch.url}/login`);
  await fillSignIn(page, OWNER, PASSWORD);
  await isAt(page, '/dashboard');
  await page.goto(`${dispatch.url}/account`);
  await expect(page.getByText('This one', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Set up' }).click();
  const section = page.getByRole('region', { name: 'Two-factor sign-in' });
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('img')).toBeVisible();
  await isSoundInBothWidths('account');
});

/** Codes as RFC 6238 has them: SHA-1, six digits, every 30 s. */
class AuthenticatorApp {
  private readonly secret: Buffer;
  private last = 0;

  /** `secret`: base32. */
  constructor(secret: string) {
    const bits = [...secret.replace(/=+$/, '')]
      .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
      .join('');
    this.secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }

  /** Waits for a code that was not used before. */
  async nextCode(): Promise<string> {
    const step = () => Math.floor(Date.now() / 30_000);
    await expect.poll(step).toBeGreaterThan(this.last);
    this.last = step();
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.last));
    const digest = createHmac('sha1', this.secret).update(counter).digest();
    const at = (digest.at(-1) ?? 0) & 15;
    return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  }
}
