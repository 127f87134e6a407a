import { join } from 'node:path';
import { ADVISOR, expect, fillSignIn, PASSWORD, test } from './desk.ts';

test.use({ colorScheme: 'light' });

test('the desk with the demo shop, as the README shows it', async ({ page, dispatch }) => {
  await page.goto(dispatch.url);
  await fillSignIn(page, ADVISOR, PASSWORD);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Open repair order/ }).first()).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(import.meta.dirname, '../docs/dashboard.png') });
});
