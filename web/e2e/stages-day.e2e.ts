// One car's day in a shop that uses stages, while the demo shop goes on around it: parts, an approval, a sublet, a quality
// check that fails, ready, called and closed. After each step two desks, the technician's phone and three boards agree,
// also after a power cut in the middle.
import type { Browser, Locator, Page } from '@playwright/test';
import type { components } from '../src/api/schema.ts';
import { TECHNICIAN } from './bay.ts';
import { Board } from './board-screen.ts';
import { ADVISOR, type Desk, expect, goToScreen, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const CAR = 987_901;
const ORDER = String(CAR);
const CUSTOMER = 'Ada Lovelace';

test.setTimeout(600_000);
test.use({ demo: 'moving' });

type Schemas = components['schemas'];

/** Where its hours went. Nothing is known of the time between its opening and its arrival here. */
const expectedStages = [
  null,
  'to-be-dispatched',
  'dispatched',
  'in-work',
  'waiting-for-parts',
  'in-work',
  'waiting-for-approval',
  'in-work',
  'sublet',
  'in-work',
  'quality-check',
  'in-work',
  'quality-check',
  'ready',
];

interface Shop {
  advisor: Desk;
  dispatcher: Desk;
  phone: Page;
  floor: Board;
  queue: Board;
  lounge: Board;
}

const stageOf = (desk: Desk): Locator =>
  desk.page.getByRole('button', { name: new RegExp(`^Stage of ${ORDER}:`) });
const onPhone = (page: Page): Locator =>
  page.getByRole('region', { name: `Where RO ${ORDER} stands`, exact: true });
const tap = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

async function openPhone(browser: Browser, dispatch: Dispatch): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await openSignedIn(page, dispatch, TECHNICIAN);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

/** What every screen says of the car. */
async function everybodySees(shop: Shop, stage: string, inLounge: string): Promise<void> {
  for (const desk of [shop.advisor, shop.dispatcher]) await expect(stageOf(desk)).toContainText(stage);
  await expect(onPhone(shop.phone)).toContainText(stage);
  for (const board of [shop.floor, shop.queue]) await expect(board.card(ORDER)).toContainText(stage);
  await expect(shop.lounge.card('Ada L.')).toContainText(inLounge);
}

async function beginHold(desk: Desk, reason: string): Promise<void> {
  await desk.row(ORDER).focus();
  await desk.page.keyboard.press('h');
  const dialog = desk.dialog(`Put ${ORDER} on hold`);
  await dialog.getByRole('radio', { name: reason }).check();
  await dialog.getByRole('button', { name: 'Put on hold' }).click();
}

async function endHold(desk: Desk): Promise<void> {
  await desk.page.getByRole('button', { name: new RegExp(`^Hold of ${ORDER}:`) }).click();
  await desk.dialog(`Hold of ${ORDER}`).getByRole('button', { name: 'End hold' }).click();
}

async function pickStage(desk: Desk, stage: string): Promise<void> {
  await stageOf(desk).click();
  await desk.page.getByRole('option', { name: stage, exact: true }).click();
}

/** The advisor's customers say why this one is to be called, and after the tap that they were. */
async function callCustomer({ page }: Desk, reason: string): Promise<void> {
  await goToScreen(page, 'My customers');
  const section = (name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d+$`) });
  const card = (name: string) => section(name).getByRole('listitem').filter({ hasText: CUSTOMER }).first();
  const choice = page.getByRole('button', { name: /^Dana Whitfield \(\d+\)$/ });
  await expect(choice.or(card('To call')).first()).toBeVisible();
  if (await choice.isVisible()) await choice.click();
  await expect(card('To call')).toContainText(reason);
  await page.getByRole('button', { name: new RegExp(`^Mark as called: ${CUSTOMER}`) }).click();
  await expect(card('Called')).toBeVisible();
  await goToScreen(page, 'Repair orders');
}

test('a car goes through its day, and every screen says the same of it', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PUT', '/api/stages', { enabled: true });
  // After the shop began to move, which touches only the orders that it knows.
  const jobs = [{ jobNumber: 1, concern: 'Rattles', operations: [{ operationCode: 'NOISE', soldHours: 1 }] }];
  dispatch.importFile('car.json', orderFile({ repairOrderNumber: CAR, customer: CUSTOMER, jobs }));
  const phone = await openPhone(browser, dispatch);
  const idTechnician = Number(/\d+$/.exec(new URL(phone.url()).pathname)?.[0]);
  const board = (layout: string) => {
    const settings = { technicians: [idTechnician], categories: ['Waiting', 'Drop'] };
    return Board.linked(browser, dispatch, owner, { name: layout, layout, settings });
  };
  const shop: Shop = {
    advisor: await openDesk(browser, dispatch, ADVISOR),
    dispatcher: await openDesk(browser, dispatch, OWNER),
    phone,
    floor: await board('shop-floor'),
    queue: await board('queue'),
    lounge: await board('lounge'),
  };
  const { advisor, dispatcher, floor, queue, lounge } = shop;
  for (const desk of [advisor, dispatcher]) await desk.find(ORDER);

  await test.step('given to a technician, it is dispatched, and in work with the first tap', async () => {
    await expect(stageOf(dispatcher)).toContainText('To be dispatched');
    await owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber: CAR, idTechnician });
    await phone
      .getByRole('region', { name: 'New assignments' })
      .getByRole('listitem')
      .filter({ hasText: ORDER })
      .getByRole('button', { name: /^Got it/ })
      .click();
    for (const desk of [advisor, dispatcher]) await expect(stageOf(desk)).toContainText('Dispatched');
    await expect(lounge.card('Ada L.')).toContainText('In line');
    await tap(phone, `Start job 1 of RO ${ORDER}`);
    await everybodySees(shop, 'In work', 'Being worked on');
  });

  await test.step('it needs parts, and they come', async () => {
    await tap(phone, `RO ${ORDER} needs parts`);
    await everybodySees(shop, 'Waiting for parts', 'Being worked on');
    await endHold(dispatcher);
    await everybodySees(shop, 'In work', 'Being worked on');
  });

  await test.step('it needs an approval, which the advisor asks for and is given', async () => {
    await tap(phone, `RO ${ORDER} needs approval`);
    await everybodySees(shop, 'Waiting for approval', 'Being worked on');
    await callCustomer(advisor, 'Approval');
    await advisor.find(ORDER);
    await endHold(advisor);
    await everybodySees(shop, 'In work', 'Being worked on');
  });

  await test.step('it is away at another shop while the power fails', async () => {
    await beginHold(dispatcher, 'Sublet');
    await everybodySees(shop, 'Sublet', 'Being worked on');
    await dispatch.kill();
    // The shop at work would know the car from now on, and might move it.
    dispatch.demo = 'still';
    await dispatch.start();
    for (const screen of [advisor, dispatcher, floor, queue, lounge]) await screen.isLive();
    await everybodySees(shop, 'Sublet', 'Being worked on');
    await endHold(dispatcher);
    await everybodySees(shop, 'In work', 'Being worked on');
  });

  await test.step('the quality check fails, and the car is back in work until it passes', async () => {
    const finish = async () => {
      await phone
        .getByRole('region', { name: 'Job clock' })
        .getByRole('button', { name: 'Finish job' })
        .click();
      const question = phone.getByRole('alertdialog', { name: `Finish job 1 of RO ${ORDER}?` });
      const reopen = phone.getByRole('button', { name: `Reopen job 1 of RO ${ORDER}`, exact: true });
      await expect(question.or(reopen).first()).toBeVisible();
      if (await question.isVisible()) await question.getByRole('button', { name: 'Finish job' }).click();
      await expect(reopen).toBeVisible();
    };
    await finish();
    await everybodySees(shop, 'Quality check', 'Almost done');
    await tap(phone, `Reopen job 1 of RO ${ORDER}`);
    await everybodySees(shop, 'In work', 'Being worked on');
    await tap(phone, `Start job 1 of RO ${ORDER}`);
    await finish();
    await everybodySees(shop, 'Quality check', 'Almost done');
  });

  await test.step('it is ready, the customer is called, and it is closed', async () => {
    await pickStage(dispatcher, 'Ready');
    await everybodySees(shop, 'Ready', 'Ready');
    await callCustomer(advisor, 'Ready');
    const afterwards = await Api.signIn(dispatch.url, OWNER);
    await afterwards.post(`/api/repair-orders/${CAR}/close`, {});
    await expect(onPhone(phone)).toBeHidden();
    for (const desk of [advisor, dispatcher]) await expect(desk.link(ORDER)).toBeHidden();
    for (const one of [floor, queue])
      await expect(one.card(ORDER).filter({ hasNotText: 'Gone' })).toHaveCount(0);
    const strip = await afterwards.get<Schemas['StageStrip']>(`/api/repair-orders/${CAR}/stages`);
    expect(strip.spans.map(({ stage }) => stage)).toEqual(expectedStages);
    const lasted = ({ from, to }: { from: string; to: string }) => Date.parse(to) - Date.parse(from);
    expect(strip.spans.reduce((sum, span) => sum + lasted(span), 0)).toBe(lasted(strip));
  });
});
