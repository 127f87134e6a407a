// The desk on a phone, and on a wide screen at 200 %.
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import { expect, fillSignIn, OWNER, PASSWORD, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';

async function open(page: Page, dispatch: Dispatch): Promise<void> {
  await page.goto(dispatch.url);
  await fillSignIn(page, OWNER, PASSWORD);
  await expect(page.getByRole('article').first()).toBeVisible();
}

/** How many cards are in sight as a whole. */
function wholeCards(page: Page): Promise<number> {
  return page.getByRole('article').evaluateAll((cards) => {
    const list = cards[0]?.closest('ul')?.parentElement?.getBoundingClientRect();
    const isWhole = ({ top, bottom }: DOMRect) =>
      list !== undefined && top >= list.top - 1 && bottom <= Math.min(list.bottom, innerHeight) + 1;
    return cards.filter((card) => isWhole(card.getBoundingClientRect())).length;
  });
}

test('at 200 % at least four orders are in sight', async ({ page, dispatch }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await open(page, dispatch);
  await expect.poll(() => wholeCards(page)).toBeGreaterThanOrEqual(4);
  await expectAccessible(page, 'desk at 200 %');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a card is about 120 px high, and the rest of it unfolds', async ({ page, dispatch }) => {
    await open(page, dispatch);
    const card = page.getByRole('article').first();
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(132);
    expect(await wholeCards(page)).toBeGreaterThanOrEqual(4);
    const name = (await card.getByRole('link').getAttribute('aria-label')) ?? '';
    const number = name.replace('Open repair order ', '');
    await expect(card.getByRole('button', { name: /^Copy VIN/ })).toHaveCount(0);
    await card.getByRole('button', { name: `More about RO ${number}` }).tap();
    await expect(card.getByRole('button', { name: /^Copy VIN/ })).toBeVisible();
    await expectAccessible(page, 'an unfolded card');
    await expectThumbSized(page);
    // The first action stands at the end of the card's controls, where the thumb is.
    const box = await card.boundingBox();
    const action = await card
      .getByRole('button', { name: new RegExp(`^(Dispatch|Reassign technician of) RO ${number}$`) })
      .boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0) - (action?.x ?? 0) - (action?.width ?? 0)).toBeLessThan(20);
  });

  test('the figures stand in one line that scrolls', async ({ page, dispatch }) => {
    await open(page, dispatch);
    const tops = await page
      .locator('dl > div:visible, fieldset > button[aria-pressed]')
      .evaluateAll((boxes) => boxes.map((box) => Math.round(box.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThanOrEqual(4);
    expect(new Set(tops).size).toBe(1);
    // The page itself keeps the screen's width.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
