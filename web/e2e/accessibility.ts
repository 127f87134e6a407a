// Accessibility checks for every state of a screen: the rules of axe, and the size of touch targets.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './desk.ts';

/** The rules of axe whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** The page's background in the dark theme, #0f1317. */
const DARK_PAGE = 'rgb(15, 19, 23)';

/** `rules`: those of axe that are checked; without them all. */
export async function expectAccessible(page: Page, state: string, rules?: string[]): Promise<void> {
  // Only violations, and without a page of axe's own: sending the passed checks takes as long again.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const messages = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect.soft(messages, state).toEqual([]);
}

/** The same state in both themes, which differ in colours and nothing else: the dark one is checked for these alone. */
export async function expectAccessibleInBothThemes(page: Page, state: string): Promise<void> {
  await expectAccessible(page, `${state}, light`);
  await changeTheme(page, 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', DARK_PAGE);
  await expectAccessible(page, `${state}, dark`, COLOUR_RULES);
  await changeTheme(page, 'light');
}

/** Colours pass into each other for a frame, even with reduced motion, and a busy browser may draw none for a while. */
async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
      ),
  );
}

/** px; the minimum size of touch targets in the portal. */
const MIN_TARGET_PX = 44;

export async function expectThumbSized(
  page: Page,
  targets = 'main button, main a, [role="dialog"] button',
): Promise<void> {
  const small = await page.evaluate(
    ([least, which]) => {
      const shown = [...document.querySelectorAll<HTMLElement>(which)];
      return shown.flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        const isTarget = one.checkVisibility() && width > 0 && (height < least - 0.5 || width < least - 0.5);
        return isTarget ? [`${one.ariaLabel ?? one.textContent}: ${width} x ${height}`] : [];
      });
    },
    [MIN_TARGET_PX, targets] as const,
  );
  expect.soft(small).toEqual([]);
}
