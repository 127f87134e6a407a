// Who has a car is what the desk reads: a technician's name is in sight, also beside open details, whatever the screen and
// the pointer.
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from './browser.ts';
import { type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const ORDER = 987_653;
const WIDTHS = [1366, 1400, 1440, 1536];
/** Of the sample shop's technicians. */
const NAME = "D'Andre Whitfield";

/** What there is of the name in the order's row, and what there would have to be (px). */
function nameInRow(desk: Desk): Promise<{ seen: number; whole: number }> {
  return desk
    .row(String(ORDER))
    .getByText(NAME, { exact: true })
    .evaluate((name) => ({ seen: name.clientWidth, whole: name.scrollWidth }));
}

async function fitsInTable(page: Page): Promise<boolean> {
  return page.getByRole('table').evaluate((table) => {
    const scroller = table.closest('.overflow-auto') ?? table.parentElement;
    return scroller !== null && scroller.scrollWidth <= scroller.clientWidth;
  });
}

async function openDetails(desk: Desk): Promise<void> {
  await desk.search(String(ORDER));
  await desk.link(String(ORDER)).click();
  await expect(desk.details(String(ORDER))).toBeVisible();
}

/** An order that the technician has. */
async function bringOrder(api: Api, dispatch: Dispatch): Promise<void> {
  const technician = (await api.technicians()).find(({ displayName }) => displayName === NAME);
  const order = { repairOrderNumber: ORDER, regularIdTechnician: technician?.idTechnician };
  dispatch.importFile('orders.json', orderFile(order));
}

for (const stages of [false, true]) {
  test(`a technician's name is whole, also beside open details, ${stages ? 'with' : 'without'} stages`, async ({
    browser,
    dispatch,
  }) => {
    const api = await Api.signIn(dispatch.url, OWNER);
    if (stages) await api.send('PUT', '/api/stages', { enabled: true });
    await bringOrder(api, dispatch);
    const desk = await openDesk(browser, dispatch, OWNER);
    await desk.page.setViewportSize({ width: 1440, height: 800 });
    await desk.search(String(ORDER));
    for (const width of WIDTHS) {
      await desk.page.setViewportSize({ width, height: 800 });
      await expect.poll(() => nameInRow(desk).then(({ seen, whole }) => whole - seen)).toBe(0);
    }
    await openDetails(desk);
    for (const width of WIDTHS) {
      await desk.page.setViewportSize({ width, height: 800 });
      await expect.poll(() => nameInRow(desk).then(({ seen, whole }) => whole - seen)).toBe(0);
      await expect.poll(() => fitsInTable(desk.page), `${width} px`).toBe(true);
    }
  });
}

test('the buttons of a row leave its technician in sight where no pointer can hover', async ({
  dispatch,
}) => {
  const cannotHover = '--blink-settings=primaryHoverType=1,availableHoverTypes=1';
  const browser = await chromium.launch({ ...launchOptions, args: [...launchOptions.args, cannotHover] });
  try {
    const api = await Api.signIn(dispatch.url, OWNER);
    await bringOrder(api, dispatch);
    const desk = await openDesk(browser, dispatch, OWNER);
    await desk.page.setViewportSize({ width: 1400, height: 800 });
    expect(await desk.page.evaluate(() => matchMedia('(hover: hover)').matches)).toBe(false);
    await openDetails(desk);
    await expect.poll(() => nameInRow(desk).then(({ seen, whole }) => whole - seen)).toBe(0);
  } finally {
    await browser.close();
  }
});
