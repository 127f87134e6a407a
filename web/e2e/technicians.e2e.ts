// The technician dashboard and technician management, from the screens to the server and to everybody else's screens.

import type { Browser, Locator, Page } from '@playwright/test';
import { DISPLAYED_TIME } from '../src/shop/displayed-time.fixture.ts';
import { ADVISOR, dismissToast, expect, OWNER, openDesk, openSignedIn, saysInToast, test } from './desk.ts';
import { holdCar } from './foreman-screen.ts';
import { LONG_MIDDAY_SHOP } from './midday.ts';
import { Api, orderFile } from './server-api.ts';

const ADMIN = 'admin@example.com';
const TECH = 'tech@example.com';
const HANK = { id: 1131, name: 'Hank Mueller' };
const LEVELS = ['Foreman', 'Master', 'Tradesman', 'Craftsman', 'Wrenchman', 'Lube-tech'];

/** The tests of accessibility come there by the bar's links. */
const PATHS = { 'Technician Dashboard': '/technicians', 'Technician Management': '/technician-management' };

/** A browser of its own at one of the screens. */
async function openScreen(
  browser: Browser,
  at: { url: string },
  email: string,
  link: keyof typeof PATHS,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await openSignedIn(page, at, email, PATHS[link]);
  await expect(page.getByRole('heading', { name: link, level: 1 })).toBeVisible();
  return page;
}

const row = (page: Page, name: string) => page.getByRole('article', { name });

/** The count of that name in a row. */
async function count(page: Page, name: string, of: string): Promise<number> {
  const term = row(page, name).getByRole('term').filter({ hasText: of }).first();
  return Number(await term.locator('xpath=following-sibling::dd').textContent());
}

class Organisation {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, at: { url: string }, email: string): Promise<Organisation> {
    const organisation = new Organisation(await openScreen(browser, at, email, 'Technician Management'));
    await expect(organisation.level('Foreman')).toBeVisible();
    return organisation;
  }

  level(name: string): Locator {
    return this.page.locator('[data-level]').filter({ has: this.page.getByRole('heading', { name }) });
  }

  in(level: string, technician: string): Locator {
    return this.level(level).getByText(technician, { exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Presses on the technician, moves this far (px) and releases. */
  async drag(technician: string, to: { x: number; y: number }): Promise<void> {
    const from = await boxOf(this.page.getByText(technician, { exact: true }));
    const { mouse } = this.page;
    await mouse.move(from.x + 4, from.y + 4);
    await mouse.down();
    await mouse.move(from.x + 4 + to.x, from.y + 4 + to.y, { steps: 6 });
    await mouse.up();
  }

  async moveTo(technician: string, level: string): Promise<void> {
    await this.button(`Move ${technician} to...`).click();
    await this.page.getByRole('menuitemradio', { name: level, exact: true }).click();
  }
}

/** Whatever level Hank sits in, it is none now. */
async function takeOut(at: { url: string }): Promise<void> {
  const admin = await Api.signIn(at.url, ADMIN);
  await admin.send('PATCH', `/api/technicians/${HANK.id}`, { idLevel: null });
}

async function boxOf(element: Locator) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is nowhere');
  return box;
}

test('the rows of technicians count changes made elsewhere without a reload', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: 987_651, customerStatus: 'Waiting' }));
  const page = await openScreen(browser, dispatch, OWNER, 'Technician Dashboard');
  const hank = row(page, HANK.name);
  await expect(hank).toContainText('Total Active ROs');
  await page.evaluate(() => {
    document.documentElement.dataset.sameAsBefore = 'yes';
  });
  const [waiting, pdi, total] = [
    await count(page, HANK.name, 'Waiting'),
    await count(page, HANK.name, 'PDI'),
    await count(page, HANK.name, 'Total Active ROs'),
  ];
  const counts = async () => [
    await count(page, HANK.name, 'Waiting'),
    await count(page, HANK.name, 'PDI'),
    await count(page, HANK.name, 'Total Active ROs'),
  ];
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('technician-assignments')) requested.push(request.url());
  });

  const admin = await Api.signIn(dispatch.url, ADMIN);
  const assignment = { repairOrderNumber: '987651', idTechnician: String(HANK.id) };
  await admin.post('/api/repair-orders/technicians/assign', assignment);
  await expect.poll(counts).toEqual([waiting + 1, pdi, total + 1]);
  await admin.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: '987651', idStatus: '13' }],
  });
  await expect.poll(counts).toEqual([waiting, pdi + 1, total + 1]);
  await admin.post('/api/repair-orders/technicians/unassign', assignment);
  await expect.poll(counts).toEqual([waiting, pdi, total]);

  // Nothing is asked for while nothing changes. The last change's own load may be under way yet, when the one before it
  // has read that change already.
  let before: number;
  do {
    before = requested.length;
    await page.waitForTimeout(1_000);
  } while (requested.length > before);
  await page.waitForTimeout(3_000);
  expect(requested.length).toBe(before);
  expect(requested.every((url) => url.endsWith('rows=false'))).toBe(true);
  await expect(page.locator('html')).toHaveAttribute('data-same-as-before', 'yes');
});

