// An owner turns stages on; from then on two desks see where a car stands and what it waits for, each change at once and
// through a power cut.
import type { Locator } from '@playwright/test';
import { expectThumbSized } from './accessibility.ts';
import {
  ADVISOR,
  type Desk,
  expect,
  goToScreen,
  OWNER,
  openDesk,
  openSignedIn,
  settled,
  test,
} from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const MINUTE_MS = 60_000;

const stageOf = (desk: Desk, order: string): Locator =>
  desk.page.getByRole('button', { name: new RegExp(`^Stage of ${order}:`) });
const holdOf = (desk: Desk, order: string): Locator =>
  desk.page.getByRole('button', { name: new RegExp(`^Hold of ${order}:`) });

async function pickStage(desk: Desk, order: string, stage: string): Promise<void> {
  await stageOf(desk, order).click();
  await desk.page.getByRole('option', { name: stage, exact: true }).click();
}

test('stages are turned on, and a stage and a hold are seen by both desks, through a power cut', async ({
  browser,
  dispatch,
}) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  const desks = [advisor, owner];
  await advisor.find(order);
  await expect(advisor.table.getByRole('columnheader', { name: 'Stage' })).toHaveCount(0);

  await test.step('the owner turns stages on, and every desk has the column', async () => {
    await goToScreen(owner.page, 'Technician Management');
    await owner.page.getByRole('button', { name: 'Stages', exact: true }).click();
    await owner.page.getByRole('switch', { name: 'Use stages' }).click();
    await owner.says('Stages are on');
    await expect(stageOf(advisor, order)).toBeVisible();
    await owner.page.keyboard.press('Escape');
    await goToScreen(owner.page, 'Repair orders');
    await owner.find(order);
    await expect(stageOf(owner, order)).toBeVisible();
  });

  await test.step('a stage that one desk picks stands on the other', async () => {
    await pickStage(owner, order, 'In diagnosis');
    await owner.says('Stage: In diagnosis');
    for (const desk of desks) await expect(stageOf(desk, order)).toContainText('In diagnosis');
  });

  await test.step('by its key it is chosen, too', async () => {
    await advisor.row(order).focus();
    await advisor.page.keyboard.press('t');
    await advisor.page.keyboard.type('quality');
    await advisor.page.keyboard.press('Enter');
    for (const desk of desks) await expect(stageOf(desk, order)).toContainText('Quality check');
    await advisor.says('Stage: Quality check');
  });

  await test.step('a hold begins by its key, and both see it', async () => {
    await advisor.row(order).focus();
    await advisor.page.keyboard.press('h');
    const dialog = advisor.dialog(`Put ${order} on hold`);
    await expect(dialog.getByRole('radio', { name: 'Parts' })).toBeChecked();
    await dialog.getByLabel('Note').fill('Water pump from the other branch');
    await dialog.getByRole('button', { name: 'Put on hold' }).click();
    await advisor.says('On hold');
    for (const desk of desks) {
      await expect(holdOf(desk, order)).toContainText('Parts');
      await expect(stageOf(desk, order)).toContainText('Waiting for parts');
    }
  });

  await test.step('it is there after a power cut', async () => {
    await dispatch.kill();
    await dispatch.start();
    for (const desk of desks) {
      await desk.isLive();
      await expect(holdOf(desk, order)).toContainText('Parts');
    }
    await advisor.wasNotReloaded();
  });

  await test.step('an order on hold moves once its holds are said to end', async () => {
    await pickStage(owner, order, 'Wash');
    const question = owner.dialog(`Move ${order} to Wash?`);
    await expect(question.getByText('Water pump from the other branch')).toBeVisible();
    await question.getByRole('button', { name: 'End holds and move' }).click();
    await expect(question).toBeHidden();
    for (const desk of desks) {
      await expect(stageOf(desk, order)).toContainText('Wash');
      await expect(holdOf(desk, order)).toHaveCount(0);
    }
  });

  await test.step('a hold is ended where it is shown, and the order goes on where it stood', async () => {
    await owner.row(order).focus();
    await owner.page.keyboard.press('h');
    await owner.dialog(`Put ${order} on hold`).getByRole('button', { name: 'Put on hold' }).click();
    await expect(stageOf(advisor, order)).toContainText('Waiting for parts');
    await holdOf(advisor, order).click();
    await advisor.dialog(`Hold of ${order}`).getByRole('button', { name: 'End hold' }).click();
    for (const desk of desks) {
      await expect(holdOf(desk, order)).toHaveCount(0);
      await expect(stageOf(desk, order)).toContainText('Wash');
    }
  });

  await test.step('the list is filtered by stage', async () => {
    await owner.search('');
    await owner.page.getByLabel('Stage', { exact: true }).selectOption({ label: 'Wash (1)' });
    await expect(owner.table).toHaveAttribute('aria-rowcount', '2');
    await expect(owner.link(order)).toBeVisible();
  });
});

