// A foreman's morning at the technicians' dashboard, while another desk works and the demo shop goes on by itself: what
// needs a hand is put right from there, one thing after another, and goes from the list without a reload. In the end the
// screen shows what the server has.
import type { Browser } from '@playwright/test';
import { TECHNICIAN } from './bay.ts';
import { clearClock, clockOf, entriesOf, HOUR_MS, MINUTE_MS, tapAgo } from './clock-records.ts';
import { type Desk, expect, OWNER, openDesk, saysInToast, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { floorAttention, floorTechnicians } from './floor-records.ts';
import { ForemanScreen } from './foreman-screen.ts';
import type { Gateway } from './gateway.ts';
import { MIDDAY_SHOP } from './midday.ts';
import { Phone } from './phone.ts';
import { Api, orderFile } from './server-api.ts';

const DISPATCHER = 'admin@example.com';
const COLLEAGUE = 'tech2@example.com';
/** Imported after the shop began to move, which touches only the orders that it knows. */
const FIRST = 987_701;
const [HANDED_BACK, NOT_ACCEPTED, DUE_SOON, FORGOTTEN] = [FIRST, FIRST + 1, FIRST + 2, FIRST + 3] as const;
const [FOR_THE_IDLE, MOVED, AT_THE_DESK] = [FIRST + 4, FIRST + 5, FIRST + 6] as const;

interface Person {
  id: number;
  name: string;
}

interface Morning {
  dispatch: Dispatch;
  foreman: ForemanScreen;
  /** The same screen on the wall, which nobody leaves. */
  wall: ForemanScreen;
  /** Another desk. */
  desk: Desk;
  phone: Phone;
  owner: Api;
  /** Has the phone. */
  technician: Person;
  colleague: Person;
}

test.setTimeout(900_000);
test.use({ demo: 'moving', serveOptions: MIDDAY_SHOP });

function importCars(dispatch: Dispatch): void {
  const jobs = [
    { jobNumber: 1, concern: 'Pulls to the left', operations: [{ operationCode: 'ALIGN', soldHours: 1.2 }] },
  ];
  const promised = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const cars = [HANDED_BACK, NOT_ACCEPTED, DUE_SOON, FORGOTTEN, FOR_THE_IDLE, MOVED, AT_THE_DESK].map(
    (repairOrderNumber) => ({
      repairOrderNumber,
      jobs,
      promisedDateTime: promised(repairOrderNumber === DUE_SOON ? 0.4 : 5),
    }),
  );
  dispatch.importFile('cars.json', orderFile(...cars));
}

async function personOf(dispatch: Dispatch, owner: Api, email: string): Promise<Person> {
  const api = await Api.signIn(dispatch.url, email);
  const { technicianId: id } = await api.get<{ technicianId: number }>('/api/auth/me');
  const found = (await floorTechnicians(owner)).find(({ technicianId }) => technicianId === id);
  return { id, name: found?.fullName ?? '' };
}

function give(owner: Api, order: number, to: Person): Promise<void> {
  return owner.post('/api/repair-orders/technicians/assign', {
    repairOrderNumber: String(order),
    idTechnician: to.id,
  });
}

async function technicianOf(owner: Api, order: number): Promise<(string | null)[]> {
  const rows = (await owner.orders()).flat().filter(({ repairOrderNumber }) => repairOrderNumber === order);
  return rows.map(({ regularTechFullName }) => regularTechFullName);
}

/** One technician has clocked in and has no job; a colleague's clock runs since yesterday. */
async function beginMorning(browser: Browser, dispatch: Dispatch, gateway: Gateway): Promise<Morning> {
  importCars(dispatch);
  const owner = await Api.signIn(dispatch.url, OWNER);
  const technician = await personOf(dispatch, owner, TECHNICIAN);
  const colleague = await personOf(dispatch, owner, COLLEAGUE);
  for (const { id } of [technician, colleague]) await clearClock(owner, id);
  for (const order of [FORGOTTEN, MOVED]) await give(owner, order, colleague);
  await tapAgo(owner, colleague.id, 14 * 60, { action: 'start', roNumber: FORGOTTEN, jobNumber: 1 });
  // Whoever has had no job for ten minutes needs a hand.
  await tapAgo(owner, technician.id, 12, { action: 'clock-in' });
  const foreman = await ForemanScreen.open(browser, dispatch);
  const wall = await ForemanScreen.open(browser, dispatch);
  const desk = await openDesk(browser, dispatch, DISPATCHER);
  const phone = await Phone.signIn(browser, gateway, TECHNICIAN);
  for (const order of [HANDED_BACK, NOT_ACCEPTED]) await give(owner, order, technician);
  return { dispatch, foreman, wall, desk, phone, owner, technician, colleague };
}

/** Each comes up on the open screen, also what happens only now. */
async function seeWhatNeedsHand({ foreman, phone, technician, colleague }: Morning): Promise<void> {
  await foreman.needsHand(`${DUE_SOON} No technician · promised`);
  await foreman.needsHand(`${colleague.name} may have forgotten the clock`);
  await foreman.needsHand(`${technician.name} free since`);
  await foreman.isSettled(String(HANDED_BACK));
  await phone.handBack(HANDED_BACK, 'Not my skill');
  await foreman.needsHand(`${HANDED_BACK} handed back by ${technician.name}: Not my skill`);
}

/** Three minutes pass on the foreman's screen; then somebody calls the technician, who accepts. */
async function settleAcceptance({ foreman, phone, owner, technician }: Morning): Promise<void> {
  const what = `${NOT_ACCEPTED} not accepted by ${technician.name} since`;
  await foreman.isSettled(what);
  await expect(async () => {
    await foreman.page.clock.fastForward('03:01');
    // The next of the server's messages put the screen's clock right again.
    await foreman.needsHand(what, 10_000);
  }).toPass({ timeout: 120_000 });
  await phone.accept(NOT_ACCEPTED);
  await expect
    .poll(async () => (await owner.receipt(technician.id, NOT_ACCEPTED))?.acceptedAt ?? null)
    .not.toBeNull();
  await foreman.isSettled(what);
  // However long it takes from now on.
  await foreman.page.clock.fastForward('03:01');
  await foreman.isSettled(what);
}

/** From the line to the order, to the technician that the dialog proposes, and back. */
async function dispatchToSuggested(
  { foreman, wall, owner }: Morning,
  order: number,
  what: string,
): Promise<void> {
  const { page } = foreman;
  await foreman.follow(what);
  const details = page.getByRole('region', { name: `Repair Order #${order} Details`, exact: true });
  await details.getByRole('button', { name: `Dispatch RO ${order}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Dispatch RO/ });
  const proposal = dialog.getByText(
    /^(Best fit|Nobody (who fits has room today|has all the skills)\. First choice): ./,
  );
  const suggested = (await proposal.innerText()).replace(/^[^:]+: /, '');
  await dialog.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await saysInToast(page, 'Technician assigned successfully');
  await expect.poll(() => technicianOf(owner, order)).toEqual([suggested]);
  await wall.isSettled(what);
  await foreman.goBack();
  await foreman.isSettled(what);
}

/** The foreman says on the technician's clock when they stopped. */
async function correctForgottenClock({ foreman, wall, owner, colleague }: Morning): Promise<void> {
  const { page } = foreman;
  const what = `${colleague.name} may have forgotten the clock`;
  await foreman.follow(what);
  await expect(page).toHaveURL(new RegExp(`/technicians/${colleague.id}$`));
  await page.getByRole('button', { name: 'Clock entries', exact: true }).click();
  const entries = page.getByRole('dialog', { name: /^Clock entries of/ });
  // Those that were deleted have no such button.
  await entries.getByRole('button', { name: /^Correct the entry/ }).click();
  const begins = Date.parse(`${await entries.getByLabel('Begins').inputValue()}Z`);
  const ends = new Date(begins + 8 * HOUR_MS).toISOString().slice(0, 16);
  await entries.getByLabel('Ends').fill(ends);
  await entries.getByLabel('Reason').fill('Went home at the end of the shift');
  await entries.getByRole('button', { name: 'Save' }).click();
  await expect(entries.getByText(/Went home at the end of the shift/)).toBeVisible();
  const [corrected, ...others] = await entriesOf(owner, colleague.id);
  expect(others).toEqual([]);
  expect(corrected).toMatchObject({ roNumber: FORGOTTEN, jobNumber: 1, forgotten: false });
  const lasted = Date.parse(corrected?.endedAt ?? '') - Date.parse(corrected?.startedAt ?? '');
  expect(Math.abs(lasted - 8 * HOUR_MS)).toBeLessThanOrEqual(MINUTE_MS);
  expect((await clockOf(owner, colleague.id)).running).toBeNull();
  await wall.isSettled(what);
  await page.keyboard.press('Escape');
  await foreman.goBack();
  await foreman.isSettled(what);
}

/** At the same time: another desk changes an order, and gives one to the technician who has no job. */
async function workAtAnotherDesk({ desk, technician }: Morning): Promise<void> {
  await desk.find(String(AT_THE_DESK));
  await desk.pickStatus(String(AT_THE_DESK), 'PDI');
  await desk.says('Status updated to PDI and priority set to Low');
  await desk.pickPriority(String(AT_THE_DESK), 'High');
  await desk.says('Priority updated to High');
  await desk.find(String(FOR_THE_IDLE));
  await desk.act('Dispatch RO', String(FOR_THE_IDLE));
  const dialog = desk.dialog(/^Dispatch RO/);
  await dialog.getByRole('combobox').fill(technician.name);
  await desk
    .option(new RegExp(`^${technician.name}`))
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await desk.says('Technician assigned successfully');
}

/** The phone has the car at once; with its job begun the technician goes from the list. */
async function putIdleToWork({ foreman, phone, owner, technician }: Morning): Promise<void> {
  await phone.accept(FOR_THE_IDLE);
  await foreman.needsHand(`${technician.name} free since`);
  await phone.startJob(FOR_THE_IDLE, 1);
  await foreman.isSettled(`${technician.name} free since`);
  await expect(foreman.row(technician.name)).toContainText(`RO ${FOR_THE_IDLE} job 1 · `);
  const { running } = await clockOf(owner, technician.id);
  expect(running).toMatchObject({ roNumber: FOR_THE_IDLE, jobNumber: 1 });
}

/** A car goes from the colleague's row to the technician's, on every screen, and the phone has it at once. */
async function moveCar({ foreman, wall, phone, owner, technician, colleague }: Morning): Promise<void> {
  expect(await technicianOf(owner, MOVED)).toEqual([colleague.name]);
  for (const screen of [foreman, wall]) await screen.hasCar(colleague.name, MOVED);
  await foreman.moveCar(MOVED, colleague.name, technician.name);
  // The row shows it before the server has it.
  await expect.poll(() => technicianOf(owner, MOVED)).toEqual([technician.name]);
  for (const screen of [foreman, wall]) {
    await screen.hasCar(technician.name, MOVED);
    await expect(screen.car(colleague.name, MOVED)).toHaveCount(0);
  }
  await expect(phone.assignment(MOVED)).toContainText('ALIGN Pulls to the left');
  await phone.accept(MOVED);
  await expect(phone.order(MOVED).first()).toBeVisible();
}

/** And back again by mouse, on every screen, and from the phone's list. */
async function dragCarBack({ foreman, wall, phone, owner, technician, colleague }: Morning): Promise<void> {
  await foreman.dragCar(MOVED, technician.name, colleague.name);
  await expect.poll(() => technicianOf(owner, MOVED)).toEqual([colleague.name]);
  for (const screen of [foreman, wall]) {
    await screen.hasCar(colleague.name, MOVED);
    await expect(screen.car(technician.name, MOVED)).toHaveCount(0);
  }
  await expect(phone.order(MOVED)).toHaveCount(0);
}

/** What the screen shows of the technicians, and what needs a hand. */
async function expectOnScreen(screen: ForemanScreen, owner: Api): Promise<void> {
  const technicians = await floorTechnicians(owner);
  const expected = technicians.map(({ fullName, counts }): [string, number] => [fullName, counts.total]);
  expect(new Map(await screen.totals())).toEqual(new Map(expected));
  // Whoever asks asks again.
  const soon = { timeout: 1_000 };
  const idle = technicians.filter(({ clock }) => clock.state === 'idle').length;
  await expect(screen.page.getByRole('main')).toContainText(`${technicians.length} technicians`, soon);
  await expect(screen.page.getByRole('main')).toContainText(new RegExp(`\\b${idle} free`), soon);
  const attention = (await floorAttention(owner)).toSorted();
  const shown = (await screen.lines()).map((line) => line.replaceAll(/\s+/g, ' ')).toSorted();
  expect(shown).toEqual(attention.map((line) => expect.stringContaining(line)));
}

/** The shop closes and opens again without moving: the screens, which were never reloaded, show what the server has. */
async function expectAllOnScreens({ dispatch, foreman, wall, desk }: Morning): Promise<void> {
  // The three minutes that passed on this screen alone are forgotten by now.
  await expect.poll(async () => Math.abs(await foreman.ahead())).toBeLessThan(MINUTE_MS);
  await dispatch.kill();
  dispatch.demo = 'still';
  await dispatch.start();
  const owner = await Api.signIn(dispatch.url, OWNER);
  for (const screen of [foreman, wall]) {
    await expect(() => expectOnScreen(screen, owner)).toPass({ timeout: 120_000 });
    await screen.wasNotReloaded();
  }
  await desk.isLive();
  await desk.wasNotReloaded();
}

test('a foreman puts right what needs a hand, and it goes from the list while others work', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const morning = await beginMorning(browser, dispatch, gateway);
  const { technician } = morning;
  await test.step('what needs a hand', () => seeWhatNeedsHand(morning));
  await test.step('a car that was not accepted', () => settleAcceptance(morning));
  await test.step('cars that nobody has, and a forgotten clock', () =>
    Promise.all([
      (async () => {
        await dispatchToSuggested(morning, HANDED_BACK, `${HANDED_BACK} handed back by ${technician.name}`);
        await dispatchToSuggested(morning, DUE_SOON, `${DUE_SOON} No technician · promised`);
        await correctForgottenClock(morning);
      })(),
      workAtAnotherDesk(morning),
    ]));
  await test.step('a technician without a job', () => putIdleToWork(morning));
  await test.step('a car changes hands', () => moveCar(morning));
  await test.step('and goes back', () => dragCarBack(morning));
  await test.step('the end of the morning', () => expectAllOnScreens(morning));
});