test('a technician’s row follows their clock at once', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile({
      repairOrderNumber: 987_651,
      regularIdTechnician: HANK.id,
      jobs: [{ jobNumber: 2, concern: 'Rattles' }],
    }),
  );
  const page = await openScreen(browser, dispatch, OWNER, 'Technician Dashboard');
  const hank = row(page, HANK.name);
  const admin = await Api.signIn(dispatch.url, ADMIN);
  const tap = (body: object) => admin.post(`/api/technicians/${HANK.id}/clock`, body);
  await tap({ action: 'clock-out' });
  await expect(hank).toContainText('Off the clock');
  await tap({ action: 'clock-in' });
  await expect(hank).toContainText(new RegExp(`Free since ${DISPLAYED_TIME}`));
  await page.getByRole('radio', { name: /^Free/ }).click();
  await expect(page.getByRole('radio', { name: /^Free/ })).toBeChecked();
  await expect(page.getByRole('article').filter({ hasNotText: 'Free since' })).toHaveCount(0);
  await tap({ action: 'start', roNumber: 987_651, jobNumber: 2 });
  await expect(hank).toBeHidden();
  await page.getByRole('radio', { name: /^All/ }).click();
  await expect(page.getByRole('radio', { name: /^All/ })).toBeChecked();
  await expect(hank).toContainText(/RO 987651 job 2 · \d+ min/);
  await page.reload();
  await expect(hank).toContainText(/RO 987651 job 2 · \d+ min/);
  await tap({ action: 'clock-out' });
  await expect(hank).toContainText('Off the clock');
});

async function averageHeight(rows: Locator): Promise<number> {
  const heights = await rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  return heights.reduce((sum, height) => sum + height, 0) / heights.length;
}

/** Names, specialties and levels of which a part is not drawn, or a word is broken. */
function cutNames(rows: Locator): Promise<string[]> {
  return rows.evaluateAll((all) =>
    all.flatMap((one) => {
      const who = one.querySelector('h2')?.parentElement;
      const parts =
        who === null || who === undefined
          ? []
          : [who, ...who.querySelectorAll('h2, h2 ~ div > span:not(:has(*))')];
      if (parts.length < 3) return [`no specialty: ${one.textContent}`];
      const isCut = (part: Element) => {
        const text = document.createRange();
        text.selectNodeContents(part);
        const lines = new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        const words = part.textContent?.trim().split(/[\s-]+/) ?? [];
        const { textOverflow } = getComputedStyle(part);
        return (
          part.scrollWidth > part.clientWidth ||
          textOverflow === 'ellipsis' ||
          (part !== who && lines.size > words.length)
        );
      };
      return parts.filter(isCut).map((part) => part.textContent ?? '');
    }),
  );
}

