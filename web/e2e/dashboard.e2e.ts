// The desk's list: tabs, search, sort order and columns.

import { displayedStatus } from '../src/rules/displayed-status.ts';
import { ADVISOR, Desk, expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import { Api, type ApiRow, orderFile } from './server-api.ts';

const HOUR_MS = 3_600_000;

const categories = {
  All: 'All Repair Orders',
  Waiting: 'Waiting Customers',
  Drop: 'Drop-offs',
  PDI: 'Pre-Delivery Inspection',
  Used: 'Used Vehicles',
  Unassigned: 'Unassigned Orders',
};

test('the rail has a tab for each category, with its count, and shows its name after 700 ms', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  const [[toEngine] = []] = await api.orders();
  await api.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: String(toEngine?.repairOrderNumber), idStatus: '14' }],
  });
  const orders = await api.orders();
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const rail = desk.page.getByRole('tablist', { name: 'Categories' });
  // ENG has none (as Trans), though there is such an order: it is shown as Drop.
  expect(orders.some(([row]) => row?.appCustomerStatus === 'ENG')).toBe(true);
  await expect(rail.getByRole('tab')).toHaveText(Object.keys(categories).map((tab) => new RegExp(`${tab}$`)));
  await expect.poll(() => desk.count('All')).toBe(orders.length);
  await expect
    .poll(() => desk.count('Drop'))
    .toBe(orders.filter(([row]) => row && displayedStatus(row) === 'Drop').length);

  await desk.page.evaluate(() => {
    document.addEventListener('pointermove', () => {
      document.documentElement.dataset.movedAt ??= String(performance.now());
    });
    new MutationObserver(() => {
      if (document.querySelector('[role="tooltip"]') === null) return;
      document.documentElement.dataset.toldAt ??= String(performance.now());
    }).observe(document.body, { childList: true, subtree: true });
  });
  const tip = desk.page.getByRole('tooltip');
  for (const [tab, name] of Object.entries(categories)) {
    // A real pointer arrives in many small movements.
    await desk.page.mouse.move(700, 300, { steps: 5 });
    await expect(tip).toBeHidden();
    await desk.tab(tab).hover();
    await expect(tip).toHaveText(`${name}${await desk.count(tab)} orders`);
  }
  const { movedAt, toldAt } = await desk.page.evaluate(() => ({ ...document.documentElement.dataset }));
  expect(Number(toldAt) - Number(movedAt)).toBeGreaterThan(650);

  const closed = orders.flatMap(([row]) =>
    row && displayedStatus(row) === 'PDI' ? (row.displayNumber ?? String(row.repairOrderNumber)) : [],
  );
  dispatch.importFile(
    'closed.csv',
    ['number,status', ...closed.map((number) => `${number},Closed`)].join('\n'),
  );
  await expect(desk.tab('PDI')).toHaveText('PDI');
  await desk.page.mouse.move(700, 300, { steps: 5 });
  await desk.tab('PDI').hover();
  await expect(tip).toHaveText('Pre-Delivery Inspection0 orders');
  await desk.tab('PDI').click();
  await expect(desk.page.getByText('No repair orders found matching your criteria')).toBeVisible();
  await expect(desk.page.getByText('Try changing your search or filter settings')).toBeVisible();
});

