// The technician's portal against the real server: what the desk gives is there at once and answered, and the clock.

import type { Browser, Page } from '@playwright/test';
import { ORDER, orderFor } from './bay.ts';
import { dismissToast, expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const TECHNICIAN = 'tech@example.com';

interface Portal {
  page: Page;
  /** The technician's number, as the address has it. */
  id: number;
}

async function openPortal(browser: Browser, at: { url: string }, email = TECHNICIAN): Promise<Portal> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openSignedIn(page, at, email);
  await expect(page.getByRole('table', { name: 'Repair orders' })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return { page, id: Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]) };
}

const banner = (page: Page) => page.getByRole('region', { name: 'New assignments' });
const clock = (page: Page) => page.getByRole('region', { name: 'Job clock' });
const row = (page: Page, number: number) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Open repair order ${number}`, exact: true }) });

/** The orders of the list, from above. */
const listed = (page: Page) =>
  page
    .locator('tbody [data-key]')
    .evaluateAll((rows) => rows.map((one) => (one instanceof HTMLElement ? Number(one.dataset.key) : 0)));

/** Off the clock, whatever the demo's day had them at. */
async function clockOut(page: Page): Promise<void> {
  await expect(clock(page)).toBeVisible();
  // Whether they are on the clock comes after its heading.
  await expect(
    clock(page)
      .getByRole('button', { name: /^Clock (in|out)$/ })
      .first(),
  ).toBeVisible();
  const out = clock(page).getByRole('button', { name: 'Clock out' });
  if (await out.isVisible()) await out.click();
  await expect(clock(page)).toContainText('Off the clock');
}

/** Orders nobody is on. */
function bringOrders(dispatch: Dispatch, ...numbers: number[]): void {
  const jobs = [
    { jobNumber: 1, concern: 'Rattles', operations: [{ operationCode: 'DIAG', soldHours: 1 }] },
    { jobNumber: 2, concern: '' },
  ];
  dispatch.importFile(
    'orders.json',
    orderFile(...numbers.map((repairOrderNumber) => ({ repairOrderNumber, jobs }))),
  );
}

test('an assignment by the desk appears in the portal at once, is accepted, and disappears at once when removed', async ({
  browser,
  dispatch,
}) => {
  bringOrders(dispatch, 987_651);
  const { page, id } = await openPortal(browser, dispatch);
  // On the clock, by a tap that lets the page sound.
  await clockOut(page);
  await clock(page).getByRole('button', { name: 'Clock in' }).click();
  await page.evaluate(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      document.documentElement.dataset.notes = String(
        Number(document.documentElement.dataset.notes ?? 0) + 1,
      );
      start.call(this, when);
    };
  });
  const name = (await page.getByRole('heading', { level: 1 }).innerText()).replace("'s Dashboard", '');
  const desk = await openDesk(browser, dispatch, OWNER);
  const owner = await Api.signIn(dispatch.url, OWNER);
  await desk.find('987651');
  await desk.act('Dispatch RO', '987651');
  await desk
    .dialog(/^Dispatch RO/)
    .getByRole('combobox')
    .fill(name);
  await desk
    .option(new RegExp(`^${name}`))
    .first()
    .click();
  await desk
    .dialog(/^Dispatch RO/)
    .getByRole('button', { name: 'Dispatch', exact: true })
    .click();

  await expect(banner(page).getByRole('alert')).toHaveText('New repair order for you');
  await expect(banner(page)).toContainText('987651');
  await expect(banner(page)).toContainText('2003 Honda Accord EX');
  await expect(page.locator('html')).toHaveAttribute('data-notes', '2');
  await expect(row(page, 987_651)).toBeVisible();
  await expect.poll(async () => (await owner.receipt(id, 987_651))?.seenAt ?? null).not.toBeNull();
  expect((await owner.receipt(id, 987_651))?.acceptedAt).toBeNull();
  // The desk sees how far it has come, beside the name.
  const sign = (await desk.cell('987651', 'Assignment')).getByRole('img');
  await expect(sign).toHaveAccessibleName(new RegExp(`^${name}.*: Seen `));

  await banner(page).getByRole('button', { name: 'Got it' }).click();
  await expect(banner(page)).toBeHidden();
  await expect.poll(async () => (await owner.receipt(id, 987_651))?.acceptedAt ?? null).not.toBeNull();
  await expect(sign).toHaveAccessibleName(new RegExp(`^${name}.*: Accepted `));
  await page.reload();
  await expect(row(page, 987_651)).toBeVisible();
  await expect(banner(page)).toBeHidden();
  // Who is not connected yet loads the list without the order, and hears of nobody who took it.
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await desk.act('Remove technician from RO', '987651');
  await expect(row(page, 987_651)).toBeHidden();
  await expect(page.getByText(/ took RO 987651 off your list\.$/)).toBeVisible();
});

test('after three minutes without acceptance the desk marks the row, and later shows why the order was handed back', async ({
  browser,
  dispatch,
}) => {
  bringOrders(dispatch, 987_651);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const technicians = await owner.technicians();
  const { page, id } = await openPortal(browser, dispatch);
  const name = technicians.find(({ idTechnician }) => idTechnician === id)?.displayName ?? '';
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.page.clock.install();
  // A page whose clock is another one from now on knows the server's time only at its next word.
  await desk.page.reload();
  await desk.isLive();
  await desk.find('987651');
  const cell = await desk.cell('987651', 'Assignment');
  await owner.post('/api/repair-orders/technicians/assign', {
    repairOrderNumber: '987651',
    idTechnician: id,
  });
  await expect(cell.getByRole('img')).toHaveAccessibleName(new RegExp(`^${name}: Seen `));
  await expect(cell.getByText('Not accepted')).toBeHidden();
  await desk.page.clock.fastForward('03:01');
  await expect(cell.getByText('Not accepted')).toBeVisible();
  await banner(page).getByRole('button', { name: 'Hand back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand back RO 987651' });
  await dialog.getByRole('radio', { name: 'Parts are missing' }).click();
  await dialog.getByRole('button', { name: 'Hand back' }).click();
  await expect(cell.getByText('Handed back')).toBeVisible();
  await expect(cell.getByRole('img')).toHaveAccessibleName(/: Parts are missing$/);
});

test('unaccepted assignments are there when the portal opens, and are handed back with a reason', async ({
  browser,
  dispatch,
}) => {
  bringOrders(dispatch, 987_651, 987_652);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { page, id } = await openPortal(browser, dispatch);
  await page.goto('about:blank');
  for (const repairOrderNumber of ['987651', '987652']) {
    await owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber, idTechnician: id });
  }
  await page.goBack();
  await expect(banner(page).getByRole('alert')).toHaveText('2 new repair orders for you');
  await banner(page).getByRole('button', { name: 'Hand back RO 987651' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand back RO 987651' });
  await dialog.getByRole('radio', { name: 'Parts are missing' }).click();
  await dialog.getByRole('button', { name: 'Hand back' }).click();
  await expect(row(page, 987_651)).toBeHidden();
  await expect(banner(page).getByRole('alert')).toHaveText('New repair order for you');
  await expect.poll(async () => (await owner.receipt(id, 987_651))?.reason).toBe('Parts are missing');
  await banner(page).getByRole('button', { name: 'Got it' }).click();
  await expect.poll(async () => (await owner.receipt(id, 987_652))?.acceptedAt ?? null).not.toBeNull();
});

test('a technician opens the own portal alone; a user who may see all opens any, or learns that there is none', async ({
  browser,
  dispatch,
}) => {
  const { page, id } = await openPortal(browser, dispatch);
  const own = new RegExp(`/technicians/${id}$`);
  for (const path of ['/technicians', `/technicians/${id + 1}`, '/technicians/nobody']) {
    await page.goto(dispatch.url + path);
    await expect(page).toHaveURL(own);
    await expect(page.getByRole('table', { name: 'Repair orders' })).toBeVisible();
  }
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.page.goto(`${dispatch.url}/technicians/${id}`);
  await expect(desk.page.getByRole('heading', { level: 1 })).toHaveText(/'s Dashboard$/);
  await desk.page.goto(`${dispatch.url}/technicians/9999999`);
  await expect(desk.page.getByRole('heading', { name: 'There is no technician 9999999' })).toBeVisible();
  await desk.page.getByRole('link', { name: 'To the repair orders' }).click();
  await expect(desk.page).toHaveURL(/\/dashboard$/);
});

test('the list has the specified columns and order', async ({ browser, dispatch }) => {
  const numbers = [987_651, 987_652, 987_653, 987_654, 987_655, 987_656];
  bringOrders(dispatch, ...numbers);
  const { page, id } = await openPortal(browser, dispatch);
  const heads = page.getByRole('table', { name: 'Repair orders' }).getByRole('columnheader');
  await expect(heads).toHaveText([
    'RO Details',
    'Vehicle Info',
    'Status',
    'Priority',
    'Advisor',
    'Jobs',
    'Timeline',
  ]);
  const owner = await Api.signIn(dispatch.url, OWNER);
  for (const repairOrderNumber of numbers) {
    await owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber, idTechnician: id });
  }
  // The server sorts by the same rule, and an order that names them twice has two rows.
  const expected = [...new Set(await owner.ordersOf(id))];
  expect(expected).toEqual(expect.arrayContaining(numbers));
  await expect.poll(() => listed(page)).toEqual(expected);
});

for (const width of [390, 720, 760, 1024]) {
  test(`a card of ${width} px or half of them says when its order is due`, async ({ page, dispatch }) => {
    await orderFor(dispatch);
    await page.setViewportSize({ width, height: 844 });
    await openSignedIn(page, dispatch, TECHNICIAN);
    await banner(page).getByRole('button', { name: 'Got it' }).click();
    const card = page.getByRole('article').filter({ hasText: String(ORDER) });
    const due = card.getByText(/^(ETA|Promised)$/).first();
    await due.scrollIntoViewIfNeeded();
    // Neither without width nor cut off by what is around it.
    await expect(due).toBeVisible();
    await expect(due).toBeInViewport({ ratio: 1 });
  });
}

test('at 200 % an order is in sight between the figures and the clock', async ({ page, dispatch }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await openSignedIn(page, dispatch, TECHNICIAN);
  await expect(clock(page)).toBeVisible();
  await expect(page.getByRole('article').first()).toBeInViewport({ ratio: 0.2 });
});

test('the heads of the list sort it up, down, and again as it is to be worked on', async ({
  browser,
  dispatch,
}) => {
  const { page } = await openPortal(browser, dispatch);
  const head = (name: string) =>
    page.getByRole('table', { name: 'Repair orders' }).getByRole('columnheader', { name });
  const press = (name: string) => head(name).getByRole('button').click();
  const sorted = (name: string, direction: string) =>
    expect(head(name)).toHaveAttribute('aria-sort', direction);
  await sorted('RO Details', 'none');
  const own = await listed(page);
  const upwards = own.toSorted((one, other) => one - other);
  await press('RO Details');
  await sorted('RO Details', 'ascending');
  await expect.poll(() => listed(page)).toEqual(upwards);
  await press('RO Details');
  await sorted('RO Details', 'descending');
  await expect.poll(() => listed(page)).toEqual(upwards.toReversed());
  await press('Advisor');
  await sorted('Advisor', 'ascending');
  await sorted('RO Details', 'none');
  await press('Advisor');
  await sorted('Advisor', 'descending');
  await press('Advisor');
  await sorted('Advisor', 'none');
  await expect.poll(() => listed(page)).toEqual(own);
});

test('one tap starts the clock on a job, and it runs on over a reload and on another device', async ({
  browser,
  dispatch,
}) => {
  bringOrders(dispatch, 987_651);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { page, id } = await openPortal(browser, dispatch);
  await owner.post('/api/repair-orders/technicians/assign', {
    repairOrderNumber: '987651',
    idTechnician: id,
  });
  await banner(page).getByRole('button', { name: 'Got it' }).click();
  await clockOut(page);
  await clock(page).getByRole('button', { name: 'Clock in' }).click();
  await expect(clock(page)).toContainText('On the clock, no job');
  await page.getByRole('button', { name: 'Start job 1 of RO 987651', exact: true }).click();
  await expect(clock(page)).toContainText('RO 987651, job 1');
  await page.getByRole('button', { name: 'Start job 2 of RO 987651', exact: true }).click();
  await expect(clock(page)).toContainText('RO 987651, job 2');
  await page.reload();
  await expect(clock(page)).toContainText('RO 987651, job 2');

  const other = await openPortal(browser, dispatch);
  await expect(clock(other.page)).toContainText('RO 987651, job 2');
  await other.page.getByRole('button', { name: 'Finish job' }).click();
  // It asks about a job of less than a minute, which on a busy machine this one may have taken.
  const question = other.page.getByRole('alertdialog');
  const reopen = other.page.getByRole('button', { name: 'Reopen job 2 of RO 987651' });
  await expect(question.or(reopen).first()).toBeVisible();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Finish job' }).click();
  await expect(clock(page)).toContainText('On the clock, no job');
  await expect(page.getByRole('button', { name: 'Reopen job 2 of RO 987651' })).toBeVisible();
  await clock(page).getByRole('button', { name: 'Clock out' }).click();
  await expect(clock(other.page)).toContainText('Off the clock');
});

test('an owner corrects clock entries, and the reason is shown beside them', async ({
  browser,
  dispatch,
}) => {
  const { id } = await openPortal(browser, dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await page.goto(`${dispatch.url}/technicians/${id}`);
  await page.getByRole('button', { name: 'Clock entries' }).click();
  const dialog = page.getByRole('dialog', { name: /^Clock entries of/ });
  await dialog.getByRole('button', { name: 'Earlier week' }).click();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  // A Monday's small hours, when nobody of the demo works.
  const start = dialog.getByLabel('Begins');
  const monday = (await start.inputValue()).slice(0, 10);
  await start.fill(`${monday}T03:00`);
  await dialog.getByLabel('Ends').fill(`${monday}T02:00`);
  await dialog.getByLabel('Reason').fill('Came in early');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('It would end before it begins.');
  await dialog.getByLabel('Ends').fill(`${monday}T04:10`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const entry = dialog
    .getByRole('listitem')
    .filter({ hasText: /3:00\sAM – 4:10\sAM/ })
    .first();
  await expect(entry).toContainText('1 h 10 min');
  await expect(entry).toContainText('Came in early');
  await entry.getByRole('button', { name: /^Delete the entry/ }).click();
  await dialog.getByLabel('Reason').fill('It was yesterday');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(entry).toContainText('Deleted');
  await expect(entry).toContainText('It was yesterday');
});

test('status, cause and notes changed in the portal appear at the desk', async ({ browser, dispatch }) => {
  bringOrders(dispatch, 987_651);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { page, id } = await openPortal(browser, dispatch);
  await owner.post('/api/repair-orders/technicians/assign', {
    repairOrderNumber: '987651',
    idTechnician: id,
  });
  await banner(page).getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'Status of RO 987651: Drop' }).click();
  await expect(page.getByRole('option')).toHaveCount(4);
  await page.getByRole('option', { name: 'Waiting' }).click();
  await expect(
    page.getByText('Status updated to Waiting and priority set to Waiting', { exact: true }),
  ).toBeVisible();
  // The priority only repeats the status beside it: the word is for screen readers.
  await expect(row(page, 987_651).locator('td').nth(3).getByText('Waiting', { exact: true })).toHaveClass(
    /sr-only/,
  );
  await expect(row(page, 987_651)).toContainText('No opcode');

  await page.getByRole('link', { name: 'Open repair order 987651', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Repair Order #987651 Details' });
  await expect(dialog).toContainText('Concern: Rattles');
  await expect(dialog).toContainText('No OpCode');
  await expect(dialog).toContainText('No concern noted');
  await expect(dialog).toContainText('No technician story available yet');
  await dialog.getByRole('textbox', { name: /Cause of job 1/ }).fill('Loose heat shield');
  await dialog.getByRole('textbox', { name: /Notes on job 1/ }).fill('Tightened');
  await page.keyboard.press('Escape');
  // What was not saved is still there.
  await page.reload();
  await expect(dialog).toBeHidden();
  await page.getByRole('link', { name: 'Open repair order 987651', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: /Notes on job 1/ })).toHaveValue('Tightened');
  await dialog.getByRole('button', { name: 'Save job 1' }).click();
  await expect(dialog.getByRole('button', { name: 'Save job 1' })).toBeHidden();
  await expect.poll(() => owner.jobText(987_651, 1)).toEqual(['Loose heat shield', 'Tightened']);
});

test("a status picked in the portal is undone from its toast, and survives somebody else's in the open picker", async ({
  browser,
  dispatch,
}) => {
  bringOrders(dispatch, 987_651);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const { page, id } = await openPortal(browser, dispatch);
  await owner.post('/api/repair-orders/technicians/assign', {
    repairOrderNumber: '987651',
    idTechnician: id,
  });
  await banner(page).getByRole('button', { name: 'Got it' }).click();
  const status = (name: string) => page.getByRole('button', { name: `Status of RO 987651: ${name}` });
  await status('Drop').click();
  await page.getByRole('option', { name: 'Waiting' }).click();
  await expect(status('Waiting')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Change undone', { exact: true })).toBeVisible();
  await expect(status('Drop')).toBeVisible();

  await status('Drop').click();
  await owner.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: '987651', idStatus: '12', expectedVersion: null }],
  });
  await expect(page.getByRole('dialog').getByText('Now Used, by Olivia Owens')).toBeVisible();
  await page.getByRole('option', { name: 'PDI' }).click();
  await expect(
    page.getByText('Status updated to PDI and priority set to Low', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText(/^Refused:/)).toHaveCount(0);
  await expect(status('PDI')).toBeVisible();
});

test('on a phone a status is undone from the tray of the last changes once its toast is gone', async ({
  browser,
  dispatch,
}) => {
  await orderFor(dispatch);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await (await browser.newContext(phone)).newPage();
  await openSignedIn(page, dispatch, TECHNICIAN);
  await banner(page).getByRole('button', { name: 'Got it' }).click();
  const status = (name: string) => page.getByRole('button', { name: `Status of RO ${ORDER}: ${name}` });
  await status('Drop').click();
  await page.getByRole('option', { name: 'PDI' }).click();
  await expect(status('PDI')).toBeVisible();
  // It lies over the navigation bar: what is below it, a heading or a dialog's, stays in sight.
  const toast = page
    .getByRole('listitem')
    .filter({ hasText: 'Status updated to PDI and priority set to Low' });
  const bar = await page.getByRole('banner').boundingBox();
  const upperQuarter = (bar?.y ?? 0) + (bar?.height ?? 0) / 4;
  // Once it has slid in.
  await expect.poll(async () => (await toast.boundingBox())?.y).toBeLessThan(upperQuarter);
  await dismissToast(page);
  await expect(page.getByText('Status updated to PDI and priority set to Low')).toHaveCount(0);

  const open = page.getByRole('button', { name: 'Your last changes' });
  const box = await open.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await open.click();
  const change = page.getByRole('dialog', { name: 'Your last changes' }).getByRole('listitem');
  await expect(change).toContainText('Status: Drop → PDI');
  await change.getByRole('button', { name: `Undo: RO ${ORDER}` }).click();
  await expect(change).toContainText('Undone');
  await page.keyboard.press('Escape');
  await expect(status('Drop')).toBeVisible();
  await page.reload();
  await expect(status('Drop')).toBeVisible();
});