test('the rows show who has a portal, link to it, and are low', async ({ browser, dispatch }) => {
  const page = await openScreen(browser, dispatch, OWNER, 'Technician Dashboard');
  const rows = page.getByRole('article');
  await expect(rows).toHaveCount(28);
  const api = await Api.signIn(dispatch.url, OWNER);
  const linked = (await api.technicians()).filter(({ idTechnician }) =>
    [1112, HANK.id].includes(idTechnician),
  );
  expect(linked.length).toBeGreaterThan(0);
  await expect(page.getByText('Portal Enabled')).toHaveCount(2);
  expect(await averageHeight(rows)).toBeLessThanOrEqual(84);
  for (const width of [1440, 1280, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await cutNames(rows), `${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(row(page, HANK.name).getByRole('link', { name: HANK.name })).toHaveAttribute(
    'href',
    `/technicians/${HANK.id}`,
  );
});

test('the rows are as low with the longer words of German', async ({ browser, dispatch }) => {
  const page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
  await openSignedIn(page, dispatch, OWNER, '/technicians');
  await expect(page.getByRole('heading', { name: 'Technikerübersicht', level: 1 })).toBeVisible();
  const rows = page.getByRole('article');
  await expect(rows).toHaveCount(28);
  expect(await averageHeight(rows)).toBeLessThanOrEqual(84);
});

const GIA = { idTechnician: 4251, displayName: 'Gia Frost', specialty: 'Brakes' };
const TAYLOR = { idTechnician: 4252, displayName: 'Taylor Frost', specialty: 'Engine' };

test.describe('of a whole day', () => {
  test.use({ serveOptions: LONG_MIDDAY_SHOP });

  test('a foreman moves a car to another technician by dragging and by keys', async ({
    browser,
    dispatch,
  }) => {
    const api = await Api.signIn(dispatch.url, OWNER);
    for (const hire of [GIA, TAYLOR]) await api.post('/api/technicians', hire);
    // Late, and so promised for today whatever the hour.
    const promisedDateTime = new Date().toISOString();
    const jobs = [
      { jobNumber: 1, concern: 'Squeals', operations: [{ operationCode: 'BRKF', soldHours: 1.5 }] },
    ];
    const car = { vehicle: '1989 Zastava Yugo', promisedDateTime, jobs };
    dispatch.importFile(
      'orders.json',
      orderFile(
        { ...car, repairOrderNumber: 987_651, regularIdTechnician: GIA.idTechnician },
        { ...car, repairOrderNumber: 987_652, ETLIdTechnician: GIA.idTechnician },
      ),
    );
    const owner = await openScreen(browser, dispatch, OWNER, 'Technician Dashboard');
    const admin = await openScreen(browser, dispatch, ADMIN, 'Technician Dashboard');
    await owner.getByRole('textbox', { name: 'Find a technician' }).fill('frost');
    await expect(owner.getByRole('article')).toHaveCount(2);
    const [gia, taylor] = [row(owner, GIA.displayName), row(owner, TAYLOR.displayName)];
    const carIn = (of: Locator) => of.getByRole('button', { name: /^Move RO 987651/ });
    await expect(gia).toContainText('3 of 8 h');
    await expect(taylor).toContainText('No cars');
    // What only the dealer system assigned stays.
    await expect(gia.getByRole('link', { name: /^Open repair order 987652/ })).toContainText('From the DMS');

    const { mouse, keyboard } = owner;
    await holdCar(owner, 987_651, carIn(gia), taylor);
    await expect(taylor).toContainText('With this car: 1.5 of 8 h');
    await mouse.up();
    await saysInToast(owner, 'Technician reassigned successfully');
    await expect(carIn(taylor)).toBeVisible();
    await expect(carIn(gia)).toHaveCount(0);
    await expect(carIn(row(admin, TAYLOR.displayName))).toBeVisible();
    await expect(gia).toContainText('1.5 of 8 h');
    // The row shows it before the server has it.
    await expect.poll(() => api.ordersOf(TAYLOR.idTechnician)).toEqual([987_651]);

    await carIn(taylor).focus();
    await keyboard.press('m');
    await expect(owner.getByRole('dialog', { name: 'Move RO 987651 to' })).toBeVisible();
    await expect(owner.getByRole('listbox').getByRole('option').first()).toBeVisible();
    await keyboard.type('gia fr');
    await expect(owner.getByRole('option', { name: /^Gia Frost/ })).toContainText('then 3 of 8 h today');
    await keyboard.press('Enter');
    await expect(carIn(gia)).toBeVisible();
    await expect(carIn(row(admin, GIA.displayName))).toBeVisible();
    await owner.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(carIn(taylor)).toBeVisible();
    await expect.poll(() => api.ordersOf(TAYLOR.idTechnician)).toEqual([987_651]);

    // Whoever is idle stands first, but no row moves under a car that is held.
    await dismissToast(owner);
    await holdCar(owner, 987_651, carIn(taylor), gia);
    await api.post(`/api/technicians/${TAYLOR.idTechnician}/clock`, { action: 'clock-in' });
    await expect(taylor).toContainText('Free since');
    await expect(owner.getByRole('article').first()).toContainText(GIA.displayName);
    await mouse.up();
    await expect(carIn(gia)).toBeVisible();
    await expect(owner.getByRole('article').first()).toContainText(TAYLOR.displayName);
    await expect.poll(() => api.ordersOf(GIA.idTechnician)).toEqual([987_651, 987_652]);
  });
});

test('a failed load shows its own reason', async ({ browser, dispatch }) => {
  const { page } = await openDesk(browser, dispatch, OWNER);
  const isAssignments = (url: URL) => url.pathname === '/api/repair-orders/technician-assignments';
  let fail: 'refused' | 'lost' = 'refused';
  await page.route(isAssignments, (route) =>
    fail === 'lost'
      ? route.abort()
      : route.fulfill({ status: 409, json: { ok: false, error: 'No.', code: 'refused' } }),
  );
  await page.getByRole('link', { name: 'Technician Dashboard' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch assignments');
  fail = 'lost';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveText('The server could not be reached.');
  await page.unroute(isAssignments);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, HANK.name)).toBeVisible();
});

test('a technician is redirected to the own portal, and a user without a role there is told why', async ({
  browser,
  dispatch,
}) => {
  const page = await (await browser.newContext()).newPage();
  await openSignedIn(page, dispatch, TECH);
  await page.getByRole('link', { name: 'Technician Dashboard' }).click();
  await expect(page).toHaveURL(/\/technicians\/\d+$/);

  const advisor = await openScreen(browser, dispatch, ADVISOR, 'Technician Dashboard');
  await expect(advisor.getByText('You do not see all technicians')).toBeVisible();
});

test('dragging a technician to another level moves them on every screen', async ({ browser, dispatch }) => {
  await takeOut(dispatch);
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const admin = await Organisation.open(browser, dispatch, ADMIN);
  const headings = await owner.page.locator('[data-level] h2').allInnerTexts();
  expect(headings.map((text) => text.split('\n')[0])).toEqual([...LEVELS, 'Not placed']);
  await owner.moveTo(HANK.name, 'Wrenchman');
  await saysInToast(owner.page, `${HANK.name} moved to Wrenchman`);
  await expect(admin.in('Wrenchman', HANK.name)).toBeVisible();

  // Less than 8 px is a click's trembling, and no drag.
  await owner.drag(HANK.name, { x: 7, y: 0 });
  await expect(owner.page.getByRole('dialog', { name: HANK.name })).toBeVisible();
  await owner.page.keyboard.press('Escape');
  await expect(owner.page.getByRole('dialog')).toHaveCount(0);
  await expect(owner.in('Wrenchman', HANK.name)).toBeVisible();

  const from = await boxOf(owner.page.getByText(HANK.name, { exact: true }));
  const to = await boxOf(owner.level('Craftsman'));
  await owner.drag(HANK.name, { x: 0, y: to.y + 8 - from.y });
  await expect(owner.in('Craftsman', HANK.name)).toBeVisible();
  await expect(admin.in('Craftsman', HANK.name)).toBeVisible();
  await expect(admin.in('Wrenchman', HANK.name)).toBeHidden();
  await owner.page.reload();
  await expect(owner.in('Craftsman', HANK.name)).toBeVisible();
});

test('the keyboard alone moves a technician on every screen', async ({ browser, dispatch }) => {
  await takeOut(dispatch);
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const admin = await Organisation.open(browser, dispatch, ADMIN);
  const { keyboard } = owner.page;
  await owner.moveTo(HANK.name, 'Foreman');
  await expect(owner.in('Foreman', HANK.name)).toBeVisible();
  const expectAnnouncement = (text: string) =>
    expect(owner.page.locator('[aria-live="assertive"]').last()).toHaveText(text);

  const pickUp = async () => {
    await keyboard.press('Space');
    await expectAnnouncement(`${HANK.name} is picked up, in Foreman.`);
    // dnd-kit listens for the keys that follow from the next timer on: a hand is slower than that, a test is not.
    await owner.page.evaluate(() => new Promise((done) => setTimeout(done)));
  };

  await owner.button(`Drag ${HANK.name}`).focus();
  await pickUp();
  await keyboard.press('ArrowDown');
  await expectAnnouncement(`${HANK.name} is over Master.`);
  await keyboard.press('ArrowDown');
  await expectAnnouncement(`${HANK.name} is over Tradesman.`);
  await keyboard.press('Escape');
  await expectAnnouncement(`${HANK.name} stays where they were.`);
  await expect(owner.in('Foreman', HANK.name)).toBeVisible();

  await pickUp();
  await keyboard.press('ArrowDown');
  await expectAnnouncement(`${HANK.name} is over Master.`);
  await keyboard.press('Space');
  await expectAnnouncement(`${HANK.name} was dropped in Master.`);
  await expect(owner.in('Master', HANK.name)).toBeVisible();
  await expect(owner.button(`Drag ${HANK.name}`)).toBeFocused();
  await expect(admin.in('Master', HANK.name)).toBeVisible();
});

test('the dialog Assign Technician assigns, and a refused move is reverted', async ({
  browser,
  dispatch,
}) => {
  await takeOut(dispatch);
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const { page } = owner;
  await owner.button('Assign Technician').click();
  const dialog = page.getByRole('dialog', { name: 'Assign Technician' });
  await expect(dialog.getByLabel('Technician')).toHaveValue('');
  await expect(dialog.getByRole('option', { name: 'Select a technician' })).toBeAttached();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Assign', exact: true })).toBeDisabled();
  await dialog.getByLabel('Technician').selectOption(String(HANK.id));
  await dialog.getByLabel('Level').selectOption({ label: 'Tradesman' });
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(owner.in('Tradesman', HANK.name)).toBeVisible();
  await saysInToast(page, `${HANK.name} moved to Tradesman`);

  const isHank = (url: URL) => url.pathname === `/api/technicians/${HANK.id}`;
  await page.route(isHank, (route) =>
    route.fulfill({ status: 409, json: { ok: false, error: 'Not today.', code: 'refused' } }),
  );
  await owner.moveTo(HANK.name, 'Lube-tech');
  await expect(page.getByText('Not today.', { exact: true })).toBeVisible();
  await expect(owner.in('Tradesman', HANK.name)).toBeVisible();
});

test('levels are added, renamed, moved and deleted, but not with somebody in them', async ({
  browser,
  dispatch,
}) => {
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const admin = await Organisation.open(browser, dispatch, ADMIN);
  const { page } = owner;
  const menu = async (level: string, item: string) => {
    await owner.button(`Level ${level}: more`).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await owner.button('Add level').click();
  await page.getByLabel('Level name').fill('Apprentice');
  await page.keyboard.press('Enter');
  await saysInToast(page, 'Level Apprentice added');
  await expect(admin.level('Apprentice')).toBeVisible();
  await menu('Apprentice', 'Rename');
  await page.getByLabel('Level name').fill('Trainee');
  await page.keyboard.press('Enter');
  await saysInToast(page, 'The level is called Trainee now');
  await menu('Trainee', 'Move up');
  const headings = async () =>
    (await admin.page.locator('[data-level] h2').allInnerTexts()).map((text) => text.split('\n')[0]);
  await expect.poll(headings).toEqual([...LEVELS.slice(0, 5), 'Trainee', 'Lube-tech', 'Not placed']);
  await owner.moveTo(HANK.name, 'Trainee');
  await saysInToast(page, `${HANK.name} moved to Trainee`);
  await menu('Trainee', 'Delete');
  await expect(
    page.getByText('Technicians still sit in Trainee. Move them to another level first.', { exact: true }),
  ).toBeVisible();
  await owner.moveTo(HANK.name, 'Not placed');
  await saysInToast(page, `${HANK.name} moved to Not placed`);
  await menu('Trainee', 'Delete');
  await saysInToast(page, 'Level Trainee deleted');
  await expect(admin.level('Trainee')).toBeHidden();
});

test('the skills panel adds, changes and deletes skills, with the specified texts', async ({
  browser,
  dispatch,
}) => {
  const { page, button } = await skillsAt(browser, dispatch);
  const panel = page.getByRole('dialog', { name: 'Manage Skills' });
  // 96 units of a quarter of 16 px.
  expect((await boxOf(panel)).width).toBe(384);
  expect((await boxOf(panel)).x).toBe(1440 - 384);
  await expect(panel.getByRole('heading', { name: 'Add New Skill' })).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Existing Skills' })).toBeVisible();

  await panel.getByLabel('Skill Name').fill('Glass work');
  await button('Add Skill').click();
  await saysInToast(page, 'Please fill in both skill name and level');
  await panel.getByLabel('Skill Level').fill('35');
  await button('Add Skill').click();
  await saysInToast(page, 'Skill added successfully');
  const glass = panel.getByRole('listitem').filter({ hasText: 'Glass work' });
  await expect(glass).toContainText('Level: 35');
  await expect(panel.getByLabel('Skill Name')).toHaveValue('');

  await panel.getByLabel('Skill Name').fill('glass WORK');
  await panel.getByLabel('Skill Level').fill('1');
  await button('Add Skill').click();
  await saysInToast(page, 'Failed to add skill');

  await button('Edit Glass work').click();
  const form = panel.getByRole('form', { name: 'Edit Glass work' });
  await form.getByLabel('Skill Name').fill('Windscreens');
  await form.getByLabel('Skill Level').fill('36');
  await form.getByRole('button', { name: 'Save' }).click();
  const windscreens = panel.getByRole('listitem').filter({ hasText: 'Windscreens' });
  await expect(windscreens).toContainText('Level: 36');

  // A technician gets the skill: then deleting it asks first.
  const admin = await Api.signIn(dispatch.url, ADMIN);
  const id = await admin.skill('Windscreens');
  await admin.send('PUT', `/api/technicians/${HANK.id}/skills/${id}`, {});
  await expect(windscreens).toContainText('1 technician, 0 opcode rules');
  await button('Delete Windscreens').click();
  const question = page.getByRole('alertdialog', { name: 'Delete Windscreens?' });
  await expect(question).toContainText('It is in use: 1 technician, 0 opcode rules.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await saysInToast(page, 'Skill Windscreens deleted');
  await expect(windscreens).toBeHidden();
});

test('the skills panel shows that skills could not be fetched', async ({ browser, dispatch }) => {
  const organisation = await Organisation.open(browser, dispatch, OWNER);
  const { page } = organisation;
  await page.route(
    (url) => url.pathname === '/api/repair-orders/skills',
    (route) => route.fulfill({ status: 409, json: { ok: false, error: 'No.', code: 'refused' } }),
  );
  await organisation.button('Manage Skills').click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch skills' })).toBeVisible();
});

async function skillsAt(browser: Browser, at: { url: string }) {
  const organisation = await Organisation.open(browser, at, OWNER);
  await organisation.button('Manage Skills').click();
  return { page: organisation.page, button: (name: string) => organisation.button(name) };
}

test('a technician is added, given skills and hours, and deleted', async ({ browser, dispatch }) => {
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const admin = await Organisation.open(browser, dispatch, ADMIN);
  const { page } = owner;
  await owner.button('Add Technician').click();
  await page.getByLabel('Name', { exact: true }).fill('Nadia Frost');
  await page.getByLabel('Technician number').fill('4242');
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: 'Level' })
    .selectOption({ label: 'Lube-tech' });
  await page.getByRole('dialog').getByRole('button', { name: 'Add Technician' }).click();
  await saysInToast(page, 'Nadia Frost added');
  await expect(admin.in('Lube-tech', 'Nadia Frost')).toBeVisible();

  await admin.button('Open Nadia Frost').click();
  const panel = admin.page.getByRole('dialog', { name: 'Nadia Frost' });
  await panel.getByLabel('Hours a day').fill('6.5');
  await panel.getByRole('button', { name: 'Save' }).click();
  await saysInToast(admin.page, 'Nadia Frost saved');
  const skill = panel.getByRole('combobox', { name: 'Add a skill' });
  const first = (await skill.getByRole('option').nth(1).textContent()) ?? '';
  await skill.selectOption({ index: 1 });
  await panel.getByLabel('Level', { exact: true }).last().fill('12');
  await panel.getByRole('button', { name: 'Add' }).click();
  await saysInToast(admin.page, `Nadia Frost has ${first} at level 12`);
  await expect(owner.level('Lube-tech')).toContainText(first);

  await panel.getByRole('button', { name: 'Delete technician' }).click();
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await saysInToast(admin.page, 'Nadia Frost deleted');
  await expect(owner.in('Lube-tech', 'Nadia Frost')).toBeHidden();

  // A technician with open orders cannot be deleted.
  await owner.button(`Open ${HANK.name}`).click();
  await page.getByRole('button', { name: 'Delete technician' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^They are on open repair orders or have an account\./)).toBeVisible();
});

test('an owner writes opcode rules, others read them', async ({ browser, dispatch }) => {
  const owner = await Organisation.open(browser, dispatch, OWNER);
  const admin = await Organisation.open(browser, dispatch, ADMIN);
  const rules = ({ page }: Organisation) => page.getByRole('dialog', { name: 'Opcode rules' });
  await admin.button('Opcode rules').click();
  await expect(rules(admin).getByText('Only owners change these rules.')).toBeVisible();
  await owner.button('Opcode rules').click();
  await rules(owner).getByLabel('Opcode', { exact: true }).fill('zz9*');
  await rules(owner).getByRole('combobox', { name: 'Skill' }).selectOption({ index: 1 });
  await rules(owner).getByLabel('At least level').fill('17');
  await rules(owner).getByRole('button', { name: 'Add rule' }).click();
  const rule = ({ page }: Organisation) => page.getByRole('listitem').filter({ hasText: /zz9\*/i });
  await expect(rule(admin)).toContainText('Level: 17');
  await rule(owner).getByRole('button', { name: /^Edit/ }).click();
  await rules(owner).getByLabel('At least level').last().fill('18');
  await rules(owner).getByRole('button', { name: 'Save' }).click();
  await expect(rule(admin)).toContainText('Level: 18');
  await expect(rule(admin).getByRole('button')).toHaveCount(0);
  await rule(owner)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rule(admin)).toHaveCount(0);
});

test('a user who may only read finds no control that changes anything', async ({ browser, dispatch }) => {
  const advisor = await Organisation.open(browser, dispatch, ADVISOR);
  for (const name of [
    'Assign Technician',
    'Add Technician',
    'Manage Skills',
    'Add level',
    `Drag ${HANK.name}`,
  ]) {
    await expect(advisor.button(name)).toHaveCount(0);
  }
  await advisor.button(`Open ${HANK.name}`).click();
  await expect(advisor.page.getByRole('dialog', { name: HANK.name })).toContainText('Specialty');
  await expect(advisor.page.getByRole('textbox')).toHaveCount(0);
});
