// A server whose disk is nearly full tells the users who can make room.

import { expectAccessibleInBothThemes } from './accessibility.ts';
import { ADVISOR, Desk, expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import { orderFile } from './server-api.ts';

// More than any disk has.
test.use({ serveOptions: ['--low-disk-mb', '4294967295'] });

const left = /^The server has [\d.,]+ [GM]B of disk space left$/;

test('only owners and admins see the low-disk banner, on every screen of theirs', async ({
  browser,
  dispatch,
}) => {
  const owner = await openDesk(browser, dispatch, OWNER);
  const { page } = owner;
  await expect(page.getByText(left)).toBeVisible();
  await expect(page.getByText(dispatch.dataDir)).toBeVisible();
  for (const name of ['User Management', 'Technician Management', 'Boards']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByText(left)).toBeVisible();
  }
  const admin = await openDesk(browser, dispatch, 'admin@example.com');
  await expect(admin.page.getByText(left)).toBeVisible();
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  await expect(advisor.page.getByText(left)).toHaveCount(0);
});

test('no accessibility rule is broken by the banner', async ({ browser, dispatch }) => {
  // axe takes seconds for a desk full of orders, which other tests check.
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: 987_651 }));
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const desk = new Desk(page);
  await openSignedIn(page, dispatch, OWNER, '/dashboard?q=987651');
  await desk.isLive();
  await expect(page.getByText(left)).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.getByRole('button', { name: /^Status of RO/ }).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, `${width} px wide`);
  }
});
