// From the owner's form to the first sign-in, through the mail that was really sent.
import { expect, fillSignIn, OWNER, openDesk, test } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { linkIn, MailServer } from './mail-server.ts';

const NINA = 'nina@example.com';
const HER_PASSWORD = 'a password of her own';

test('an invited user sets a password with the mailed link, signs in, and is active at once', async ({
  browser,
  binary,
}) => {
  const mail = await MailServer.start();
  const dispatch = new Dispatch(binary, [
    '--smtp-url',
    mail.url,
    '--mail-from',
    'Dispatch <dispatch@example.com>',
  ]);
  try {
    await dispatch.start();
    const owner = await openDesk(browser, dispatch, OWNER);
    await owner.page.getByRole('link', { name: 'User Management' }).click();
    await owner.page.getByLabel('Email', { exact: true }).fill(NINA);
    await owner.page.getByLabel('Name', { exact: true }).fill('Nina Nord');
    await owner.page.getByRole('button', { name: 'Send Invitation', exact: true }).click();
    const row = owner.page.getByRole('row').filter({ hasText: NINA });
    await expect(row).toContainText('Pending');

    const message = await mail.messageTo(NINA);
    expect(message.from?.address).toBe('dispatch@example.com');
    const link = linkIn(message);
    expect(link.startsWith(`${dispatch.url}/reset-password#token=`)).toBe(true);

    // She has no password yet, whatever she tries.
    const hers = await (await browser.newContext()).newPage();
    await hers.goto(dispatch.url);
    await fillSignIn(hers, NINA, 'dispatch-demo');
    await expect(hers.getByRole('alert')).toHaveText('The email or password is not correct');

    await hers.goto(link);
    await expect(hers.getByRole('heading', { name: 'Set your password' })).toBeVisible();
    expect(hers.url()).not.toContain('token');
    await hers.getByLabel('New password', { exact: true }).fill(HER_PASSWORD);
    await hers.getByRole('button', { name: 'Set password', exact: true }).click();
    await expect(hers).toHaveURL(`${dispatch.url}/login`);
    await expect(hers.getByLabel('Email')).toHaveValue(NINA);
    await expect(row).toContainText('Active');
    await fillSignIn(hers, NINA, HER_PASSWORD);
    await expect(hers).toHaveURL(/\/dashboard/);
    await expect(hers.getByRole('table')).toBeVisible();

    // The link is used up.
    const again = await (await browser.newContext()).newPage();
    await again.goto(link);
    await again.getByLabel('New password', { exact: true }).fill('somebody else');
    await again.getByRole('button', { name: 'Set password', exact: true }).click();
    await expect(again.getByText('This link is not valid', { exact: true })).toBeVisible();
  } finally {
    await dispatch.discard();
    await mail.stop();
  }
});
