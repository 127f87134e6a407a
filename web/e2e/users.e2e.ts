// User management: inviting, roles and skills, deleting, refusals, and what other owners see.
import type { Browser, Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import {
  ADVISOR,
  Desk,
  expect,
  fillSignIn,
  goToScreen,
  OWNER,
  openDesk,
  openSignedIn,
  PASSWORD,
  test,
} from './desk.ts';
import { Api } from './server-api.ts';

const ADMIN = 'admin@example.com';
const TECH = 'tech@example.com';
const ANA = 'ana.ruiz@example.com';

/** An owner's browser with the list of users on screen. */
async function openUsers(browser: Browser, at: { url: string }, email = OWNER): Promise<Users> {
  const desk = new Desk(await (await browser.newContext()).newPage());
  await openSignedIn(desk.page, at, email, '/users');
  const users = new Users(desk);
  await expect(users.row(OWNER)).toBeVisible();
  return users;
}

class Users {
  readonly desk: Desk;
  readonly page: Page;

  constructor(desk: Desk) {
    this.desk = desk;
    this.page = desk.page;
  }

  row(email: string): Locator {
    return this.page.getByRole('row').filter({ hasText: email });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  role(email: string, role: string): Locator {
    return this.page.getByRole('group', { name: `Roles of ${email}` }).getByRole('checkbox', { name: role });
  }

  async edit(email: string): Promise<void> {
    await this.button(`Edit ${email}`).click();
  }

  async save(email: string): Promise<void> {
    await this.button(`Save changes to ${email}`).click();
  }

  async fillInvitation(email: string, name: string): Promise<void> {
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Name', { exact: true }).fill(name);
  }

  async send(): Promise<void> {
    await this.button('Send Invitation').click();
  }

  /** Expects the red banner with exactly this text, and dismisses it, so that the next one is distinct. */
  async saysInBanner(text: string): Promise<void> {
    const banner = this.page.getByRole('alert').filter({ hasText: text });
    await expect(banner).toHaveText(text);
    await this.button('Dismiss').click();
    await expect(banner).toBeHidden();
  }

  /** From now on this call is refused. */
  async refuse(method: string, path: string, error: string): Promise<void> {
    await this.page.route(
      (url) => decodeURIComponent(url.pathname) === path,
      (route) =>
        route.request().method() === method
          ? route.fulfill({ status: 409, json: { ok: false, error, code: 'refused' } })
          : route.fallback(),
    );
  }
}

test('an invited user is pending on every owner’s screen, and changes appear there, too', async ({
  browser,
  dispatch,
}) => {
  const users = new Users(await openDesk(browser, dispatch, OWNER));
  await goToScreen(users.page, 'User Management');
  await expect(users.page).toHaveURL(/\/users$/);
  await users.edit(ADMIN);
  await users.role(ADMIN, 'Owner').check();
  await users.save(ADMIN);
  await expect(users.row(ADMIN)).toContainText('Owner');
  const other = await openUsers(browser, dispatch, ADMIN);
  await other.desk.markAsLoaded();

  await users.fillInvitation(ANA, 'Ana Ruiz');
  await users.send();
  await expect(users.page.getByText(`The invitation to ${ANA} waits as a file in `)).toBeVisible();
  await expect(users.page.getByLabel('Email', { exact: true })).toHaveValue('');
  for (const one of [users, other]) {
    await expect(one.row(ANA)).toContainText('Ana Ruiz');
    await expect(one.row(ANA)).toContainText('Pending');
    await expect(one.row(ANA)).toContainText('As a file');
    await expect(one.row(ANA)).toContainText('Admin');
  }

  // By keyboard alone.
  await users.button(`Edit ${ANA}`).focus();
  await users.page.keyboard.press('Enter');
  await expect(users.role(ANA, 'Admin')).toBeFocused();
  await users.page.keyboard.press('Space');
  await users.page.keyboard.press('Tab');
  await users.page.keyboard.press('Tab');
  await expect(users.role(ANA, 'Advisor')).toBeFocused();
  await users.page.keyboard.press('Space');
  await users.page.keyboard.press('Enter');
  await expect(users.button(`Edit ${ANA}`)).toBeFocused();
  for (const one of [users, other]) {
    await expect(one.row(ANA)).toContainText('Advisor');
    await expect(one.row(ANA)).not.toContainText('Admin');
  }

  await users.button(`Send again to ${ANA}`).click();
  const folder = `${dispatch.dataDir}/mail`;
  await users.desk.says(
    `A new invitation to ${ANA} waits as a file in ${folder} on the server: pass its link on.`,
  );

  const question = `Are you sure you want to delete ${ANA}?`;
  const dialog = users.page.getByRole('alertdialog', { name: question });
  for (const leave of ['Cancel', 'Escape']) {
    await users.button(`Delete ${ANA}`).click();
    await expect(dialog).toBeVisible();
    if (leave === 'Cancel') await dialog.getByRole('button', { name: 'Cancel' }).click();
    else await users.page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(users.button(`Delete ${ANA}`)).toBeFocused();
  }
  // A key that was pressed once too often deletes nobody.
  await users.button(`Delete ${ANA}`).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await users.page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(other.row(ANA)).toBeVisible();
  await users.button(`Delete ${ANA}`).press('Enter');
  await users.page.keyboard.press('Tab');
  await users.page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  for (const one of [users, other]) await expect(one.row(ANA)).toBeHidden();
  await other.desk.wasNotReloaded();
});

test('the heads of the list sort it up, down, and not at all, and a reload keeps the sort order', async ({
  browser,
  dispatch,
}) => {
  const { page } = await openUsers(browser, dispatch);
  const list = page.getByRole('table', { name: 'Staff' });
  const head = (name: string) => list.getByRole('columnheader', { name });
  const sorted = (name: string, direction: string) =>
    expect(head(name)).toHaveAttribute('aria-sort', direction);
  const press = (name: string) => head(name).getByRole('button').click();
  const names = () =>
    list
      .locator('tbody td:first-child')
      .evaluateAll((cells) =>
        cells.map((one) => (one instanceof HTMLElement ? one.innerText.replace(/\n.*/s, '') : '')),
      );
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

  await sorted('Name/Email', 'none');
  const own = await names();
  expect(own.length).toBeGreaterThan(2);
  await press('Name/Email');
  await sorted('Name/Email', 'ascending');
  const upwards = own.toSorted(compare);
  await expect.poll(names).toEqual(upwards);
  await press('Name/Email');
  await sorted('Name/Email', 'descending');
  await expect.poll(names).toEqual(upwards.toReversed());
  await page.reload();
  await sorted('Name/Email', 'descending');
  // The heads stand there before the rows do.
  await expect.poll(names).toEqual(upwards.toReversed());
  await press('Roles');
  await sorted('Roles', 'ascending');
  await sorted('Name/Email', 'none');
  await press('Roles');
  await press('Roles');
  await sorted('Roles', 'none');
  await expect.poll(names).toEqual(own);
  await expect(head('Actions').getByRole('button')).toHaveCount(0);
});

test('an invitation of a technician who has an account asks, and names the account', async ({
  browser,
  dispatch,
}) => {
  const users = await openUsers(browser, dispatch);
  const { page } = users;
  const technician = page.getByLabel('Select Technician');
  const invited = page.getByRole('group', { name: 'Roles', exact: true });
  const linked = await (await Api.signIn(dispatch.url, OWNER)).get<{ email: string; technicianId: number }[]>(
    '/api/users',
  );
  const { technicianId } = linked.find(({ email }) => email === TECH) ?? { technicianId: 0 };

  await users.fillInvitation(ANA, 'Ana Ruiz');
  await technician.selectOption(String(technicianId));
  await expect(technician).toHaveAccessibleDescription(`Already linked to ${TECH}`);
  await expect(invited.getByRole('checkbox', { name: 'Technician' })).toBeChecked();
  await expect(invited.getByRole('checkbox', { name: 'Admin' })).not.toBeChecked();
  await page.getByLabel('Select Skill').selectOption({ index: 1 });
  await users.send();
  const question = page.getByRole('alertdialog', { name: /already has an account$/ });
  await expect(question).toContainText(TECH);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(users.row(ANA)).toBeHidden();

  await users.send();
  await question.getByRole('button', { name: 'Invite anyway' }).click();
  await expect(users.row(ANA)).toContainText(`Technician ${technicianId}`);
  await expect(users.row(ANA)).toContainText('Pending');
});

test('a change by another owner under a draft is shown, and the owner keeps the draft or takes the change', async ({
  browser,
  dispatch,
}) => {
  const users = await openUsers(browser, dispatch);
  const other = await openUsers(browser, dispatch);
  const announcement = users.page
    .getByRole('alert')
    .filter({ hasText: `Somebody else changed ${ADVISOR} meanwhile:` });

  await users.edit(ADVISOR);
  await users.role(ADVISOR, 'Used').check();
  await other.edit(ADVISOR);
  await other.role(ADVISOR, 'Admin').check();
  await other.save(ADVISOR);
  await expect(announcement).toContainText('Roles: Advisor → Admin, Advisor');
  await expect(users.role(ADVISOR, 'Used')).toBeChecked();
  await users.button('Keep mine').click();
  await users.save(ADVISOR);
  await expect(other.row(ADVISOR)).toContainText('Used');
  await expect(other.row(ADVISOR)).not.toContainText('Admin');

  await users.edit(ADVISOR);
  await users.role(ADVISOR, 'Owner').check();
  await other.edit(ADVISOR);
  await other.role(ADVISOR, 'Technician').check();
  await other.save(ADVISOR);
  await users.button('Take theirs').click();
  await expect(announcement).toBeHidden();
  await expect(users.role(ADVISOR, 'Owner')).not.toBeChecked();
  await expect(users.role(ADVISOR, 'Technician')).toBeChecked();
});

test('a technician is invited by their name and with a skill, and their skill is changed in place', async ({
  browser,
  dispatch,
}) => {
  const users = await openUsers(browser, dispatch);
  const { page } = users;
  const [technician] = await (await Api.signIn(dispatch.url, OWNER)).technicians();
  if (technician === undefined) throw new Error('the shop has no technicians');
  const invited = users.desk.requests(/^POST \/inviteUser$/);
  const name = page.getByLabel('Name', { exact: true });

  await users.fillInvitation(ANA, 'Ana Ruiz');
  await page.getByLabel('Select Technician').selectOption(String(technician.idTechnician));
  await expect(name).toHaveValue(technician.displayName);
  await expect(name).toHaveAttribute('readonly');
  await users.send();
  expect(invited).toEqual([]);
  const skill = await page.getByLabel('Select Skill').getByRole('option').nth(1).innerText();
  await page.getByLabel('Select Skill').selectOption(skill);
  await users.send();
  await expect(users.row(ANA)).toContainText(technician.displayName);
  await expect(users.row(ANA)).toContainText(`Technician ${technician.idTechnician}`);
  await expect(users.row(ANA)).toContainText(`Max skill: ${skill}`);

  await users.edit(ANA);
  const choice = page.getByLabel(`Skill of ${ANA}`);
  await expect(choice).toHaveValue(skill);
  await expect(choice.getByRole('option').nth(1)).toBeAttached();
  const other = (await choice.getByRole('option').allInnerTexts()).find((one) => one !== skill);
  if (other === undefined) throw new Error('the shop has one skill only');
  await choice.selectOption(other);
  await users.save(ANA);
  await expect(users.row(ANA)).toContainText(`Max skill: ${other}`);
});

test('neither the last owner nor the user’s own account can be deleted or lose its rights', async ({
  browser,
  dispatch,
}) => {
  const users = await openUsers(browser, dispatch);
  const { page } = users;
  const refusal = async (method: string, act: () => Promise<void>) => {
    const answered = page.waitForResponse(
      (one) => one.request().method() === method && one.url().includes('/api/users/'),
    );
    await act();
    const answer = await answered;
    expect(answer.status()).toBe(409);
    const { code } = await answer.json();
    return String(code);
  };
  const isRefused = async (code: string, sentence: string) => {
    const deleting = await refusal('DELETE', async () => {
      await users.button(`Delete ${OWNER}`).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    });
    expect(deleting).toBe(code);
    await users.saysInBanner(`Failed to delete user: ${sentence}`);
    await expect(users.row(OWNER)).toContainText('Owner');
    await users.edit(OWNER);
    await users.role(OWNER, 'Owner').uncheck();
    const demoting = await refusal('PATCH', () => users.save(OWNER));
    expect(demoting).toBe(code);
    await users.saysInBanner(`Failed to update user: ${sentence}`);
    await users.button(`Cancel changes to ${OWNER}`).click();
    await expect(users.row(OWNER)).toContainText('Owner');
  };
  await isRefused('last-owner', 'This is the last owner who can sign in: make somebody else an owner first');
  // Even with a second owner, the own account is protected.
  await users.edit(ADMIN);
  await users.role(ADMIN, 'Owner').check();
  await users.save(ADMIN);
  await expect(users.row(ADMIN)).toContainText('Owner');
  await isRefused('own-account', 'This is your own account: ask another owner');
});

test('each failure has its own text in the red banner', async ({ browser, dispatch }) => {
  const users = await openUsers(browser, dispatch);
  const { page } = users;

  await users.refuse('DELETE', `/api/users/${ADVISOR}`, 'Not today.');
  await users.button(`Delete ${ADVISOR}`).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await users.saysInBanner('Failed to delete user: Not today.');

  await users.refuse('PATCH', `/api/users/${ADVISOR}`, 'Not today.');
  await users.edit(ADVISOR);
  await users.role(ADVISOR, 'Used').check();
  await users.save(ADVISOR);
  await users.saysInBanner('Failed to update user: Not today.');
  await expect(users.role(ADVISOR, 'Used')).toBeChecked();
  await users.button(`Cancel changes to ${ADVISOR}`).click();

  await users.refuse('POST', '/api/repair-orders/technician-skills', 'Not today.');
  await users.edit(TECH);
  const skill = page.getByLabel(`Skill of ${TECH}`);
  await expect(skill.getByRole('option').nth(1)).toBeAttached();
  const had = await skill.inputValue();
  const other = (await skill.getByRole('option').allInnerTexts()).findLast((one) => one !== had);
  await skill.selectOption(other ?? '');
  await users.save(TECH);
  await users.saysInBanner('Failed to update skill: Failed to update technician skill in database');

  for (const [answer, text] of [
    [
      { status: 200, json: { data: { success: false, error: 'That address is in use.' } } },
      'That address is in use.',
    ],
    [{ status: 200, json: { data: { success: false } } }, 'Failed to invite user'],
    [{ status: 500, body: '' }, 'Failed to invite user'],
    [{ status: 200, body: 'well' }, 'Response is not valid JSON object.'],
    [{ status: 200, json: {} }, 'Response is missing data field.'],
  ] as const) {
    await page.route('**/inviteUser', (route) => route.fulfill(answer), { times: 1 });
    await users.fillInvitation(ANA, 'Ana Ruiz');
    await users.send();
    await users.saysInBanner(text);
  }

  await users.refuse('GET', '/api/repair-orders/technicians', 'Not today.');
  await page.reload();
  await users.saysInBanner('Failed to fetch technicians');
  await page.unrouteAll();
  await users.refuse('GET', '/api/repair-orders/skills', 'Not today.');
  await page.reload();
  await users.saysInBanner('Failed to fetch skills');
  await expect(users.row(OWNER)).toBeVisible();

  await page.unrouteAll();
  await users.refuse('GET', '/api/users', 'Not today.');
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText('Users could not be loadedNot today.');
  const again = users.button('Try again');
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/users');
  await again.click();
  await asked;
  await page.unrouteAll();
  // The page loads the users by itself, too, when its stream connects: that may be before the click.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    await expect(users.row(OWNER)).toBeVisible({ timeout: 5_000 });
  }).toPass();
});

