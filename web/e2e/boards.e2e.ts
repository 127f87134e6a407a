// A wall board: pairing, following the desk, and showing when it is not live.

import { expectAccessibleInBothThemes } from './accessibility.ts';
import { Board } from './board-screen.ts';
import { expect, OWNER, openDesk, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';
import { standingReport, watchStanding } from './standing-board.ts';

/** Overdue for nearly as long as what stands first on a queue. */
const overdue = new Date(Date.now() - 115 * 60_000).toISOString();

const ourOrder = {
  repairOrderNumber: 987_651,
  customer: 'LOVELACE,ADA',
  vehicle: '2003 Honda Accord EX',
  vehicleVIN: '1HGCM82633A004352',
  promisedDateTime: overdue,
  createDateTime: '2026-01-02T15:00:00Z',
  jobs: [{ jobNumber: 1, concern: 'Rattles over bumps' }],
};

/** The status id of the API. */
const WAITING = 11;

test('a screen is paired by its code, follows the desk, and is blank when it is revoked', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile(ourOrder));
  const board = await Board.open(browser, dispatch);
  const code = await board.code();
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await page.getByRole('link', { name: 'Boards' }).click();
  await page.getByRole('button', { name: 'Pair a screen', exact: true }).click();
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByLabel('Name').fill('North wall');
  await page.getByRole('radio', { name: 'Queue' }).check();
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect(page.getByText('North wall is on its screen', { exact: true })).toBeVisible();
  await expect(board.page.getByRole('heading', { name: 'North wall' })).toBeVisible();
  await board.isLive();
  const owner = await Api.signIn(dispatch.url, OWNER);
  const listedBoards = await owner.get<{ boardId: string; name: string }[]>('/api/boards');
  const paired = listedBoards.find(({ name }) => name === 'North wall');
  await owner.send('PATCH', `/api/boards/${paired?.boardId}`, { settings: { pageSeconds: 120 } });
  const card = board.card('987651');
  await expect(card).toContainText('Lovelace');
  await expect(card).toContainText('Overdue');
  await expect(card).toContainText('Drop');
  await expect(page.getByRole('article', { name: 'North wall' }).getByText('Live')).toBeVisible();

  // Changes the order at the desk.
  await page.goto(`${dispatch.url}/dashboard?q=987651`);
  await desk.isLive();
  await desk.pickStatus('987651', 'Waiting');
  await expect(card).toContainText('Waiting');
  await expect(card).toHaveClass(/changed/);

  // Kept over a reboot, also with another screen.
  await board.page.setViewportSize({ width: 1280, height: 720 });
  await board.page.reload();
  await expect(card).toContainText('Waiting');

  await page.goto(`${dispatch.url}/boards`);
  const listed = page.getByRole('article', { name: 'North wall' });
  await expect(listed).toContainText('1280 × 720');
  await listed.getByRole('button', { name: 'Identify North wall' }).click();
  await expect(board.page.getByRole('alert')).toContainText('North wall');
  await listed.getByRole('button', { name: 'More for North wall' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(board.cards).toHaveCount(0);
  expect(await board.code()).not.toBe(code);
  await expect(listed.getByText('Revoked')).toBeVisible();
  expect(await board.page.evaluate(() => localStorage.getItem('dispatch.board'))).toBeNull();
});

test('opening a link on a board makes the screen another board', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const target = (name: string) => ({ name, layout: 'queue' });
  const board = await Board.linked(browser, dispatch, owner, target('First'));
  const { url } = await owner.ask<{ url: string }>('/api/boards/links', target('Second'));
  await board.page.goto(dispatch.url + url);
  await expect(board.page.getByRole('heading', { name: 'Second' })).toBeVisible();
  await board.page.reload();
  await expect(board.page.getByRole('heading', { name: 'Second' })).toBeVisible();
});

test('a screen whose script fails to load retries until it loads', async ({ browser, dispatch }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.clock.install();
  await page.route('**/assets/board-*.js', (route) => route.abort());
  await page.goto(`${dispatch.url}/board`);
  await expect(page.locator('.too-old').first()).toBeAttached();
  await page.unroute('**/assets/board-*.js');
  await page.clock.fastForward(61_000);
  await expect(page.getByRole('img', { name: /^[2-9A-Z]{6}$/ })).toBeVisible();
});