test('a file of the dealer system moves a car once the owner says that it may', async ({
  browser,
  dispatch,
}) => {
  const number = 987_713;
  const named = (stage: string) =>
    dispatch.importFile('order.json', orderFile({ repairOrderNumber: number, stage }));
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  named('Wash');
  const order = String(number);
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  await advisor.find(order);
  await expect(stageOf(advisor, order)).toContainText('To be dispatched');

  const owner = await openDesk(browser, dispatch, OWNER);
  await goToScreen(owner.page, 'Technician Management');
  await owner.page.getByRole('button', { name: 'Stages', exact: true }).click();
  await owner.page.getByRole('switch', { name: 'The dealer’s file owns the stage' }).click();
  await owner.says('Files say where cars stand');
  named('Wash');
  await expect(stageOf(advisor, order)).toContainText('Wash');
  named('Waiting for parts');
  await expect(holdOf(advisor, order)).toContainText('Parts');
  await expect(stageOf(advisor, order)).toContainText('Waiting for parts');
  named('In work');
  await expect(holdOf(advisor, order)).toHaveCount(0);
  await expect(stageOf(advisor, order)).toContainText('In work');
});

test('a hold that is due comes back to the desk by itself, and its expected end can be taken away', async ({
  browser,
  dispatch,
}) => {
  const number = 987_711;
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: number }));
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const expectedUntil = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  await api.post(`/api/repair-orders/${number}/holds`, { reason: 'parts', expectedUntil });
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const order = String(number);
  const dueHolds = advisor.page.getByRole('button', { name: /^Holds due/ });
  await advisor.page.clock.install();
  await advisor.page.reload();
  await advisor.isLive();
  await advisor.find(order);
  await expect(holdOf(advisor, order)).toContainText(/^until .* · Parts$/);
  await expect(dueHolds).toHaveCount(0);

  await test.step('the row says so and who must act, and the filter lists it', async () => {
    await advisor.page.clock.fastForward(11 * MINUTE_MS);
    await expect(holdOf(advisor, order)).toContainText('Due: Parts counter');
    await expect(dueHolds).toContainText('1');
    await expect(advisor.page.getByLabel('Stage', { exact: true })).toContainText('Holds due (1)');
    await advisor.search('');
    await dueHolds.click();
    await expect(advisor.table).toHaveAttribute('aria-rowcount', '2');
    await expect(advisor.link(order)).toBeVisible();
  });

  await test.step('without an expected end it is due no more', async () => {
    await holdOf(advisor, order).click();
    const dialog = advisor.dialog(`Hold of ${order}`);
    await dialog.getByRole('button', { name: 'Nobody knows' }).click();
    await expect(dialog.getByLabel('Expected until')).toBeFocused();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dueHolds).toContainText('0');
    await dueHolds.click();
    await expect(dueHolds).toHaveCount(0);
    await advisor.find(order);
    await expect(holdOf(advisor, order)).toHaveText('Parts');
  });
});

test('a promise that was moved says among the details how often and how far', async ({
  browser,
  dispatch,
}) => {
  const repairOrderNumber = 987_712;
  const first = Date.now() + 120 * MINUTE_MS;
  for (const later of [0, 60, 150]) {
    const promisedDateTime = new Date(first + later * MINUTE_MS).toISOString();
    dispatch.importFile(`moved-${later}.json`, orderFile({ repairOrderNumber, promisedDateTime }));
  }
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  await advisor.find(String(repairOrderNumber));
  await advisor.link(String(repairOrderNumber)).click();
  await expect(advisor.details(String(repairOrderNumber))).toContainText(
    /Moved twice, 2 h 30 min later than first said/,
  );
});

test('1024 px wide, the head of the list is one line in each language, also with a hold that is due', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const [[row] = []] = await api.orders();
  if (row === undefined) throw new Error('there is no order');
  await api.post(`/api/repair-orders/${row.repairOrderNumber}/holds`, {
    reason: 'parts',
    expectedUntil: new Date(Date.now() - MINUTE_MS).toISOString(),
  });
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await page.setViewportSize({ width: 1024, height: 768 });
  const filter = page.getByRole('search').locator('~ select');
  const print = page.getByRole('search').locator('~ div').getByRole('button').last();
  for (const language of ['en', 'de', 'es']) {
    await page.evaluate((chosen) => localStorage.setItem('dispatch.language', chosen), language);
    await page.reload();
    await expect(filter).toBeVisible();
    await expect(page.getByRole('search').locator('~ button')).toHaveText(/1$/);
    await expect
      .poll(async () => ((await print.boundingBox())?.y ?? 0) - ((await filter.boundingBox())?.y ?? 0))
      .toBeLessThan(10);
    await expect(page.getByRole('search').locator('input')).toBeInViewport();
    await expect.poll(async () => (await page.getByRole('search').boundingBox())?.width).toBeGreaterThan(125);
  }
});

