// An hour at the desk: a service advisor and two dispatchers do the ten commonest tasks at once, in part on the same
// orders, while the demo shop goes on by itself. Whoever is asked whether to keep a choice answers as a user would. In
// the end every screen shows what the server has.
import { displayedStatus } from '../src/rules/displayed-status.ts';
import { ADVISOR, type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, type ApiRow, orderFile } from './server-api.ts';

const DISPATCHER = 'admin@example.com';
/** Imported after the shop began to move, which touches only the orders that it knows. */
const FIRST = 987_601;
const CUSTOMERS = [
  'HOPPER,GRACE',
  ...Array(4).fill('HOUR,BUSY'),
  ...Array(5).fill('BATCH,FIVE'),
  'HOUR,LATE',
  'HOUR,LATE',
];
const [FOUND, STATUS, PRIORITY, UNDONE, DISPATCHED] = [
  '987601',
  '987602',
  '987603',
  '987604',
  '987605',
] as const;
const [REASSIGNED, REMOVED] = ['987611', '987612'] as const;
const VIN = '1HGCM82633A009999';

test.setTimeout(900_000);
test.use({ demo: 'moving' });

function importOrders(dispatch: Dispatch): void {
  const orders = CUSTOMERS.map((customer, place) => ({
    repairOrderNumber: FIRST + place,
    customer,
    priorityName: 'Low',
    ...(place === 0 && { vehicleVIN: VIN }),
  }));
  dispatch.importFile('orders.json', orderFile(...orders));
}

/** Both go on when both are here, so that they act at the same moment. */
function meetingPoint(): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived++;
    if (arrived === 2) open();
    return all;
  };
}

/**
 * Waits until what was chosen is done. Where somebody was faster the desk asks: `verb` is the button that sends the choice
 * all the same; null leaves theirs.
 */