test('while the server is away for twenty seconds a board shows since when it is not live, and recovers without a reload', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile(ourOrder));
  const owner = await Api.signIn(dispatch.url, OWNER);
  const board = await Board.linked(browser, dispatch, owner, {
    name: 'Lane',
    layout: 'queue',
    settings: { pageSeconds: 120, dimFrom: null },
  });
  await expect(board.card('987651')).toContainText('Drop');
  const facts = await board.page.locator('meta[name="dispatch-board"]').getAttribute('content');
  const { timeZone } = JSON.parse(facts ?? '{}');
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  await board.page.evaluate(() => {
    document.documentElement.dataset.sameAsBefore = 'yes';
  });

  const killed = Date.now();
  await dispatch.kill();
  const dead = Date.now();
  await expect(board.page.getByText('Late', { exact: true })).toBeVisible();
  const banner = board.page.getByRole('alert');
  await expect(banner).toContainText(/^NOT LIVE SINCE \d{1,2}:\d\d\s[AP]M$/);
  // It was last right at a tick, which was up to 5 s before, and more of a busy server.
  const bannerText = (await banner.textContent()) ?? '';
  const plain = (text: string) => text.replace(/\s/g, ' ');
  const minutes = [killed - 30_000, killed, dead].map((moment) => plain(clock.format(moment)));
  expect(minutes).toContain(plain(bannerText).replace('NOT LIVE SINCE ', ''));
  const width = await banner.evaluate((element) => element.getBoundingClientRect().width / innerWidth);
  expect(width).toBeGreaterThan(0.99);
  await board.page.waitForTimeout(Math.max(0, killed + 20_000 - Date.now()));
  await expect(board.card('987651')).toBeVisible();

  await dispatch.start();
  await board.isLive();
  await expect(banner).toHaveCount(0);
  await (await Api.signIn(dispatch.url, OWNER)).post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: 987_651, idStatus: WAITING }],
  });
  await expect(board.card('987651')).toContainText('Waiting');
  await expect(board.page.locator('html')).toHaveAttribute('data-same-as-before', 'yes');
});

test('a board whose state differs from the server’s reloads itself, and is not live if that does not help', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const board = await Board.linked(browser, dispatch, owner, { name: 'Lane', layout: 'queue' });
  await board.page.route('**/api/board/check', (route) =>
    route.fulfill({ json: { ok: true, result: { same: false, seq: 1, checksum: '00000000' } } }),
  );
  // The board checks twice, a tick apart, after a recent check.
  await board.page.reload();
  await board.page.waitForEvent('load');
  await board.isLive();
  await expect(board.page.getByText('Late', { exact: true })).toBeVisible();
  await expect(board.page.getByRole('alert')).toContainText('NOT LIVE SINCE');
});

test('a board that fails to render shows a message and reloads itself', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const board = await Board.linked(browser, dispatch, owner, { name: 'Lane', layout: 'queue' });
  await board.page.clock.install();
  await board.page.route('**/api/board', async (route) => {
    const answer = await route.fetch();
    const { result } = await answer.json();
    result.board.layout = 'of a later build';
    await route.fulfill({ response: answer, json: { ok: true, result } });
  });
  await board.page.reload();
  await expect(board.page.getByText('NOT LIVE. LOADING AGAIN')).toBeVisible();
  await board.page.unroute('**/api/board');
  await board.page.clock.fastForward(31_000);
  await board.isLive();
});

test('a screen that was asleep catches up with the events it missed', async ({ browser, dispatch }) => {
  dispatch.importFile('orders.json', orderFile(ourOrder));
  const owner = await Api.signIn(dispatch.url, OWNER);
  const board = await Board.linked(browser, dispatch, owner, {
    name: 'Lane',
    layout: 'queue',
    settings: { pageSeconds: 120 },
  });
  let asleep = false;
  const missed: string[] = [];
  await board.page.routeWebSocket(/\/ws\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (asleep) missed.push(message.toString());
      else socket.send(message);
    });
  });
  await board.page.reload();
  await board.isLive();
  await expect(board.card('987651')).toContainText('Drop');

  asleep = true;
  await owner.post('/api/repair-orders/update-status', {
    data: [{ repairOrderNumber: 987_651, idStatus: WAITING }],
  });
  await expect.poll(() => missed.join()).toContain('BOARD_CARD');
  await expect(board.card('987651')).toContainText('Drop');
  asleep = false;
  // The steady clock stopped meanwhile.
  await board.page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 3_600_000;
  });
  await expect(board.card('987651')).toContainText('Waiting');
  await board.isLive();
});