test('four cards summarise the list, the tab Used has other cards, and the navigation bar leads home and signs out', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const { page } = desk;
  const names = page.getByRole('tabpanel').getByRole('term');
  const card = (name: string) => page.getByTitle(new RegExp(`^${name}:`));
  const figure = (name: string) => card(name).getByRole('definition').first();
  await expect(names).toHaveText([
    'Total Active ROs',
    'Waiting Customers',
    'Completed Today',
    'Average Wait Time',
  ]);
  // The average has its comparison as soon as somebody who waited has left today; `figures.e2e.ts` sees to that.
  await expect(card('Completed Today')).toContainText('from yesterday');
  for (const name of ['Total Active ROs', 'Waiting Customers'])
    await expect(card(name)).not.toContainText('from yesterday');
  await expect(figure('Total Active ROs')).toHaveText(String(await desk.count('All')));
  await expect(figure('Waiting Customers')).toHaveText(String(await desk.count('Waiting')));
  await expect(card('Waiting Customers')).not.toContainText('Whole shop');
  await desk.tab('PDI').click();
  await expect(figure('Total Active ROs')).toHaveText(String(await desk.count('PDI')));
  await expect(card('Total Active ROs')).toContainText('This list');
  for (const name of ['Waiting Customers', 'Completed Today', 'Average Wait Time'])
    await expect(card(name)).toContainText('Whole shop');
  await expect(figure('Waiting Customers')).toHaveText(String(await desk.count('Waiting')));
  await desk.find((await desk.top())[0] ?? '');
  await expect(figure('Total Active ROs')).toHaveText(`1 of ${await desk.count('PDI')}`);
  await desk.tab('Used').click();
  await expect(names).toHaveText([
    /^Completed in \w+$/,
    'Avg Time Before Service',
    'Avg Time in Service',
    'Avg Time with Tech',
  ]);

  await page.getByRole('link', { name: 'Dispatch home' }).click();
  await expect(page).toHaveURL(/\/dashboard(\?|$)/);
  await page.getByRole('button', { name: 'Sign out' }).hover();
  await expect(page.getByRole('tooltip')).toHaveText('Sign out');
});

test('search finds by every field, whatever the case, 300 ms after the last letter', async ({
  page,
  dispatch,
}) => {
  await page.clock.install();
  dispatch.importFile(
    'orders.json',
    orderFile({
      repairOrderNumber: 987_654,
      vehicleVIN: 'WVWZZZ1JZXW000001',
      vehicle: '1989 Zastava Yugo GVL',
      customer: 'QUILLFEATHER,XENIA',
      advisor: 'Ignatius Vanterpool',
      regularIdTechnician: 9_001,
      regularTechFullName: 'Wilhelmina Oxenstierna',
      ETLIdTechnician: 9_002,
      ETLTechFullName: 'Bartholomew Zimmerli',
    }),
  );
  await openSignedIn(page, dispatch, ADVISOR);
  const desk = new Desk(page);
  await desk.isLive();
  const found = [
    '987654',
    'wvwzzz1jzxw000001',
    'zastava YUGO',
    'quillfeather, xenia',
    'OXENSTIERNA',
    'bartholomew zimm',
    'VANTERPOOL',
  ];
  for (const text of found) {
    await desk.search('no such order');
    await expect(page.getByText('No repair orders found matching your criteria')).toBeVisible();
    await desk.search(text);
    await expect(desk.row('987654'), text).toBeVisible();
    await expect(desk.table, text).toHaveAttribute('aria-rowcount', '2');
  }

  await page.clock.pauseAt(Date.now() + 5_000);
  await desk.type('no such order');
  await page.clock.runFor(290);
  await desk.type('no such order at all');
  await page.clock.runFor(290);
  await expect(desk.row('987654')).toBeVisible();
  await page.clock.runFor(20);
  await expect(page.getByText('No repair orders found matching your criteria')).toBeVisible();
});

test('All and Unassigned are sorted by urgency, the other tabs by descending number', async ({
  browser,
  dispatch,
}) => {
  // Some of each kind, whatever the sample shop has at this hour.
  const kinds = [
    ['Waiting', 'Waiting'],
    ['Drop', 'High'],
    ['Drop', 'Medium'],
    ['Drop', 'Low'],
    ['Used', 'Low'],
    ['PDI', 'Low'],
  ];
  const ofKind = ([customerStatus, priorityName]: string[], place: number) =>
    [987_650 + place, 987_660 + place].map((repairOrderNumber) => ({
      repairOrderNumber,
      customerStatus,
      priorityName,
    }));
  dispatch.importFile('orders.json', orderFile(...kinds.flatMap(ofKind)));
  const api = await Api.signIn(dispatch.url, OWNER);
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const orders = await api.orders();
  const numbers = (some: ApiRow[][]) => some.map(([row]) => String(row?.repairOrderNumber));
  const newestFirst = (one: ApiRow[], other: ApiRow[]) =>
    (other[0]?.repairOrderNumber ?? 0) - (one[0]?.repairOrderNumber ?? 0);
  const groups = ['Waiting', 'Drop Waiting', 'Drop High', 'Drop Medium', 'Drop Low', 'Used', 'PDI'];
  const group = ([row]: ApiRow[]) => {
    const status = row === undefined ? '' : displayedStatus(row);
    return groups.indexOf(status === 'Drop' ? `Drop ${row?.priorityName}` : status);
  };
  const byUrgency = orders.toSorted((one, other) => group(one) - group(other) || newestFirst(one, other));
  expect(new Set(byUrgency.map(group)).size).toBeGreaterThanOrEqual(6);

  await expect.poll(() => desk.inList()).toEqual(numbers(byUrgency));
  await desk.tab('Unassigned').click();
  const unassigned = byUrgency.filter((rows) => rows.every((row) => row.regularIdTechnician === null));
  await expect.poll(() => desk.inList()).toEqual(numbers(unassigned));
  for (const tab of ['Waiting', 'Drop', 'PDI', 'Used']) {
    await desk.tab(tab).click();
    await expect(desk.tab(tab)).toHaveAttribute('aria-selected', 'true');
    const ofTab = orders.filter(([row]) => row && displayedStatus(row) === tab).toSorted(newestFirst);
    await expect.poll(() => desk.inList(), tab).toEqual(numbers(ofTab));
  }
});

