import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { ADVISOR, type Desk, expect, OWNER, openDesk, settled, test } from './desk.ts';
import { orderFile } from './server-api.ts';

/** The orders on screen, from the top. */
async function visibleNumbers(desk: Desk): Promise<(string | null)[]> {
  const links = desk.table.getByRole('link', { name: /^Open repair order/ });
  return links.evaluateAll((all) => all.map((one) => one.textContent));
}

test('rows keep their place under a pointer, show their changes, and are sorted again when it leaves', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const before = await visibleNumbers(desk);
  const order = before[3] ?? '';
  await desk.row(before[1] ?? '').hover();

  await owner.search(order);
  await owner.pickStatus(order, 'PDI');
  await expect(desk.status(order)).toHaveText('PDI');
  expect(await visibleNumbers(desk)).toEqual(before);
  await expect(desk.page.getByText('List has changed')).toBeVisible();
  await expect(desk.page.getByText('1 moved', { exact: true })).toBeVisible();

  await desk.page.getByRole('textbox', { name: 'Search repair orders' }).hover();
  await expect.poll(() => visibleNumbers(desk)).not.toContain(order);
  await expect(desk.page.getByText('List has changed')).toBeHidden();
});

/** Where the search field, the filters and the last of the tools stand. */
function toolPlaces({ page }: Desk) {
  return Promise.all(
    [
      page.getByRole('search'),
      page.getByRole('group', { name: 'Due times' }),
      page.getByRole('button', { name: 'Print', exact: true }),
    ].map((tool) => tool.boundingBox()),
  );
}

test('the search and the tools keep their places when the list has changed, however narrow the window is', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  await owner.search((await visibleNumbers(desk))[3] ?? '');
  const order = (await visibleNumbers(owner))[0] ?? '';
  for (const [width, status] of [
    [1440, 'PDI'],
    [1024, 'Used'],
    [768, 'PDI'],
  ] as const) {
    await desk.page.setViewportSize({ width, height: 768 });
    await desk.page.getByRole('textbox', { name: 'Search repair orders' }).hover();
    const before = await settled(() => toolPlaces(desk));
    const [search, , print] = before;
    expect(search?.width, `${width} px`).toBeGreaterThanOrEqual(192);
    expect((print?.x ?? width) + (print?.width ?? 0)).toBeLessThanOrEqual(width);

    await desk.row((await visibleNumbers(desk))[1] ?? '').hover();
    await owner.pickStatus(order, status);
    await expect(desk.page.getByText('List has changed')).toBeVisible();
    expect(await toolPlaces(desk)).toEqual(before);
    // It lies over the foot of the list: what a column is called stays in sight.
    const pill = await desk.page.getByText('List has changed').boundingBox();
    const heads = await desk.table.locator('thead').boundingBox();
    expect(pill?.y ?? 0).toBeGreaterThan((heads?.y ?? 0) + (heads?.height ?? 0));
    await desk.page.keyboard.press('.');
    await expect(desk.page.getByText('List has changed')).toBeHidden();
  }
});

test('the desk works with the keyboard alone', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { keyboard } = desk.page;
  const orders = await visibleNumbers(desk);
  await desk.row(orders[0] ?? '').focus();
  await keyboard.press('j');
  await keyboard.press('ArrowDown');
  const third = desk.row(orders[2] ?? '');
  await expect(third).toBeFocused();

  await keyboard.press('o');
  const details = desk.details(orders[2] ?? '');
  await expect(details).toBeVisible();
  await keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(third).toBeFocused();

  await keyboard.press('s');
  await expect(desk.dialog(`Change status of RO ${orders[2]}`)).toBeVisible();
  await keyboard.press('Escape');
  await expect(third).toBeFocused();
  // The focused row stays, however far the list is scrolled.
  await third.hover();
  await desk.page.mouse.wheel(0, 10_000);
  await expect(third).not.toBeInViewport();
  await expect(third).toBeAttached();
  await keyboard.press('k');
  await expect(desk.row(orders[1] ?? '')).toBeFocused();
  await expect(desk.row(orders[1] ?? '')).toBeInViewport();
});

