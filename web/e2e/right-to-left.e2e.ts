// Names written from right to left among those from left to right.
import type { Locator } from '@playwright/test';
import { expect, OWNER, openDesk, settled, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const LATIN = 'Maximilian Alexander von Hohenberg-Schwarzenfels und zu Ebersbach';
const ARABIC = 'عبد الرحمن بن يوسف بن إبراهيم الحداد الدمشقي المولود في حلب والمقيم في بيروت';
const [FIRST, SECOND] = ['987651', '987652'];

function importOrders(dispatch: Dispatch): void {
  dispatch.importFile(
    'orders.json',
    orderFile(
      { repairOrderNumber: Number(FIRST), customer: LATIN },
      { repairOrderNumber: Number(SECOND), customer: ARABIC },
    ),
  );
}

/** Where a name stands, and which of its ends is in sight. */
function placeOf(name: Locator) {
  return name.evaluate((cell) => {
    const text = cell.firstChild;
    if (text === null) throw new Error('no name');
    const letter = (from: number) => {
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect();
    };
    const { left, right, width } = cell.getBoundingClientRect();
    const first = letter(0);
    const last = letter((text.textContent?.length ?? 0) - 1);
    const isIn = (box: DOMRect) => box.left >= left - 1 && box.right <= right + 1;
    return {
      left,
      width,
      isCut: cell.scrollWidth > cell.clientWidth,
      firstSeen: isIn(first),
      lastSeen: isIn(last),
    };
  });
}

const endCut = { isCut: true, firstSeen: true, lastSeen: false };

test('a long name keeps its place, and its end is what has no room', async ({ browser, dispatch }) => {
  importOrders(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.type('98765');
  await expect(desk.row(SECOND).getByTitle(ARABIC)).toBeVisible();
  const latin = await placeOf(desk.row(FIRST).getByTitle(LATIN));
  const arabic = await placeOf(desk.row(SECOND).getByTitle(ARABIC));
  expect(arabic).toEqual({ ...latin, ...endCut });
});

test('a long name keeps its place on a card, too', async ({ browser, dispatch }) => {
  importOrders(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.page.setViewportSize({ width: 390, height: 844 });
  await desk.type('98765');
  await expect(desk.page.getByRole('article')).toHaveCount(2);
  const card = (name: string) => desk.page.getByRole('article').getByTitle(name);
  const latin = await placeOf(card(LATIN));
  expect(await placeOf(card(ARABIC))).toEqual({ ...latin, ...endCut });
});

test('the details have a long name as a whole, beside the other facts', async ({ browser, dispatch }) => {
  importOrders(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.type('98765');
  const placeInDetails = async (roNumber: string, name: string) => {
    await desk.link(roNumber).click();
    const shown = desk.details(roNumber).getByRole('definition').filter({ hasText: name });
    await expect(shown).toBeVisible();
    return settled(() => placeOf(shown));
  };
  const latin = await placeInDetails(FIRST, LATIN);
  const arabic = await placeInDetails(SECOND, ARABIC);
  expect(arabic).toEqual({ ...latin, isCut: false, firstSeen: true, lastSeen: true });
});

test('a long name keeps its place on a card of the stage view, too', async ({ browser, dispatch }) => {
  importOrders(dispatch);
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PUT', '/api/stages', { enabled: true });
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.page.goto(`${dispatch.url}/dashboard?q=98765&show=stages`);
  const card = (number: string, name: string) =>
    desk.page.locator(`[data-card="${number}"]`).getByTitle(name);
  await expect(card(SECOND, ARABIC)).toBeVisible();
  const latin = await placeOf(card(FIRST, LATIN));
  expect(await placeOf(card(SECOND, ARABIC))).toEqual({ ...latin, ...endCut });
});