test('a user who is not an owner has no link to User Management and lands on the desk', async ({
  browser,
  dispatch,
}) => {
  for (const email of [ADVISOR, TECH, ADMIN]) {
    const { page } = await openDesk(browser, dispatch, email);
    await expect(page.getByRole('link', { name: 'User Management' })).toHaveCount(0);
    await page.goto(`${dispatch.url}/users`);
    await expect(page, email).toHaveURL(/\/dashboard$/);
    await page.context().close();
  }
});

test('the invitation link names its purpose', async ({ browser, dispatch }) => {
  const { page } = await openDesk(browser, dispatch, OWNER);
  await page.getByRole('link', { name: 'User Management' }).hover();
  await expect(page.getByRole('tooltip')).toContainText('User Management');
  await expect(page.getByRole('tooltip')).toContainText('Add or remove users');
});

test('the test page shows and writes documents, and what it writes grants nothing', async ({
  browser,
  dispatch,
}) => {
  const { page } = await openDesk(browser, dispatch, ADVISOR);
  await page.goto(`${dispatch.url}/test`);
  await expect(page).toHaveURL(/\/test$/);
  await expect(page.getByText(ADVISOR, { exact: true })).toBeVisible();
  await expect(page.getByText('Only an Owner sees them.')).toBeVisible();
  await page.getByRole('button', { name: 'Create or update my document' }).click();
  await expect(page.getByText('Document written')).toBeVisible();
  await expect(page.getByRole('region', { name: 'My document' })).toContainText('"role": "owner"');
  await page.goto(`${dispatch.url}/users`);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.context().close();

  const owner = await openDesk(browser, dispatch, OWNER);
  await owner.page.goto(`${dispatch.url}/test`);
  await expect(owner.page.getByRole('region', { name: 'All user documents' })).toContainText(ADVISOR);
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const wide = { viewport: { width: 1440, height: 900 } };

for (const screen of [wide, phone]) {
  test(`no rule of axe is broken, ${screen.viewport.width} px wide`, async ({ browser, dispatch }) => {
    const context = await browser.newContext({ ...screen, colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const isSound = (state: string) => expectAccessibleInBothThemes(page, state);
    await openSignedIn(page, dispatch, OWNER, '/users');
    const edit = page.getByRole('button', { name: `Edit ${TECH}` });
    await expect(edit).toBeVisible();
    if (screen === phone) await page.getByRole('button', { name: 'Invite somebody' }).click();
    await isSound('the list');
    await edit.click();
    await isSound('editing');
    await page.getByRole('button', { name: `Delete ${OWNER}` }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await isSound('asked');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await isSound('refused');
    await page.goto(`${dispatch.url}/test`);
    await expect(page.getByRole('region', { name: 'My document' })).toBeVisible();
    await isSound('the test page');
  });
}

test('an owner ends somebody else’s session in the page, and their screen closes at once', async ({
  browser,
  dispatch,
}) => {
  const users = await openUsers(browser, dispatch);
  const theirs = await openDesk(browser, dispatch, ADVISOR);
  await users.button(`Sessions of ${ADVISOR}`).click();
  const sheet = users.page.getByRole('dialog', { name: /^Sessions of / });
  await expect(sheet.getByRole('listitem')).toHaveCount(1);
  await sheet.getByRole('button', { name: /^End the session of / }).click();
  await expect(theirs.page).toHaveURL(/\/login$/);
  await expect(sheet.getByText('Not signed in anywhere.')).toBeVisible();

  await fillSignIn(theirs.page, ADVISOR, PASSWORD);
  await expect(theirs.page).toHaveURL(/\/dashboard/);
  await users.page.keyboard.press('Escape');
  await users.button(`Sessions of ${ADVISOR}`).click();
  await sheet.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(theirs.page).toHaveURL(/\/login$/);
  await expectAccessible(users.page, 'nobody is signed in there');
});
