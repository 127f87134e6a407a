import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ADVISOR, expect, fillSignIn, PASSWORD, test } from './desk.ts';

async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => node.html).join('\n')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`login and desk have no serious violation, ${colorScheme}, ${viewport.width} px wide`, async ({
      page,
      dispatch,
    }) => {
      await page.setViewportSize(viewport);
      // Without motion nothing is half faded while it is looked at.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(dispatch.url);
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);

      await fillSignIn(page, ADVISOR, 'not the password');
      await expect(page.getByRole('alert')).not.toBeEmpty();
      expect(await seriousViolations(page)).toEqual([]);

      await fillSignIn(page, ADVISOR, PASSWORD);
      const orders = page.getByRole('link', { name: /^Open repair order/ });
      await expect(orders.first()).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);

      await page
        .getByRole('button', { name: /^Status of RO/ })
        .first()
        .click();
      await expect(page.getByRole('menu')).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');

      await orders.first().click();
      await expect(page.getByRole('dialog').getByText('Customer', { exact: true })).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);
    });
  }
}
