// A technician's clock as they work with it: undoing a tap, finishing too soon, a clock that was forgotten, an order that
// is closed under it, a correction they propose, and the cars that come at once.
import { type Browser, expect, type Page } from '@playwright/test';
import { ORDER, orderFor, TECHNICIAN } from './bay.ts';
import { OWNER, openDesk, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { type Api, orderFile } from './server-api.ts';

interface Clock {
  running: { roNumber: number | null; jobNumber: number | null } | null;
  finishedJobs: { roNumber: number; jobNumber: number }[];
}

const HOUR_MS = 3_600_000;

const clock = (page: Page) => page.getByRole('region', { name: 'Job clock' });
const banner = (page: Page) => page.getByRole('region', { name: 'New assignments' });
const toast = (page: Page) => page.getByRole('region', { name: /^Notifications/ });

async function openPhone(browser: Browser, dispatch: Dispatch): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  await openSignedIn(page, dispatch, TECHNICIAN);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

async function acceptAll(page: Page): Promise<void> {
  await banner(page)
    .getByRole('button', { name: /^Got it/ })
    .last()
    .click();
  await expect(banner(page)).toBeHidden();
}

/** Whatever the demo's days had them at: no entry of this week and the one before is left. */
async function clearClock(owner: Api, technician: number): Promise<void> {
  const day = (before: number) => new Date(Date.now() - before * 24 * HOUR_MS).toISOString().slice(0, 10);
  const path = `/api/technicians/${technician}/clock/entries`;
  const entries = await owner.get<{ entryId: number; deleted: boolean }[]>(
    `${path}?from=${day(9)}&to=${day(-1)}`,
  );
  for (const { entryId, deleted } of entries) {
    if (!deleted) await owner.send('DELETE', `${path}/${entryId}`, { reason: 'A test begins' });
  }
}

/** The phone of a technician who is off the clock, with an order that they have accepted. */
async function openOffTheClock(browser: Browser, dispatch: Dispatch) {
  const { technician, api } = await orderFor(dispatch);
  await clearClock(api, technician);
  const page = await openPhone(browser, dispatch);
  await acceptAll(page);
  return { page, technician, api };
}

test('a tap is undone within ten seconds as if it had not been made, also without a connection', async ({
  browser,
  dispatch,
}) => {
  const { page, technician, api } = await openOffTheClock(browser, dispatch);
  const state = () => api.get<Clock>(`/api/technicians/${technician}/clock`);
  const startJob = page.getByRole('button', { name: `Start job 1 of RO ${ORDER}`, exact: true });
  await startJob.click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  await expect(toast(page)).toContainText(`Job 1 of RO ${ORDER} is running`);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(clock(page)).toContainText('Off the clock');
  await expect.poll(async () => (await state()).running).toBeNull();

  await startJob.click();
  await expect.poll(async () => (await state()).running?.roNumber).toBe(ORDER);
  await page.context().setOffline(true);
  await clock(page).getByRole('button', { name: 'Clock out' }).click();
  await expect(clock(page)).toContainText('Off the clock');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  await page.context().setOffline(false);
  await expect(page.getByText(/changes? waits? for the connection/)).toBeHidden();
  expect((await state()).running).toMatchObject({ roNumber: ORDER, jobNumber: 1 });
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
});

test('finishing a job that was hardly worked on asks first, and what comes next is named with a reason', async ({
  browser,
  dispatch,
}) => {
  const { page, technician, api } = await openOffTheClock(browser, dispatch);
  const next = page.getByRole('region', { name: 'Next' });
  await expect(next).toContainText(
    /customer waits|high priority|first in the list|begin by|promised|late since/i,
  );
  await page.getByRole('button', { name: `Start job 1 of RO ${ORDER}`, exact: true }).click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  // The car in hand stands above, and is not what comes next.
  await expect(page.getByRole('region', { name: 'Now', exact: true })).toContainText(String(ORDER));
  await expect(next).not.toContainText(String(ORDER));

  await clock(page).getByRole('button', { name: 'Finish job' }).click();
  const question = page.getByRole('alertdialog', { name: `Finish job 1 of RO ${ORDER}?` });
  await expect(question).toContainText(/Only 0:00:\d\d is clocked on it/);
  await question.getByRole('button', { name: 'Not yet' }).click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  await clock(page).getByRole('button', { name: 'Finish job' }).click();
  await question.getByRole('button', { name: 'Finish job' }).click();
  await expect(page.getByRole('button', { name: `Reopen job 1 of RO ${ORDER}` })).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  await expect
    .poll(async () => (await api.get<Clock>(`/api/technicians/${technician}/clock`)).finishedJobs)
    .not.toContainEqual(expect.objectContaining({ roNumber: ORDER }));
});

test('an order that is closed under a running clock says so, and its job can still be finished', async ({
  browser,
  dispatch,
}) => {
  const { page, technician, api } = await openOffTheClock(browser, dispatch);
  await page.getByRole('button', { name: `Start job 1 of RO ${ORDER}`, exact: true }).click();
  await expect(clock(page)).toContainText(`RO ${ORDER}, job 1`);
  // The page shows a tap before the server has it.
  const state = () => api.get<Clock>(`/api/technicians/${technician}/clock`);
  await expect.poll(async () => (await state()).running?.roNumber).toBe(ORDER);
  await api.post(`/api/repair-orders/${ORDER}/close`, {});
  const notice = page.getByRole('status').filter({ hasText: `RO ${ORDER} was closed at` });
  await expect(notice).toContainText('so your clock on job 1 was stopped');
  await expect(clock(page)).toContainText('On the clock, no job');
  const completed = async () =>
    (await api.get<{ completedToday: number }>(`/api/technicians/${technician}/clock`)).completedToday;
  const before = await completed();
  await notice.getByRole('button', { name: 'Job 1 was finished' }).click();
  await expect.poll(completed).toBe(before + 1);
  await expect(notice).toBeHidden();
});

test('a forgotten clock is asked about, and what the technician says counts once an owner accepts it', async ({
  browser,
  dispatch,
}) => {
  const { technician, api } = await orderFor(dispatch);
  await clearClock(api, technician);
  await api.post(`/api/technicians/${technician}/clock`, {
    action: 'start',
    roNumber: ORDER,
    jobNumber: 1,
    at: new Date(Date.now() - 14 * HOUR_MS).toISOString(),
  });
  const page = await openPhone(browser, dispatch);
  const question = page.getByRole('dialog', { name: 'When did you stop?' });
  await expect(question).toContainText(`on RO ${ORDER}, job 1`);
  const stopped = await question.getByLabel('I stopped at').inputValue();
  await question.getByRole('button', { name: 'Clock out' }).click();
  await expect(question).toBeHidden();
  await expect(clock(page)).toContainText('Off the clock');
  await acceptAll(page);
  await page.getByRole('button', { name: 'Propose a correction' }).click();
  const own = page.getByRole('dialog', { name: /^Clock entries of/ });
  await expect(own).toContainText('Forgot to clock out');
  await expect(own).toContainText('An owner or admin decides.');
  // They take it back, and say it anew in the form.
  await own.getByRole('button', { name: 'Take back' }).click();
  await expect(own).not.toContainText('Forgot to clock out');
  await own.getByRole('button', { name: /^Propose a correction of / }).click();
  await own.getByLabel('Ends').fill(stopped);
  await own.getByLabel(/^Reason/).fill('Forgot to clock out');
  await own.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(own).toContainText('Forgot to clock out');
  await expect(own).toContainText('An owner or admin decides.');
  await page.keyboard.press('Escape');

  const { page: office } = await openDesk(browser, dispatch, OWNER);
  await office.goto(`${dispatch.url}/technicians`);
  const proposals = office.getByRole('region', { name: 'Proposed corrections' });
  await expect(proposals).toContainText('1 correction of a clock is proposed');
  await proposals.getByRole('link').click();
  await expect(office).toHaveURL(new RegExp(`/technicians/${technician}$`));
  const line = office.getByText('1 correction of this clock is proposed.').locator('..');
  await line.getByRole('button', { name: 'Review' }).click();
  const entries = office.getByRole('dialog', { name: /^Clock entries of/ });
  const entry = entries.getByRole('listitem').filter({ hasText: 'Forgot to clock out' }).first();
  await entry.getByRole('button', { name: 'Accept' }).click();
  await expect(entry).toContainText(/7 h 59 min|8 h(?! \d)/);
  await expect(office.getByText(/correction of this clock is proposed/)).toBeHidden();
  await expect(page.getByText(/clocks? of this week (was|were) forgotten/)).toBeHidden();
});

test('of many cars that come at once those are seen that were on the screen', async ({
  browser,
  dispatch,
}) => {
  const { technician, api } = await orderFor(dispatch);
  const page = await openPhone(browser, dispatch);
  await acceptAll(page);
  const numbers = Array.from({ length: 9 }, (_, place) => 987_651 + place);
  const jobs = [
    { jobNumber: 1, concern: 'Rattles over bumps', operations: [{ operationCode: 'DIAG', soldHours: 1 }] },
    { jobNumber: 2, concern: 'Oil is due' },
  ];
  dispatch.importFile(
    'many.json',
    orderFile(...numbers.map((repairOrderNumber) => ({ repairOrderNumber, jobs }))),
  );
  await api.post('/api/repair-orders/technicians/dispatch', {
    idTechnician: technician,
    data: numbers.map((repairOrderNumber) => ({ repairOrderNumber })),
  });
  await expect(banner(page).getByRole('alert')).toHaveText('9 new repair orders for you');
  await expect(banner(page)).toContainText('DIAG Rattles over bumps + 1 job');
  const more = banner(page).getByRole('button', { name: /more below$/ });
  await expect(more).toBeVisible();
  const seen = async () => {
    const receipts = await Promise.all(numbers.map((number) => api.receipt(technician, number)));
    return receipts.filter((receipt) => receipt?.seenAt != null).length;
  };
  const below = async () => Number(/\d+/.exec(await more.innerText())?.[0]);
  // What is not below was on the screen.
  await expect(async () => expect(await seen()).toBe(9 - (await below()))).toPass();
  expect(await seen()).toBeGreaterThan(2);
  await more.click();
  await expect(async () => {
    if (await more.isVisible()) await more.click();
    await expect(more).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect.poll(seen).toBe(9);
  await banner(page).getByRole('button', { name: 'Got it: RO 987651' }).click();
  await expect(banner(page).getByRole('alert')).toHaveText('8 new repair orders for you');
});
