// On every screen the accessible name of a control holds what the control shows.
import type { Page } from '@playwright/test';
import { expectNamedAsShown } from './control-names.ts';
import { Desk, expect, fillSignIn, OWNER, PASSWORD, signInByApi, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const [ASSIGNED, FREE] = [987_651, 987_652];

test('whoever says what a control shows reaches it', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: ASSIGNED,
        regularIdTechnician: 1112,
        jobs: [{ jobNumber: 1, concern: 'Rattles' }],
      },
      { repairOrderNumber: FREE },
    ),
  );
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PATCH', '/api/technicians/1131', { idLevel: 1 });
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const desk = new Desk(page);
  await page.goto(dispatch.url);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expectNamedAsShown(page, 'sign-in');
  await fillSignIn(page, OWNER, PASSWORD);
  await expect(desk.table).toBeVisible();
  await desk.type('98765');
  await expect(desk.status(String(FREE))).toBeVisible();
  await expectNamedAsShown(page, 'desk');
  await desk.link(String(ASSIGNED)).click();
  await expect(
    desk
      .details(String(ASSIGNED))
      .getByRole('button', { name: /story of job 1/ })
      .first(),
  ).toBeVisible();
  await expectNamedAsShown(page, 'details');
  await page.keyboard.press('Escape');
  await desk.act('Dispatch RO', String(FREE));
  await expect(
    desk
      .dialog(/^Dispatch RO/)
      .getByRole('option')
      .first(),
  ).toBeVisible();
  await expectNamedAsShown(page, 'dispatch');
  await page.keyboard.press('Escape');
  await desk.pickStatus(String(ASSIGNED), 'PDI');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNamedAsShown(page, 'toast');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or command' }).fill(String(FREE));
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectNamedAsShown(page, 'palette');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Account, appearance and language' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectNamedAsShown(page, 'preferences');
  await page.keyboard.press('Escape');
  await onOtherScreens(page, dispatch.url);
});

for (const language of ['de', 'es'] as const) {
  test(`the desk's controls are called what they show in ${language}, on a phone, too`, async ({
    browser,
    dispatch,
  }) => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await page.addInitScript((chosen) => localStorage.setItem('dispatch.language', chosen), language);
    await signInByApi(page.context(), dispatch, OWNER);
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(`${dispatch.url}/dashboard?tab=unassigned`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('[data-opened-by="status"]').first()).toBeVisible();
      await expectNamedAsShown(page, `desk, ${viewport.width} px wide`);
    }
  });
}

/** Of each screen what shows that it has loaded. */
async function onOtherScreens(page: Page, url: string): Promise<void> {
  const screens = [
    ['/users', page.getByRole('button', { name: /^Edit/ })],
    ['/technicians', page.getByRole('article')],
    ['/technician-management', page.getByRole('button', { name: /^Drag/ })],
    ['/boards', page.getByRole('button', { name: 'Pair a screen', exact: true })],
    ['/audit', page.locator('time')],
    ['/account', page.getByRole('button', { name: 'Sign out everywhere' })],
    ['/technicians/1112', page.getByRole('link', { name: /^Open repair order/ })],
  ] as const;
  for (const [path, loaded] of screens) {
    await page.goto(`${url}${path}`);
    await expect(loaded.first()).toBeVisible();
    await expectNamedAsShown(page, path);
  }
}