/** Of a name that is kept as `LEE, ANN B` or `Ann B. Lee`: in Latin letters, since others are written in other orders. */
function personOf(customer: string): { given: string; family: string } | null {
  const latin = "[\\p{Script=Latin}'’-]+";
  const { groups } =
    new RegExp(`^(?<family>[^,]+), ?(?<given>${latin})`, 'u').exec(customer) ??
    new RegExp(`^(?<given>${latin})( \\p{L}\\.)? (?<family>${latin})$`, 'u').exec(customer) ??
    {};
  return groups === undefined
    ? null
    : { given: wordsOf(groups.given ?? ''), family: wordsOf(groups.family ?? '') };
}

/** The words between blanks. A token such as a key stays in one piece. */
const wordsOf = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}_'’-]+/gu, ' ')} `;

test('a lounge board receives no customer’s identity and no concern', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const [technician] = await owner.technicians();
  const assigned = { ...ourOrder, regularIdTechnician: technician?.idTechnician };
  dispatch.importFile('orders.json', orderFile(assigned));
  // One technician's cars fit on a page or two.
  const board = await Board.linked(browser, dispatch, owner, {
    name: 'Lounge',
    layout: 'lounge',
    settings: {
      categories: ['Waiting', 'Drop'],
      technicians: [technician?.idTechnician],
      pageSeconds: 5,
    },
  });
  await expect(board.card('Ada L.')).toContainText('Taking longer');
  dispatch.importFile('again.json', orderFile({ ...assigned, promisedDateTime: '2035-01-05T15:00:00Z' }));
  await expect(board.card('Ada L.')).toContainText('Expected');

  const received = board.received.join('\n').toLowerCase();
  expect(received).toContain('ada l.');
  expect(received).toContain('board_card');
  const rows =
    await owner.get<{ vehicleVIN: string; vehicle: string; repairOrderNumber: number; customer: string }[]>(
      '/api/repair-orders',
    );
  expect(rows.length).toBeGreaterThan(100);
  const secrets = ['Lovelace', 'Rattles over bumps', 'Honda Accord', technician?.displayName ?? ''].concat(
    rows.flatMap(({ vehicleVIN, vehicle }) => [vehicleVIN, vehicle]),
  );
  const leaked = secrets.filter((secret) => secret.length > 3 && received.includes(secret.toLowerCase()));
  expect(leaked).toEqual([]);
  const words = wordsOf(received);
  // As words: a time or a key may have the same five digits in it.
  expect(rows.filter(({ repairOrderNumber }) => words.includes(` ${repairOrderNumber} `))).toEqual([]);

  const people = rows.flatMap(({ customer }) => personOf(customer) ?? []);
  const givenNames = new Set(people.map((person) => person.given));
  // One customer's family name may be another's first name.
  const families = new Set(people.map(({ family }) => family).filter((family) => !givenNames.has(family)));
  expect(families).toContain(' lovelace ');
  expect(families.size).toBeGreaterThan(50);
  expect([...families].filter((family) => words.includes(family))).toEqual([]);
});

/** For how long a board is watched while the shop behind it changes. */
const WATCHED_MS = 40_000;
const PAGE_SECONDS = 10;

test('a board stands still until its page turns, whatever changes behind it', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const boards = await Promise.all(
    ['shop-floor', 'queue', 'used-pdi', 'lounge'].map(async (layout) => {
      const settings = { pageSeconds: PAGE_SECONDS, dimFrom: null };
      const board = await Board.linked(browser, dispatch, owner, { name: layout, layout, settings });
      await expect(board.cards.first()).toBeVisible();
      await watchStanding(board.page);
      return { layout, board };
    }),
  );
  // Of those that the dealer system writes otherwise the number alone is another order's.
  const plain = (await owner.orders()).flatMap(([row]) => (row?.displayNumber == null && row ? [row] : []));
  const orders = plain.map(({ repairOrderNumber }) => repairOrderNumber);
  const ends = Date.now() + WATCHED_MS;
  for (let round = 0; Date.now() < ends; round++) {
    await changeShop(dispatch, owner, orders, round);
  }
  for (const { layout, board } of boards) {
    const { turns, changes, shifts } = await standingReport(board.page);
    expect.soft(shifts, layout).toEqual([]);
    expect.soft(turns, `${layout} turned`).toBeGreaterThanOrEqual(3);
    // A board whose values do not change proves nothing.
    expect.soft(changes, `${layout} changed`).toBeGreaterThan(5);
  }
});

