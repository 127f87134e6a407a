// Accessibility checks for every state of a screen: the rules of axe, and the size of touch targets.
import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { expect } from './desk.ts';

/** The rules of axe whose result depends on colours. They take three quarters of its time. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** What is open over a screen. The colours of the screen below were checked before it was opened. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';
declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The page's background in the dark theme, #0f1317. */
const DARK_PAGE = 'rgb(15, 19, 23)';

export async function expectAccessible(page: Page, state: string): Promise<void> {
  if (!(await isCovered(page))) return expectNoViolation(page, state, 'all');
  await expectNoViolation(page, state, 'all but colours');
  await expectNoViolation(page, state, 'colours', OVERLAYS);
}

/** The same state in both themes, which differ in colours and nothing else. */
export async function expectAccessibleInBothThemes(page: Page, state: string): Promise<void> {
  await expectAccessible(page, `${state}, light`);
  await changeTheme(page, 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', DARK_PAGE);
  await expectNoViolation(page, `${state}, dark`, 'colours', (await isCovered(page)) ? OVERLAYS : undefined);
  await changeTheme(page, 'light');
}

async function isCovered(page: Page): Promise<boolean> {
  return (await page.locator(OVERLAYS).filter({ visible: true }).count()) > 0;
}

/** `within`: a selector of the parts that are looked at; without it the whole page is. */
async function expectNoViolation(
  page: Page,
  state: string,
  rules: 'all' | 'colours' | 'all but colours',
  within?: string,
): Promise<void> {
  const colourRules = COLOUR_RULES.map((rule) => [rule, { enabled: false }] as const);
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'colours' && { runOnly: { type: 'rule', values: COLOUR_RULES } }),
    ...(rules === 'all but colours' && { rules: Object.fromEntries(colourRules) }),
  };
  await loadAxe(page);
  const messages = await page.evaluate(
    async ([within, options]) => {
      // What is still fading in has not its own colours yet.
      const fading = document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
      await Promise.allSettled(fading.map(({ finished }) => finished));
      const { violations } = await window.axe.run(within === undefined ? document : within, options);
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
      );
    },
    [within, options] as const,
  );
  expect.soft(messages, state).toEqual([]);
}

/** Once in each document: it is a megabyte of script, which is faster the second time. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
}

/** At once: a theme that fades in repaints the page for every step of every element. */
async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  const noTransitions = await page.addStyleTag({
    content: '*, ::before, ::after { transition: none !important; }',
  });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await noTransitions.evaluate((style) => style.parentNode?.removeChild(style));
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
