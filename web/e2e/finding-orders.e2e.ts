// Finding orders at the desk: by the words people type, across tabs, by what is due; and what a search hides of a
// selection.
import { ADVISOR, type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

const HOUR_MS = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Orders whose words nobody else in the shop has. */
function importCars(dispatch: { importFile(name: string, content: string): void }): void {
  const now = Date.now();
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: 987_651,
        customer: 'QUILLFEATHER,TED',
        vehicle: '1989 Zastava Yugo',
        createDateTime: iso(now - 5 * HOUR_MS),
        jobs: [{ jobNumber: 1, concern: 'Squeals', operations: [{ operationCode: 'ZQX77' }] }],
      },
      {
        repairOrderNumber: 987_652,
        customer: 'NÚÑEZ,ANA',
        vehicle: '1991 Zastava Koral-55',
        createDateTime: iso(now - 5 * HOUR_MS),
        promisedDateTime: iso(now + 20.5 * 60_000),
      },
      {
        repairOrderNumber: 987_653,
        customer: 'LOVELACE,ADA',
        vehicle: '1992 Zastava Yugo',
        customerStatus: 'Waiting',
        priorityName: 'Waiting',
        createDateTime: iso(now),
      },
    ),
  );
}

async function finds(desk: Desk, text: string, order: string): Promise<void> {
  await desk.search('no such order');
  await expect(desk.page.getByText('No repair orders found matching your criteria')).toBeVisible();
  await desk.search(text);
  await expect(desk.table, text).toHaveAttribute('aria-rowcount', '2');
  await expect(desk.row(order), text).toBeVisible();
}

test('the words of a search may come in any order, without accents, and include opcodes and “#”', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await finds(desk, 'ted quillfeather', '987651');
  await finds(desk, 'zastava 1989', '987651');
  await finds(desk, '#987651', '987651');
  await finds(desk, 'zqx77', '987651');
  await finds(desk, 'ana nunez zastava', '987652');
  await finds(desk, 'koral55', '987652');
});

test('Enter goes to the first hit at once, and to the tab All where this one has none', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.type('quillfeather');
  await desk.page.keyboard.press('Enter');
  await expect(desk.table.locator('[data-key="987651"]')).toBeFocused();

  await desk.tab('PDI').click();
  await desk.search('zastava');
  await expect(desk.page.getByText('No repair orders found matching your criteria')).toBeVisible();
  await expect(desk.page.getByRole('button', { name: '0 here, 3 in All' })).toBeVisible();
  await desk.page.getByRole('textbox', { name: 'Search repair orders' }).press('ArrowDown');
  await expect(desk.tab('All')).toHaveAttribute('aria-selected', 'true');
  // Waiting comes first.
  await expect(desk.table.locator('[data-key="987653"]')).toBeFocused();

  await desk.search('no such order');
  await desk.page.getByRole('button', { name: 'Clear search' }).last().click();
  await expect(desk.page.getByRole('textbox', { name: 'Search repair orders' })).toHaveValue('');
  await expect(desk.table.locator('tbody [data-key]').nth(3)).toBeVisible();
});

test('a selection that the search hides is said, listed in the dialog, shown again, or dropped', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await desk.tab('Unassigned').click();
  await desk.search('zastava');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('3 RO(s) selected', { exact: true })).toBeVisible();
  await expect(page.getByText(/not shown/)).toHaveCount(0);

  await desk.search('yugo');
  await expect(page.getByText('1 not shown', { exact: true })).toBeVisible();
  const note = desk.dialog('Batch Dispatch 3 ROs').getByRole('note');
  for (const open of [
    () => button('Batch Dispatch').click(),
    () => desk.row('987651').press('d'),
    () => button('Show them').press('d'),
  ]) {
    await open();
    await expect(note).toContainText('1 of 3 is not shown in the list');
    await expect(note).toContainText('987652');
    await page.keyboard.press('Escape');
    await expect(note).toBeHidden();
  }

  await button('Show them').click();
  await expect(page.getByText(/not shown/)).toHaveCount(0);
  await expect.poll(() => desk.inList()).toContain('987652');

  await desk.search('yugo');
  await button('Deselect them').click();
  await expect(page.getByText('2 RO(s) selected', { exact: true })).toBeVisible();
  await button('Batch Dispatch').click();
  await expect(desk.dialog('Batch Dispatch 2 ROs')).toBeVisible();
  await expect(desk.dialog('Batch Dispatch 2 ROs').getByRole('note')).toHaveCount(0);
});

test('late and nearly late orders are counted and listed; ETA and promised time are named', async ({
  browser,
  dispatch,
}) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.search('zastava');
  await desk.page.getByRole('button', { name: 'Overdue 1', exact: true }).click();
  await expect(desk.table).toHaveAttribute('aria-rowcount', '2');
  await expect(desk.row('987651')).toContainText('Overdue');
  await desk.page.getByRole('button', { name: 'Due soon 1', exact: true }).click();
  await expect(desk.row('987652')).toContainText('Due in');
  await expect(desk.row('987651')).toHaveCount(0);
  const timeline = await desk.cell('987652', 'Timeline');
  await expect(timeline.getByText('ETA', { exact: true })).toBeVisible();
  await expect(timeline.getByText('Promised', { exact: true })).toBeVisible();
  await expect(desk.page).toHaveURL(/due=soon/);
  await desk.page.getByRole('button', { name: 'Due soon 1', exact: true }).click();
  await expect(desk.table).toHaveAttribute('aria-rowcount', '4');
});

test('a priority that repeats the status is not shown a second time', async ({ browser, dispatch }) => {
  importCars(dispatch);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.search('zastava');
  await expect(await desk.cell('987653', 'Status')).toContainText('Waiting');
  const priority = await desk.cell('987653', 'Priority');
  await expect(priority.getByText('Waiting', { exact: true })).toHaveClass(/sr-only/);
  await expect((await desk.cell('987651', 'Priority')).getByText('Low', { exact: true })).toBeInViewport();
});