/** Some get another status, one comes, is promised a time, and goes. */
async function changeShop(
  dispatch: { importFile(name: string, content: string): void },
  owner: Api,
  orders: readonly number[],
  round: number,
): Promise<void> {
  const statuses = [10, 11, 12, 13];
  const data = [0, 1, 2].map((place) => ({
    repairOrderNumber: orders[(round * 7 + place * 31) % orders.length],
    idStatus: statuses[(round + place) % statuses.length],
  }));
  await owner.post('/api/repair-orders/update-status', { data });
  const soon = new Date(Date.now() + (round % 9) * 60_000).toISOString();
  const fresh = { ...ourOrder, repairOrderNumber: 987_700 + round, promisedDateTime: soon };
  const gone = { repairOrderNumber: 987_700 + round - 3, closedDate: new Date().toISOString() };
  const promised = { repairOrderNumber: orders[(round * 5) % orders.length] ?? 0, promisedDateTime: soon };
  dispatch.importFile('round.json', orderFile(fresh, promised, ...(round >= 3 ? [gone] : [])));
}

test('an order that is closed stays in its place as gone, and leaves with the turn of the page', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile(ourOrder));
  const owner = await Api.signIn(dispatch.url, OWNER);
  const settings = { pageSeconds: 20, dimFrom: null };
  const board = await Board.linked(browser, dispatch, owner, { name: 'Lane', layout: 'queue', settings });
  const card = board.card('987651');
  await expect(card).toContainText('Overdue');
  const place = await card.boundingBox();
  dispatch.importFile('closed.json', orderFile({ ...ourOrder, closedDate: new Date().toISOString() }));
  await expect(card).toContainText('No longer here');
  await expect(card).not.toContainText('Overdue');
  expect((await card.boundingBox())?.height).toBe(place?.height);
  await expect(card).toHaveCount(0);
});

test('everybody of the demo’s shop is on one page of the shop floor, on an upright screen on two', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const settings = { pageSeconds: 120, dimFrom: null };
  const board = await Board.linked(browser, dispatch, owner, {
    name: 'Floor',
    layout: 'shop-floor',
    settings,
  });
  const tiles = board.page.locator('.tile');
  await expect(tiles).toHaveCount(28);
  await expect(board.page.locator('.page')).toHaveCount(0);
  const below = await tiles.last().evaluate((tile) => innerHeight - tile.getBoundingClientRect().bottom);
  expect(below).toBeGreaterThan(0);
  // A name without room gives way to a shorter one, and none is cut.
  const cutNames = () =>
    tiles
      .getByRole('heading')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      );
  await expect.poll(cutNames).toEqual([]);
  await board.resize({ width: 1080, height: 1920 });
  await expect(tiles).toHaveCount(14);
  await expect(board.page.locator('.page')).toHaveText('Page 1 of 2');
});

test('a used car and a new one in preparation say on their board how far they are', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const [technician] = await owner.technicians();
  const used = { ...ourOrder, customerStatus: 'Used', regularIdTechnician: technician?.idTechnician };
  const pdi = { ...ourOrder, repairOrderNumber: 987_652, customerStatus: 'PDI' };
  dispatch.importFile('orders.json', orderFile(used, pdi));
  const settings = { pageSeconds: 120, dimFrom: null };
  const board = await Board.linked(browser, dispatch, owner, { name: 'Lot', layout: 'used-pdi', settings });
  await expect(board.card('987651')).toContainText('Dispatched');
  await expect(board.card('987652')).toContainText(/PDI.*To be dispatched/);
  const given = { repairOrderNumber: '987652', idTechnician: technician?.idTechnician };
  await owner.post('/api/repair-orders/technicians/assign', given);
  await expect(board.card('987652')).toContainText('Dispatched');
  const clock = `/api/technicians/${technician?.idTechnician}/clock`;
  await owner.post(clock, { action: 'start', roNumber: 987_651, jobNumber: 1 });
  await expect(board.card('987651')).toContainText('Being worked on');
  await owner.post(clock, { action: 'finish', roNumber: 987_651, jobNumber: 1 });
  await expect(board.card('987651')).toContainText('Ready');
  await owner.post(clock, { action: 'start', roNumber: 987_652, jobNumber: 1 });
  await expect(board.card('987652')).toContainText(/PDI.*Being worked on/);
});

