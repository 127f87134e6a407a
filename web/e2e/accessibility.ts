// Accessibility checks for every state of a screen: the rules of axe, and the size of touch targets.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './desk.ts';

export async function expectAccessible(page: Page, state: string): Promise<void> {
  // Only violations, and without a page of axe's own: sending the passed checks takes as long again.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  const { violations } = await axe.analyze();
  const messages = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect.soft(messages, state).toEqual([]);
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
