// Accessibility checks for every state of a screen: the rules of axe, and the size of touch targets.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './desk.ts';

/** The rules of axe whose result depends on colours. They take three quarters of its time. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** What is open over a screen. The colours of the screen below were checked before it was opened. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
/** The page's background in the dark theme, #0f1317. */
const DARK_PAGE = 'rgb(15, 19, 23)';

export async function expectAccessible(page: Page, state: string): Promise<void> {
  await expectNoViolation(axeOf(page).disableRules(COLOUR_RULES), state);
  await expectContrast(page, state);
}

/** The same state in both themes, which differ in colours and nothing else. */
export async function expectAccessibleInBothThemes(page: Page, state: string): Promise<void> {
  await expectAccessible(page, `${state}, light`);
  await changeTheme(page, 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', DARK_PAGE);
  await expectContrast(page, `${state}, dark`);
  await changeTheme(page, 'light');
}

async function expectContrast(page: Page, state: string): Promise<void> {
  const isCovered = (await page.locator(OVERLAYS).filter({ visible: true }).count()) > 0;
  const axe = axeOf(page).withRules(COLOUR_RULES);
  await expectNoViolation(isCovered ? axe.include(OVERLAYS) : axe, state);
}

/** Reports violations alone, without a page of axe's own: sending the passed checks takes as long again. */
function axeOf(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

async function expectNoViolation(axe: AxeBuilder, state: string): Promise<void> {
  const { violations } = await axe.analyze();
  const messages = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect.soft(messages, state).toEqual([]);
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