test('the list fits its frame, and every stage is named whole, in each language', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const stages = ['waiting-for-approval', 'waiting-for-parts', 'quality-check', 'with-the-customer'];
  const unassigned = (await api.orders()).filter(([row]) => row?.regularIdTechnician == null);
  for (const [place, [row]] of unassigned.slice(0, stages.length).entries()) {
    await api.post(`/api/repair-orders/${row?.repairOrderNumber}/stage`, { stage: stages[place] });
  }
  const { page } = await openDesk(browser, dispatch, OWNER);
  const table = page.locator('table');
  for (const language of ['en', 'de', 'es']) {
    await page.evaluate((chosen) => localStorage.setItem('dispatch.language', chosen), language);
    await page.goto(`${dispatch.url}/dashboard?tab=unassigned`);
    await expect(table.locator('tbody [data-opened-by="stage"]').first()).toBeVisible();
    // So high that every order is drawn.
    for (const width of [1440, 1366, 1024]) {
      await page.setViewportSize({ width, height: 9_000 });
      const beyond = () =>
        table.evaluate((list) => list.clientWidth - (list.parentElement?.clientWidth ?? 0));
      await expect.poll(beyond, `${language} at ${width} px`).toBeLessThanOrEqual(0);
      // What people read of a VIN is its end.
      const withoutEnd = () =>
        table.getByText(/^[A-HJ-NPR-Z\d]{17}$/).evaluateAll(
          (vins) =>
            vins.filter((vin) => {
              const end = document.createRange();
              end.setStart(vin.firstChild as Text, 16);
              end.setEnd(vin.firstChild as Text, 17);
              return end.getBoundingClientRect().right > vin.getBoundingClientRect().right + 1;
            }).length,
        );
      await expect.poll(withoutEnd, `${language} at ${width} px`).toBe(0);
      // There a long name is cut.
      if (width < 1366) continue;
      const cut = () =>
        table
          .locator('[data-opened-by="stage"] .truncate')
          .evaluateAll((names) =>
            names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
          );
      await expect.poll(cut, `${language} at ${width} px`).toEqual([]);
    }
  }
});

test('all stages are in sight in their picker', async ({ browser, dispatch }) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const desk = await openDesk(browser, dispatch, OWNER);
  const control = desk.table.locator('tbody [data-opened-by="stage"]').first();
  // What the head of the desk says of the day comes after the rows, and moves them.
  await settled(() => control.boundingBox());
  await control.click();
  const list = desk.page.getByRole('listbox');
  await expect(list.getByRole('option').last()).toBeInViewport();
  const beyond = await list.evaluate((options) => options.scrollHeight - options.clientHeight);
  expect(beyond).toBeLessThanOrEqual(1);
});

test('the tools stand where they will stand while the stages of the shop are on their way', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const { page } = await openDesk(browser, gateway, OWNER);
  const filter = page.getByLabel('Stage', { exact: true });
  await expect(filter).toBeVisible();
  gateway.hold((_, path) => path === '/api/stages');
  await page.reload();
  await expect(page.getByRole('table')).toBeVisible();
  const places = () =>
    Promise.all(
      [page.getByRole('search'), page.getByRole('button', { name: 'Print', exact: true })].map((tool) =>
        tool.boundingBox(),
      ),
    );
  const before = await settled(places);
  await expect(filter).toHaveCount(0);
  gateway.release();
  await expect(filter).toBeVisible();
  await expect(page.getByLabel('Show as', { exact: true })).toBeVisible();
  expect(await places()).toEqual(before);
});

test('on a phone four orders with their stages are in sight, each control with room for a thumb', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.send('PUT', '/api/stages', { enabled: true });
  const orders = (await api.orders()).flatMap(([row]) => row?.repairOrderNumber ?? []);
  for (const order of orders.slice(0, 40)) {
    await api.post(`/api/repair-orders/${order}/holds`, { reason: 'parts' });
  }
  const viewport = { width: 390, height: 844 };
  const page = await (await browser.newContext({ viewport, hasTouch: true, isMobile: true })).newPage();
  await openSignedIn(page, dispatch, OWNER, '/dashboard');
  const cards = page.locator('main li article');
  await expect(cards.first().locator('[data-opened-by="stage"]')).toBeVisible();
  const list = page.locator('main ul[data-holds]').locator('..');
  const foot = await list.evaluate((frame) => frame.getBoundingClientRect().bottom);
  const inSight = await cards.evaluateAll(
    (all, bottom) => all.filter((card) => card.getBoundingClientRect().bottom <= bottom).length,
    foot,
  );
  expect(inSight).toBeGreaterThanOrEqual(4);
  await expectThumbSized(page, 'main li article button, main li article a');
});