async function decide(desk: Desk, done: string, verb: string | null): Promise<void> {
  const { page } = desk;
  const toast = page.getByText(done, { exact: true });
  const answer = page.getByRole('button', { name: verb === null ? 'Take theirs' : 'Keep my choice' });
  let isLeft = false;
  await expect(async () => {
    if (isLeft || (await toast.isVisible())) return;
    await expect(toast.or(answer)).toBeVisible();
    if (!(await answer.isVisible())) return;
    await answer.click();
    if (verb === null) isLeft = true;
    else await page.getByRole('button', { name: verb, exact: true }).click();
    if (!isLeft) await expect(toast).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function openDispatch(desk: Desk, order: string, technician: RegExp): Promise<void> {
  await desk.find(order);
  await desk.act('Dispatch RO', order);
  await desk.option(technician).click();
}

async function dispatchTo(desk: Desk, order: string, technician: RegExp): Promise<void> {
  await openDispatch(desk, order, technician);
  await desk
    .dialog(/^Dispatch RO/)
    .getByRole('button', { name: 'Dispatch', exact: true })
    .click();
  await desk.says('Technician assigned successfully');
}

type Meet = Record<'status' | 'priority' | 'dispatch', () => Promise<void>>;

/** Finds a customer, copies a VIN, sets a status and a priority, and undoes a change. */
async function advise(desk: Desk, meet: Meet): Promise<void> {
  const { page } = desk;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk.search('grace hopper');
  await expect(desk.table).toHaveAttribute('aria-rowcount', '2');
  await expect(desk.row(FOUND)).toContainText('Hopper, Grace');
  await desk
    .row(FOUND)
    .getByRole('button', { name: `Copy VIN ${VIN}` })
    .click();
  await desk.says('VIN copied to clipboard');

  await desk.find(STATUS);
  await desk.status(STATUS).click();
  await meet.status();
  await desk.option('Used').click();
  await decide(desk, 'Status updated to Used and priority set to Low', 'Set Used');

  await desk.find(PRIORITY);
  await desk.act('Change priority of RO', PRIORITY);
  await meet.priority();
  await desk.option('High').click();
  await decide(desk, 'Priority updated to High', 'Set High');

  await desk.find(UNDONE);
  await desk.pickStatus(UNDONE, 'PDI');
  await expect(desk.status(UNDONE)).toHaveText('PDI');
  await page.getByRole('button', { name: 'Your last changes' }).click();
  const last = page.getByRole('dialog', { name: 'Your last changes' }).getByRole('listitem').first();
  await last.getByRole('button', { name: `Undo: RO ${UNDONE}` }).click();
  await expect(last).toContainText('Undone');
  await page.keyboard.press('Escape');
  await expect(desk.status(UNDONE)).toHaveText('Drop');

  // Beside the dispatcher, who gives it to somebody else meanwhile.
  await desk.find(REASSIGNED);
  await desk.pickStatus(REASSIGNED, 'PDI');
  await decide(desk, 'Status updated to PDI and priority set to Low', 'Set PDI');
}

/** Dispatches one order and a batch of five, and invites somebody. */
async function dispatchAndInvite(desk: Desk, meet: Meet): Promise<void> {
  const { page } = desk;
  await openDispatch(desk, DISPATCHED, /^Bo Li/);
  await meet.dispatch();
  await page.keyboard.press('Enter');
  await decide(desk, 'Technician assigned successfully', null);

  await desk.tab('Unassigned').click();
  await desk.search('batch five');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('5 RO(s) selected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Batch Dispatch' }).press('Enter');
  const batch = desk.dialog('Batch Dispatch 5 ROs');
  const verb = batch.getByRole('button', { name: 'Dispatch', exact: true });
  await expect(verb).toBeEnabled();
  await verb.click();
  await expect(batch).toHaveCount(0);

  await page.getByRole('link', { name: 'User Management' }).click();
  await page.getByLabel('Email', { exact: true }).fill('nina@example.com');
  await page.getByLabel('Name', { exact: true }).fill('Nina Nord');
  await page.getByRole('button', { name: 'Send Invitation', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'nina@example.com' })).toContainText('Pending');
}

/** Changes the same orders as the two others, and gives orders from one technician to another and to nobody. */
async function dispatchBeside(desk: Desk, meet: Meet): Promise<void> {
  const { page } = desk;
  await dispatchTo(desk, REASSIGNED, /^Bo Li/);
  await dispatchTo(desk, REMOVED, /^Bo Li/);

  await desk.find(STATUS);
  await desk.status(STATUS).click();
  await meet.status();
  await desk.option('PDI').click();
  await decide(desk, 'Status updated to PDI and priority set to Low', null);

  await desk.find(PRIORITY);
  await desk.act('Change priority of RO', PRIORITY);
  await meet.priority();
  await desk.option('Medium').click();
  await decide(desk, 'Priority updated to Medium', null);

  await openDispatch(desk, DISPATCHED, /^Hank Mueller/);
  await meet.dispatch();
  await page.keyboard.press('Enter');
  await decide(desk, 'Technician assigned successfully', null);

  await desk.find(REASSIGNED);
  await desk.act('Reassign technician of RO', REASSIGNED);
  await desk.option(/^Hank Mueller/).click();
  await page.getByRole('button', { name: 'Reassign', exact: true }).click();
  await decide(desk, 'Technician reassigned successfully', 'Reassign');

  await desk.find(REMOVED);
  await desk.act('Remove technician from RO', REMOVED);
  await expect(desk.row(REMOVED)).toContainText('Unassigned');
  // The row shows it before the server has it.
  await desk.says('Technician unassigned successfully');
}

/** Of each row of the list: its order, status and, where nobody has it, that. */
async function shown(desk: Desk): Promise<string[]> {
  const rows = await desk.rowsOfList();
  return rows
    .map(({ status, text }) => `${status}${text.includes('Unassigned') ? ' Unassigned' : ''}`)
    .sort();
}

function expectedRow([row]: ApiRow[]): string {
  if (row === undefined) throw new Error('an order has no rows');
  const nobody = row.regularIdTechnician === null ? ' Unassigned' : '';
  return `Status of RO ${row.displayNumber ?? row.repairOrderNumber}: ${displayedStatus(row)}${nobody}`;
}

test('an advisor and two dispatchers work an hour at once, and every screen ends with what the server has', async ({
  browser,
  dispatch,
}) => {
  importOrders(dispatch);
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const dispatcher = await openDesk(browser, dispatch, DISPATCHER);

  const meet: Meet = { status: meetingPoint(), priority: meetingPoint(), dispatch: meetingPoint() };
  await Promise.all([
    advise(advisor, meet),
    dispatchAndInvite(owner, meet),
    dispatchBeside(dispatcher, meet),
  ]);

  // The shop closes: nothing moves any more, and each desk comes back by itself.
  await dispatch.kill();
  dispatch.demo = 'still';
  await dispatch.start();
  await owner.page.goto(`${dispatch.url}/dashboard`);
  for (const desk of [advisor, dispatcher]) await desk.wasNotReloaded();
  const api = await Api.signIn(dispatch.url, OWNER);
  const orders = await api.orders();
  const of = (order: string) => orders.flat().filter((row) => row.repairOrderNumber === Number(order));
  const technicians = (order: string) => of(order).map((row) => row.regularTechFullName);
  // Whoever answered last has it; nobody was asked twice, and nothing was done twice.
  expect(['Used', 'PDI']).toContain(of(STATUS).map(displayedStatus)[0]);
  expect(['High', 'Medium']).toContain(of(PRIORITY)[0]?.priorityName);
  expect(of(UNDONE).map(displayedStatus)).toEqual(['Drop']);
  expect([['Bo Li'], ['Hank Mueller']]).toContainEqual(technicians(DISPATCHED));
  expect(technicians(REASSIGNED)).toEqual(['Hank Mueller']);
  expect(of(REASSIGNED).map(displayedStatus)).toEqual(['PDI']);
  expect(technicians(REMOVED)).toEqual([null]);
  for (let order = FIRST + 5; order < FIRST + 10; order++) {
    expect(technicians(String(order)), `RO ${order}`).toEqual([expect.any(String)]);
  }

  const expected = orders.map(expectedRow).sort();
  for (const desk of [advisor, owner, dispatcher]) {
    await desk.isLive();
    await desk.tab('All').click();
    await desk.search('');
    await expect(async () => expect(await shown(desk)).toEqual(expected)).toPass({ timeout: 120_000 });
  }
});
