import { join } from 'node:path';
import { Board } from './board-screen.ts';
import { ADVISOR, expect, fillSignIn, OWNER, PASSWORD, test } from './desk.ts';
import { Api } from './server-api.ts';

/** A shop that is in the middle of its afternoon, whenever this is run. */
const HOUR = 14;
const hoursBehind = ((HOUR - new Date().getUTCHours() + 36) % 24) - 12;
const zone = `Etc/GMT${hoursBehind > 0 ? '-' : '+'}${Math.abs(hoursBehind)}`;

const screenshotOptions = (name: string) => ({ path: join(import.meta.dirname, `../docs/${name}.png`) });

test.use({ colorScheme: 'light', serveOptions: ['--time-zone', zone] });

test('the desk with the demo shop, as the README shows it', async ({ page, dispatch }) => {
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Open repair order/ }).first()).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot(screenshotOptions('dashboard'));
});

test('a board on the shop floor, as the README shows it', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  // Of as many technicians as there are columns.
  const technicians = (await owner.technicians()).map(({ idTechnician }) => idTechnician);
  const settings = { technicians: technicians.slice(4, 9), columns: 5, dimFrom: null, pageSeconds: 120 };
  const about = { name: 'Main shop', layout: 'shop-floor', settings };
  const board = await Board.linked(browser, dispatch, owner, about, {
    viewport: { width: 1440, height: 810 },
  });
  await board.page.evaluate(() => document.fonts.ready);
  await board.page.screenshot(screenshotOptions('board'));
});
