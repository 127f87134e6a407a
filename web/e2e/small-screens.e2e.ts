// The desk on a phone, and on a wide screen at 200 %.
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import { expect, OWNER, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

async function open(page: Page, dispatch: Dispatch): Promise<void> {
  await openSignedIn(page, dispatch, OWNER);
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
    await expect.poll(async () => (await card.boundingBox())?.height).toBeLessThanOrEqual(132);
    await expect.poll(() => wholeCards(page)).toBeGreaterThanOrEqual(4);
    const name = (await card.getByRole('link').getAttribute('aria-label')) ?? '';
    const number = name.replace('Open repair order ', '');
    await expect(card.getByRole('button', { name: /^Copy VIN/ })).toHaveCount(0);
    await card.getByRole('button', { name: `More about RO ${number}` }).tap();
    await expect(card.getByRole('button', { name: /^Copy VIN/ })).toBeVisible();
    await expectAccessible(page, 'an unfolded card');
    await expectThumbSized(page);
    // The first action stands at the end of the card's controls, before its menu, where the thumb is.
    const box = await card.boundingBox();
    const action = await card
      .getByRole('button', { name: new RegExp(`^(Dispatch|Reassign technician of) RO ${number}$`) })
      .boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0) - (action?.x ?? 0) - (action?.width ?? 0)).toBeLessThan(64);
  });

  test('a card has one primary button, and the other actions in its menu', async ({ page, dispatch }) => {
    dispatch.importFile(
      'order.json',
      orderFile({ repairOrderNumber: 987_654, vehicle: '1989 Zastava Yugo' }),
    );
    const api = await Api.signIn(dispatch.url, OWNER);
    const [technician] = await api.technicians();
    await api.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber: '987654',
      idTechnician: technician?.idTechnician,
    });
    await open(page, dispatch);
    await page.getByRole('textbox', { name: 'Search repair orders' }).fill('987654');
    await expect(page.getByRole('article')).toHaveCount(1);
    const card = page.getByRole('article');
    const actions = card.getByRole('button', {
      name: /^(Dispatch|Reassign|Add|Remove|Other actions) .*RO 987654$/,
    });
    await expect(actions).toHaveText(['Reassign', '']);
    await expectThumbSized(page);
    const [box, menu] = [
      await card.boundingBox(),
      await card.getByRole('button', { name: 'Other actions for RO 987654' }).boundingBox(),
    ];
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
    await card.getByRole('button', { name: 'Other actions for RO 987654' }).tap();
    await expectAccessible(page, 'the menu of a card');
    await page.getByRole('menuitem', { name: 'Remove technician from RO 987654' }).tap();
    await expect(card.getByRole('button', { name: 'Dispatch RO 987654' })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Other actions for RO 987654' })).toHaveCount(0);
  });

  test('the figures stand in one line that scrolls', async ({ page, dispatch }) => {
    await open(page, dispatch);
    const tops = await page
      .locator('dl > div:visible, fieldset > button[aria-pressed]')
      .evaluateAll((boxes) => boxes.map((box) => Math.round(box.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThanOrEqual(4);
    expect(new Set(tops).size).toBe(1);
    const scrolled = await page.locator('dl').evaluate((list) => {
      for (let box: Element | null = list; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === 'auto' && box.scrollWidth > box.clientWidth) {
          box.scrollLeft = box.scrollWidth;
          return box.scrollLeft;
        }
      }
      return 0;
    });
    expect(scrolled).toBeGreaterThan(0);
    // The page itself keeps the screen's width.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