test('a copied link shows the same view, and the file has all of it', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.tab('Drop').click();
  await desk.page.getByRole('button', { name: 'Columns' }).click();
  await desk.page.getByRole('checkbox', { name: 'Vehicle Info' }).click();
  await desk.page.keyboard.press('Escape');
  // The button's tooltip would lie over the table's head.
  await desk.page.getByRole('textbox', { name: 'Search repair orders' }).focus();
  await desk.table.getByRole('columnheader', { name: 'Timeline' }).getByRole('button').click();
  await expect(desk.page).toHaveURL(/sort=timeline/);
  const there = desk.page.url();

  // Somebody else's choices do not count here.
  const { page, table } = await openDesk(browser, dispatch, OWNER);
  await page.goto(there);
  await expect(table.getByRole('columnheader', { name: 'Timeline' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(table.getByRole('columnheader', { name: 'Vehicle Info' })).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Drop' })).toHaveAttribute('aria-selected', 'true');

  const [file] = await Promise.all([
    desk.page.waitForEvent('download'),
    desk.page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^repair-orders-drop-\d{4}-\d\d-\d\d\.csv$/);
  const [head, first, ...others] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/^\uFEFF"RO number","Tag","Customer","Status",/);
  expect(first?.split(',')[0]).toBe(`"${(await visibleNumbers(desk))[0]}"`);
  expect(others).toHaveLength((await desk.count('Drop')) - 1);
});

const HOUR_MS = 3_600_000;
const TIGHT = { width: 1024, height: 768 };
const WIDE = { width: 1440, height: 900 };

/** Whether what is drawn of the text lies in the cell as a whole. */
async function expectInside(text: Locator, cell: Locator): Promise<void> {
  const [inner, outer] = [await text.boundingBox(), await cell.boundingBox()];
  if (inner === null || outer === null) throw new Error('it has no box');
  expect(inner.width).toBeGreaterThan(8);
  expect(inner.x).toBeGreaterThanOrEqual(outer.x - 0.5);
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width + 0.5);
  expect(inner.y).toBeGreaterThanOrEqual(outer.y - 0.5);
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 0.5);
}