test('each column shows its values, and overdue or soon due orders say so in words', async ({
  browser,
  dispatch,
}) => {
  const now = Date.now();
  const iso = (at: number) => new Date(at).toISOString();
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: 987_651,
        customer: "O'BRIEN-SMITH,MARY",
        createDateTime: iso(now - HOUR_MS),
        priorityName: 'High',
        regularIdTechnician: 1112,
        ETLIdTechnician: 1202,
        jobs: [
          { jobNumber: 2, concern: 'Rattles', operations: [] },
          { jobNumber: 1, concern: 'Squeals', operations: [{ operationCode: 'BRKF' }] },
        ],
      },
      { repairOrderNumber: 987_652, createDateTime: iso(now - 5 * HOUR_MS) },
      {
        repairOrderNumber: 987_653,
        createDateTime: iso(now - 5 * HOUR_MS),
        promisedDateTime: iso(now + 20.5 * 60_000),
      },
      {
        repairOrderNumber: 987_655,
        createDateTime: iso(now - 5 * HOUR_MS),
        promisedDateTime: iso(now + 2 * HOUR_MS),
      },
    ),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.search('98765');
  await expect(desk.table.getByRole('columnheader')).toHaveText([
    'RO Details',
    'Vehicle Info',
    'Status',
    'Priority',
    'Assignment',
    'Jobs',
    'Timeline',
  ]);
  const zone = await desk.page.evaluate(() => {
    const settings = document.querySelector('meta[name="dispatch-shop"]')?.getAttribute('content');
    return JSON.parse(settings ?? '{}').timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  });
  // Of another day the day stands before it.
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' });
  // Node and Chromium put different spaces before AM.
  const time = (at: number) => new RegExp(`${format.format(at).replace(/\s/, '\\s')}$`, 'm');

  const order = '987651';
  await expect(await desk.cell(order, 'RO Details')).toHaveText(`${order}O'Brien-Smith, Mary`);
  await expect(await desk.cell(order, 'Vehicle Info')).toHaveText('2003 Honda Accord EX1HGCM82633A004352');
  await expect(await desk.cell(order, 'Status')).toHaveText('Drop');
  await expect(await desk.cell(order, 'Priority')).toHaveText('High');
  const assignment = await desk.cell(order, 'Assignment');
  await expect(assignment).toContainText('Bo Li');
  await expect(assignment).toContainText('Dana Whitfield');
  const etl = assignment.getByRole('emphasis');
  await expect(etl).toHaveText(/T_tech: Conor O'Sullivan$/);
  await expect(etl).toHaveCSS('font-style', 'italic');
  await expect(await desk.cell(order, 'Jobs')).toHaveText('1. BRKF 2. No opcode');
  const timeline = await desk.cell(order, 'Timeline');
  await expect(timeline).toHaveText(/^ETA.*Opened/);
  await expect(timeline).not.toContainText(/Overdue|Due/);
  const texts = async () => await timeline.innerText();
  expect(await texts()).toMatch(time(now + 2 * HOUR_MS));

  await expect(await desk.cell('987652', 'Assignment')).toContainText('Unassigned');
  await expect(await desk.cell('987652', 'Jobs')).toHaveText('No jobs assigned');
  const late = await desk.cell('987652', 'Timeline');
  await expect(late).toContainText(/Overdue 2 h [0-5] min/);
  // What has no room is not seen: the word never goes.
  await expect(late.getByText('Overdue', { exact: true })).toBeInViewport();
  await expect(await desk.cell('987653', 'Timeline')).toContainText(/Due in (1[5-9]|20|21) min/);
  // The promised time goes before the ETA of three hours.
  await expect(await desk.cell('987655', 'Timeline')).not.toContainText(/Overdue|Due/);
  expect(await (await desk.cell('987655', 'Timeline')).innerText()).toMatch(time(now + 2 * HOUR_MS));
});

