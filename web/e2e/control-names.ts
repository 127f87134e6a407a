// Whether the accessible name of every control holds what the control shows (WCAG 2.5.3): who speaks to the computer
// says what they see.
import type { Page } from '@playwright/test';
import { loadAxe } from './accessibility.ts';
import { expect } from './desk.ts';

const CONTROLS =
  'button, a[href], summary, [role=button], [role=link], [role=tab], [role=switch], [role=checkbox], [role=radio], ' +
  '[role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=option], [role=combobox]';

export async function expectNamedAsShown(page: Page, state: string): Promise<void> {
  await loadAxe(page);
  const wrong = await page.evaluate((selector) => {
    // Which computes names as browsers do.
    const { axe } = window;
    const simple = (text: string) =>
      text
        .replace(/[\s\u00ad]+/g, ' ')
        .trim()
        .toLowerCase();
    /** What is drawn of it; for screen readers alone is what is drawn in a pixel. */
    const shownText = (control: Element) => {
      const texts: string[] = [];
      const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (parent === null || parent.closest('[aria-hidden="true"]') !== null) continue;
        const { width, height } = parent.getBoundingClientRect();
        if (width > 1 && height > 1 && parent.checkVisibility({ visibilityProperty: true })) {
          texts.push(node.textContent ?? '');
        }
      }
      return simple(texts.join(' '));
    };
    axe.setup(document.documentElement);
    const found = [...document.querySelectorAll(selector)].flatMap((control) => {
      if (
        !control.checkVisibility({ visibilityProperty: true }) ||
        control.closest('[aria-hidden="true"], [inert]')
      )
        return [];
      const shown = shownText(control);
      const name = simple(axe.commons.text.accessibleText(control));
      // Spaces and punctuation are drawn, and not said.
      const without = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
      return without(name).includes(without(shown)) ? [] : [`“${shown}” is called “${name}”`];
    });
    axe.teardown();
    return [...new Set(found)];
  }, CONTROLS);
  expect.soft(wrong, state).toEqual([]);
}