test('the ETA and the promised time of a late and of a soon order are both in their cell, however little room there is', async ({
  browser,
  dispatch,
}) => {
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const orders = { '987651': [-28, -26], '987652': [-3, -1], '987653': [-1, 0.3] } as const;
  dispatch.importFile(
    'orders.json',
    orderFile(
      ...Object.entries(orders).map(([number, [opened, promised]]) => ({
        repairOrderNumber: Number(number),
        createDateTime: at(opened),
        promisedDateTime: at(promised),
      })),
    ),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.search('98765');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
  const bothInside = async () => {
    for (const number of Object.keys(orders)) {
      const cell = await desk.cell(number, 'Timeline');
      // The lines of a cell end where it clips them.
      const lines = cell.locator(':scope > span');
      for (const name of ['ETA', 'Promised']) {
        const named = lines.getByText(name, { exact: true }).locator('..');
        await expectInside(named, lines);
        await expectInside(named.locator('span').last(), cell);
      }
    }
  };
  await bothInside();
  await desk.link('987651').click();
  await expect(desk.details('987651')).toBeVisible();
  await expect(desk.table).toHaveAttribute('data-tight', 'true');
  await bothInside();
  await desk.page.keyboard.press('Escape');
  await expect(desk.details('987651')).toBeHidden();
  await desk.page.setViewportSize(TIGHT);
  await expect(desk.table).toHaveAttribute('data-tight', 'true');
  await bothInside();
});

/** The texts on screen that an ellipsis cuts. */
function cutTexts(desk: Desk) {
  return desk.table.locator('tbody').evaluate((body) => {
    const cut = (selector: string) =>
      [...body.querySelectorAll(selector)]
        .filter((text) => text.scrollWidth > text.clientWidth)
        .map((text) => text.textContent);
    // Clipped alone are the texts that end in an ellipsis.
    const column = (place: number) => `tr[data-key] > td:nth-child(${place})`;
    return {
      customers: cut(`${column(1)} > .truncate`),
      vehicles: cut(`${column(2)} > .truncate`),
      vins: cut(`${column(2)} .font-mono > .truncate`),
      statuses: cut(`${column(3)} .truncate`),
    };
  });
}

test('no VIN and no status is cut, and of vehicles and customers only long ones are', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const cutAt = async (width: number) => {
    // So high that every order is drawn: a screenful of one hour is no measure of all.
    await desk.page.setViewportSize({ width, height: 9_000 });
    const rows = desk.table.locator('tr[data-key]');
    const all = Number(await desk.table.getAttribute('aria-rowcount')) - 1;
    await expect(rows).toHaveCount(all);
    if (width === TIGHT.width) await expect(desk.table).toHaveAttribute('data-tight', 'true');
    else await expect(desk.table).not.toHaveAttribute('data-tight');
    const cut = await cutTexts(desk);
    expect(cut, `at ${width} px`).toMatchObject({ vins: [], statuses: [] });
    const shortest = (texts: readonly string[]) => Math.min(...texts.map((text) => text.length));
    return { customer: shortest(cut.customers), vehicle: shortest(cut.vehicles) };
  };
  const wide = await cutAt(WIDE.width);
  expect(wide.customer).toBeGreaterThan(20);
  expect(wide.vehicle).toBeGreaterThan(30);
  // The narrowest roomy table.
  await cutAt(1366);
  // A third of the room: the ends of models, which the tooltip has, and of double names.
  const tight = await cutAt(TIGHT.width);
  expect(tight.customer).toBeGreaterThan(14);
  expect(tight.vehicle).toBeGreaterThan(18);
});

test('the call to assign somebody is a word in sight, and each row names its advisor', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: 987_654, advisor: 'Dana Whitfield' }));
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.find('987654');
  for (const size of [WIDE, { width: 1366, height: 768 }, TIGHT]) {
    await desk.page.setViewportSize(size);
    const cell = await desk.cell('987654', 'Assignment');
    const word = cell.getByText('Assign', { exact: true });
    await expectInside(word, cell);
    expect((await word.boundingBox())?.width, `${size.width} px`).toBeGreaterThan(50);
    await expect(cell.getByText('Advisor: Dana Whitfield', { exact: true })).toBeVisible();
  }
});

test('the lines of a row stand at the same heights in all its cells', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'order.json',
    orderFile({ repairOrderNumber: 987_655, advisor: 'Dana Whitfield', regularIdTechnician: 1104 }),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.find('987655');
  const apart = () =>
    desk.row('987655').evaluate((row) => {
      const middles = [1, 2, 5, 7].map((column) => {
        const walker = document.createTreeWalker(row.querySelector(`td:nth-child(${column})`) ?? row, 4);
        const boxes: DOMRect[] = [];
        while (walker.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(walker.currentNode);
          boxes.push(range.getBoundingClientRect());
        }
        // What is only heard is a point.
        const seen = boxes.filter(({ width }) => width > 8);
        const middle = (box: DOMRect | undefined) => ((box?.top ?? 0) + (box?.bottom ?? 0)) / 2;
        return [middle(seen[0]), middle(seen.at(-1))] as const;
      });
      const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
      return [spread(middles.map(([first]) => first)), spread(middles.map(([, last]) => last))];
    });
  for (const size of [WIDE, TIGHT]) {
    await desk.page.setViewportSize(size);
    const [first, second] = await apart();
    expect(first, `${size.width} px`).toBeLessThanOrEqual(1.5);
    expect(second, `${size.width} px`).toBeLessThanOrEqual(1.5);
  }
});
