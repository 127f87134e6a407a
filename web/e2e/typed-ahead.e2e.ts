// Keys pressed while what a key opened is still loading, the first time after a load: none of them acts on the row behind.
import type { Browser, Page, Route } from '@playwright/test';
import { Desk, expect, OWNER, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const ORDER = 987_651;

/** A desk with the order's row focused, whose technician a single key would remove. */
async function openAtRow(browser: Browser, dispatch: Dispatch): Promise<Desk> {
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: ORDER }));
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const desk = new Desk(await context.newPage());
  await openSignedIn(desk.page, dispatch, OWNER);
  await desk.isLive();
  await desk.find(String(ORDER));
  await desk.act('Dispatch RO', String(ORDER));
  await desk.option(/^Bo Li/).click();
  await desk
    .dialog(/^Dispatch RO/)
    .getByRole('button', { name: 'Dispatch', exact: true })
    .click();
  await desk.says('Technician assigned successfully');
  return desk;
}

/** Loads the page again with this part of it held back, and focuses the row. Returns what lets the part through. */
async function loadWithout(desk: Desk, part: RegExp, order = ORDER): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isHeldBack = true;
  await desk.page.route(part, async (route) => {
    if (isHeldBack) held.push(route);
    else await route.continue();
  });
  await desk.page.reload();
  await desk.isLive();
  await desk.row(String(order)).focus();
  return async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    isHeldBack = false;
    await Promise.all(held.map((route) => route.continue()));
  };
}

async function expectUnchanged(desk: Desk, dispatch: Dispatch, changes: readonly string[]): Promise<void> {
  expect(changes).toEqual([]);
  const api = await Api.signIn(dispatch.url, OWNER);
  const [row] = (await api.orders()).flat().filter((one) => one.repairOrderNumber === ORDER);
  expect(row?.regularTechFullName).toBe('Bo Li');
  await expect(desk.row(String(ORDER))).toContainText('Bo Li');
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or command' });

test('what is typed after Ctrl-K arrives in the palette, however slowly that loads', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  for (const pause of [0, 50, 100, 200]) {
    const letThrough = await loadWithout(desk, /\/assets\/palette[^/]*\.js$/);
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(pause);
    await page.keyboard.type('unassi');
    await letThrough();
    await page.keyboard.type('gned');
    await expect(field(page), `${pause} ms`).toHaveValue('unassigned');
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(field(page)).toBeHidden();
    await expect(desk.row(String(ORDER))).toBeFocused();
  }
  await expectUnchanged(desk, dispatch, changes);
});

test('Enter does nothing before there is something to choose, and the palette closes while it loads', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  const letThrough = await loadWithout(desk, /\/assets\/palette-results-[^/]*\.js$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${ORDER} pdi`);
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue(`${ORDER} pdi`);
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await expect(desk.row(String(ORDER))).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveValue('');
  await letThrough();
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await expectUnchanged(desk, dispatch, changes);
});

interface OpeningKey {
  key: string;
  /** What the key opens is in it. */
  part: RegExp;
  /** Letters that are keys of the row, too. */
  typed: string;
  title: string | RegExp;
}

const byKey: readonly OpeningKey[] = [
  { key: 's', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'u', title: /^Change status/ },
  { key: 'd', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'u', title: /^Technicians of RO/ },
  {
    key: 'Shift+Z',
    part: /\/assets\/recent-changes-list-[^/]*\.js$/,
    typed: 'u',
    title: 'Your last changes',
  },
  { key: 'p', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'u', title: /^Change priority/ },
  { key: 'r', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'hank mu', title: 'Reassign Technician' },
  { key: 'a', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'hank mu', title: 'Add Technician' },
  { key: 'o', part: /\/assets\/dialogs-[^/]*\.js$/, typed: 'u', title: /Details$/ },
  { key: '?', part: /\/assets\/shortcuts-sheet-[^/]*\.js$/, typed: 'u', title: 'Keyboard shortcuts' },
];

test('no letter acts on the row while a dialog loads that a key opened, and its field gets the text', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  for (const { key, part, typed, title } of byKey) {
    const letThrough = await loadWithout(desk, part);
    await page.keyboard.press(key);
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await letThrough();
    // Details stand beside the list.
    const opened = desk.dialog(title).or(page.getByRole('region', { name: title }));
    await expect(opened, key).toBeVisible();
    if (typed.length > 1)
      await expect(desk.option(/^Hank Mueller/), key).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(opened).toBeHidden();
  }
  await expectUnchanged(desk, dispatch, changes);
});

test('no letter acts on a row while the dialog loads that dispatches the selection', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const [upper, lower] = [987_653, 987_652];
  dispatch.importFile('two.json', orderFile({ repairOrderNumber: upper }, { repairOrderNumber: lower }));
  await desk.tab('Unassigned').click();
  await desk.search('98765');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '3');
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  const letThrough = await loadWithout(desk, /\/assets\/dialogs-[^/]*\.js$/, upper);
  for (const key of ['x', 'j', 'x', 'd']) await page.keyboard.press(key);
  // To tick, to change the priority, to go on: keys of the row.
  await page.keyboard.type('xpj');
  await page.keyboard.press('Enter');
  await letThrough();
  await expect(desk.dialog('Batch Dispatch 2 ROs')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('2 RO(s) selected', { exact: true })).toBeVisible();
  await expect(desk.row(String(lower))).toBeFocused();
  expect(changes).toEqual([]);
});

test('Escape takes back what a key asked for, and the keys are the row’s again', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const letThrough = await loadWithout(desk, /\/assets\/dialogs-[^/]*\.js$/);
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await letThrough();
  await page.keyboard.press('s');
  await expect(desk.dialog(/^Change status of RO/)).toBeVisible();
  await expect(desk.dialog('Add Technician')).toBeHidden();
});

test('Escape takes back the palette that is still loading, and no key has acted', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  const letThrough = await loadWithout(desk, /\/assets\/palette[^/]*\.js$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('u');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await letThrough();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveValue('');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expectUnchanged(desk, dispatch, changes);
});

test('a menu opens as soon as its code is there, and the keys pressed meanwhile do nothing', async ({
  browser,
  dispatch,
}) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  const changes = desk.requests(/^(POST|PUT|DELETE) \/api\/repair-orders/);
  const button = page.getByRole('button', { name: 'Account, appearance and language' });
  const menu = page.getByRole('menu');
  const first = page.getByRole('menuitem', { name: 'Your account' });
  for (const key of ['Enter', 'ArrowDown', null]) {
    const letThrough = await loadWithout(desk, /\/assets\/(menu|preferences-items)-[^/]*\.js$/);
    if (key === null) await button.click();
    else await button.press(key);
    await page.keyboard.type('u');
    await letThrough();
    await expect(menu, key ?? 'click').toBeVisible();
    await expect(key === null ? menu : first).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
  }
  await expectUnchanged(desk, dispatch, changes);
});

test('a menu whose code cannot be loaded says so', async ({ browser, dispatch }) => {
  const desk = await openAtRow(browser, dispatch);
  const { page } = desk;
  await page.route(/\/assets\/preferences-items-[^/]*\.js$/, (route) => route.abort());
  await page.reload();
  await desk.isLive();
  await page.getByRole('button', { name: 'Account, appearance and language' }).click();
  await desk.says('Something went wrong on this page.');
});
