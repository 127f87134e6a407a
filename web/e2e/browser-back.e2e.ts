// The browser's Back with the palette, the shortcuts or a question open: it closes those, the upper one first, and no
// entries pile up.
import type { Browser, Page } from '@playwright/test';
import { type Desk, expect, goToScreen, OWNER, openDesk, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or command' });

/** A desk with another screen before it in the history. */
async function openAfterTechnicians(
  browser: Browser,
  dispatch: Dispatch,
  screen = { width: 1440, height: 900 },
): Promise<Desk> {
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await goToScreen(page, 'Technician Dashboard');
  await expect(page).toHaveURL(/\/technicians$/);
  await page.getByRole('link', { name: 'Dispatch home' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(desk.table).toBeVisible();
  await page.setViewportSize(screen);
  return desk;
}

for (const screen of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`Back closes the palette and the shortcuts, and then leaves the desk, ${screen.width} px wide`, async ({
    browser,
    dispatch,
  }) => {
    const desk = await openAfterTechnicians(browser, dispatch, screen);
    const { page } = desk;
    const shortcuts = desk.dialog('Keyboard shortcuts');
    await page.keyboard.press('Control+k');
    await expect(field(page)).toBeFocused();
    await page.goBack();
    await expect(field(page)).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard/);

    await page.keyboard.press('?');
    await expect(shortcuts).toBeVisible();
    await page.goBack();
    await expect(shortcuts).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard/);

    // The sheet takes the palette's place, and each way of closing takes the entry away.
    await desk.command('keyboard');
    await expect(shortcuts).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(shortcuts).toBeHidden();
    for (const times of [1, 2, 3]) {
      await page.keyboard.press('Control+k');
      await expect(field(page), String(times)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(field(page)).toBeHidden();
    }
    await page.goBack();
    await expect(page).toHaveURL(/\/technicians$/);
    await desk.wasNotReloaded();
  });

  test(`Back returns from where a command led, ${screen.width} px wide`, async ({ browser, dispatch }) => {
    const desk = await openAfterTechnicians(browser, dispatch, screen);
    const { page } = desk;
    await desk.command('invite');
    await expect(page).toHaveURL(/\/users$/);
    await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(field(page)).toBeHidden();

    // An order's details have an entry of their own, the palette leaves none below it.
    const links = page.getByRole('link', { name: /^Open repair order/ });
    await expect(links.first()).toBeVisible();
    const [order = ''] = await links.evaluateAll((all) =>
      all.map((link) => link.ariaLabel?.replace('Open repair order ', '') ?? ''),
    );
    await desk.command(`${order} details`);
    await expect(page).toHaveURL(new RegExp(`ro=${order}`));
    await page.goBack();
    await expect(page).not.toHaveURL(/ro=/);
    await expect(page).toHaveURL(/\/dashboard/);
    await page.goBack();
    await expect(page).toHaveURL(/\/technicians$/);
  });
}

test('Back answers the question over a sheet with no, and the sheet stays', async ({ browser, dispatch }) => {
  const desk = await openAfterTechnicians(browser, dispatch);
  const { page } = desk;
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save or change views...' }).click();
  const sheet = desk.dialog('Views');
  await sheet.getByLabel('Name of the view on screen').fill('Morning');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await desk.says('Morning is saved');
  const question = page.getByRole('alertdialog', { name: 'Delete the view Morning?' });
  const remove = sheet.getByRole('button', { name: 'Delete Morning', exact: true });
  await remove.click();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(sheet).toBeVisible();
  await expect(sheet.getByRole('link', { name: 'Morning' })).toBeVisible();
  await expect(remove).toBeFocused();

  await remove.click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(sheet.getByRole('link', { name: 'Morning' })).toHaveCount(0);
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goBack();
  await expect(page).toHaveURL(/\/technicians$/);
});

test('a search that is still being typed stays when the palette opens and closes over it', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAfterTechnicians(browser, dispatch);
  const { page } = desk;
  const search = page.getByRole('textbox', { name: 'Search repair orders' });
  const all = await desk.count('All');
  await search.focus();
  await page.keyboard.type('toyota');
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  // The search runs below the palette.
  await expect(page.locator('table')).not.toHaveAttribute('aria-rowcount', String(all + 1));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/q=toyota/);
  await expect(search).toHaveValue('toyota');
});