const screens = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
];

const displays = [
  { theme: 'dark', textSize: 'normal', locale: 'en-US' },
  { theme: 'light', textSize: 'large', locale: 'de-DE' },
  { theme: 'dark', textSize: 'larger', locale: 'es-ES', columns: 12 },
];

for (const layout of ['shop-floor', 'queue', 'used-pdi', 'lounge']) {
  test(`every text of ${layout} can be read from across the room, on every screen`, async ({
    browser,
    dispatch,
  }) => {
    dispatch.importFile('orders.json', orderFile(ourOrder));
    const owner = await Api.signIn(dispatch.url, OWNER);
    for (const { locale, ...display } of displays) {
      const settings = { ...display, dimFrom: null };
      const target = { name: display.textSize, layout, settings };
      const board = await Board.linked(browser, dispatch, owner, target, { locale });
      for (const viewport of screens) {
        await board.resize(viewport);
        await expect(board.cards.first()).toBeVisible();
        const where = `${locale}, ${viewport.width} x ${viewport.height}`;
        expect.soft(await board.illegible(), where).toEqual([]);
      }
      await board.page.context().close();
    }
  });
}

/** Clocks that run, each on a car whose promise takes some room: minutes since they began, and until it is due. */
const longestTexts = [
  // The longest stopwatch there is, beside what is overdue.
  { clock: 590, due: -59 },
  // One that was forgotten, and a promise with its day.
  { clock: 1_425, due: 2 * 1_440 },
  { clock: 1_425, due: 29 },
];

test('a clock that runs all day, or was forgotten, fits beside any promised time on every screen', async ({
  browser,
  dispatch,
}) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const technicians = longestTexts.map((_, place) => 9_001 + place);
  for (const [place, { clock, due }] of longestTexts.entries()) {
    const idTechnician = technicians[place];
    await owner.post('/api/technicians', {
      idTechnician,
      displayName: `Maximilian Featherstone ${place + 1}`,
    });
    const repairOrderNumber = 987_660 + place;
    const order = {
      ...ourOrder,
      repairOrderNumber,
      regularIdTechnician: idTechnician,
      promisedDateTime: ago(-due),
    };
    dispatch.importFile(`order-${place}.json`, orderFile(order));
    await owner.post(`/api/technicians/${idTechnician}/clock`, {
      action: 'start',
      roNumber: repairOrderNumber,
      jobNumber: 1,
      at: ago(clock),
    });
  }
  for (const { locale, ...display } of displays) {
    const target = {
      name: display.textSize,
      layout: 'shop-floor',
      settings: { ...display, technicians, dimFrom: null },
    };
    const board = await Board.linked(browser, dispatch, owner, target, { locale });
    for (const viewport of screens) {
      await board.resize(viewport);
      await expect(board.page.locator('.technician .clock').first()).toHaveText(/^9:5\d:\d\d$/);
      const where = `${locale}, ${viewport.width} x ${viewport.height}`;
      expect.soft(await board.illegible(), where).toEqual([]);
    }
    await board.resize({ width: 1920, height: 1080 });
    await expect(board.page.locator('.technician .forgotten')).toHaveText(['23 h', '23 h']);
    await board.page.context().close();
  }
});

test('no accessibility rule is broken on the boards screen', async ({ browser, dispatch }) => {
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.post('/api/boards', { name: 'South wall', layout: 'shop-floor' });
  const { page } = await openDesk(browser, dispatch, OWNER);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${dispatch.url}/boards`);
  const listed = page.getByRole('article', { name: 'South wall' });
  await expect(listed).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the list');
  const opened = [
    ['Pair a screen', 'pairing'],
    ['Make a link', 'a link'],
    ['Set up a screen', 'how to set one up'],
    ['Settings of South wall', 'settings'],
  ] as const;
  for (const [name, state] of opened) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothThemes(page, state);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await listed.getByRole('button', { name: 'More for South wall' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleInBothThemes(page, 'the question');
});