test('on Unassigned several orders are selected, dispatched together, and undone', async ({
  browser,
  dispatch,
}) => {
  const owner = await openDesk(browser, dispatch, OWNER);
  const boxes = owner.table.getByRole('checkbox', { name: /^Select RO/ });
  await expect(boxes).toHaveCount(0);
  const before = await owner.count('Unassigned');
  await owner.tab('Unassigned').click();
  await expect(boxes.first()).toBeVisible();
  const orders = (await owner.top()).slice(0, 3);
  for (const [place, order] of orders.entries()) {
    await owner.page.getByRole('checkbox', { name: `Select RO ${order}` }).check();
    await expect(owner.page.getByText(`${place + 1} RO(s) selected`, { exact: true })).toBeVisible();
  }
  await owner.page.getByRole('button', { name: 'Batch Dispatch' }).click();
  const dialog = owner.dialog('Batch Dispatch 3 ROs');
  for (const order of orders) await expect(dialog.getByText(order, { exact: true })).toBeVisible();
  const verb = dialog.getByRole('button', { name: 'Dispatch', exact: true });
  await expect(verb).toBeEnabled();
  await dialog
    .getByRole('listbox', { name: 'Technician' })
    .getByRole('option', { name: /^Bo Li/ })
    .click();
  const boLi = (await (await Api.signIn(dispatch.url, OWNER)).technicians()).find(
    ({ displayName }) => displayName === 'Bo Li',
  );
  for (const order of orders) {
    await expect(dialog.getByLabel(`Technician for RO ${order}`)).toHaveValue(String(boLi?.idTechnician));
  }
  await verb.click();
  await expect(owner.page.getByText('Technician assigned successfully', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect.poll(() => owner.count('Unassigned')).toBe(before - 3);
  await expect(owner.page.getByText(/RO\(s\) selected/)).toHaveCount(0);
  await expect(boxes.first()).toBeVisible();
  for (const order of orders) await expect(owner.row(order)).toHaveCount(0);

  await owner.page.getByRole('button', { name: 'Undo' }).click();
  await owner.says('Change undone');
  for (const order of orders) await expect(owner.row(order)).toContainText('Unassigned');
  await expect.poll(() => owner.count('Unassigned')).toBe(before);
});

test('the list shows that it is loading, why loading failed, and the orders once it succeeds', async ({
  page,
  gateway,
}) => {
  const desk = new Desk(page);
  const isList = (_: string, path: string) => path === '/api/repair-orders';
  gateway.hold(isList);
  await openSignedIn(page, gateway, ADVISOR);
  await expect(page.getByText('Loading repair orders...', { exact: true })).toBeVisible();
  for (const column of ['RO Details', 'Vehicle Info', 'Timeline']) {
    await expect(page.getByText(column, { exact: true })).toBeVisible();
  }
  gateway.release();
  await expect(desk.table).toBeVisible();
  await expect(page.getByText('Loading repair orders...')).toBeHidden();

  // The stream would trigger a retry, so it is cut: the button does it.
  gateway.cutStream();
  gateway.lose(isList);
  await page.reload();
  await expect(page.getByText('Repair orders could not be loaded', { exact: true })).toBeVisible();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible();
  await expect(desk.table).toBeHidden();
  gateway.deliverAll();
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    // Once a minute the page tries by itself, and on a busy machine this may be before the click.
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(desk.table).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByText('Disconnected', { exact: true })).toBeHidden();
  gateway.restoreStream();
  await desk.isLive();
});
