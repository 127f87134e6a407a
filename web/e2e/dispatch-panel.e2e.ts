// The dialog in which the desk gives orders to technicians: the work, the technicians' load, what is proposed, and how
// few keys it takes.

import type { Locator } from '@playwright/test';
import { type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { hireForGlass } from './glass-technicians.ts';
import { LONG_MIDDAY_SHOP } from './midday.ts';
import { Api, orderFile } from './server-api.ts';

const HOUR_MS = 3_600_000;
const NEW_HIRE = { idTechnician: 4242, displayName: 'Nadia Frost', specialty: 'Brakes' };

interface Reason {
  kind: string;
}
interface Ranked {
  idTechnician: number;
  displayName: string;
  reasons: Reason[];
}

const job = (jobNumber: number, operationCode: string, concern: string, soldHours: number | null) => ({
  jobNumber,
  concern,
  operations: [{ operationCode, ...(soldHours !== null && { soldHours }) }],
});

const panel = (desk: Desk) => desk.dialog(/^(Batch )?Dispatch/);
const list = (desk: Desk) => panel(desk).getByRole('listbox', { name: 'Technician' });
const line = (desk: Desk, name: string) => list(desk).getByRole('option', { name: new RegExp(`^${name}`) });

async function openPanel(desk: Desk, order: string): Promise<void> {
  await desk.find(order);
  await desk.act('Dispatch RO', order);
  await expect(list(desk)).toBeVisible();
}

test('the dialog shows who waits, when it is due and the jobs with their hours, and Enter gives the order to the best fit', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile(
    'order.json',
    orderFile({
      repairOrderNumber: 987_654,
      customerStatus: 'Waiting',
      promisedDateTime: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
      jobs: [job(1, 'BRKF', 'Squeals when cold', 1.5), job(2, 'ALIGN', 'Pulls to the left', null)],
    }),
  );
  const api = await Api.signIn(dispatch.url, OWNER);
  const [best] = await api.get<Ranked[]>('/api/repair-orders/candidates?roNumbers=987654');
  if (best === undefined) throw new Error('the server ranks nobody');
  const desk = await openDesk(browser, dispatch, OWNER);
  await openPanel(desk, '987654');

  const work = panel(desk).getByRole('region', { name: 'The work' });
  await expect(work).toContainText('The customer is waiting');
  await expect(work).toContainText(/Promised .*\d:\d\d/);
  await expect(work).toContainText(/ETA .*\d:\d\d/);
  await expect(work.getByRole('listitem')).toHaveText([
    'BRKFSqueals when cold1.5 h',
    'ALIGNPulls to the lefthours not known',
  ]);
  await expect(work).toContainText('at least 1.5 h sold');

  await expect(line(desk, best.displayName)).toHaveAttribute('aria-selected', 'true');
  await expect(
    panel(desk).getByText(
      new RegExp(
        `^(Best fit|Nobody (who fits has room today|has all the skills). First choice): ${best.displayName}$`,
      ),
    ),
  ).toBeVisible();
  await expect(
    panel(desk)
      .getByRole('status')
      .getByText(/level \d.*(h promised|h over|not known|no hours left)/),
  ).toBeVisible();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  await expect(panel(desk)).toHaveCount(0);
  await expect(desk.row('987654')).toContainText(best.displayName);
});

test('Enter that is still held from opening the dialog dispatches nothing', async ({ browser, dispatch }) => {
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: 987_654 }));
  const desk = await openDesk(browser, dispatch, OWNER);
  const sent = desk.requests(/^POST .*\/assign$/);
  await desk.find('987654');
  await desk.page.getByRole('button', { name: 'Dispatch RO 987654', exact: true }).focus();
  const { keyboard } = desk.page;
  await keyboard.down('Enter');
  await expect(list(desk)).toBeVisible();
  await expect(panel(desk).getByRole('button', { name: 'Dispatch', exact: true })).toBeEnabled();
  await keyboard.down('Enter');
  await keyboard.up('Enter');
  await expect(panel(desk)).toBeVisible();
  expect(sent).toEqual([]);
  await keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  expect(sent.length).toBe(1);
});

const AVAILABILITY = /\b(free|on a job|off the clock)$/i;

/** The texts in it that an ellipsis cuts off. */
function cutTexts(within: Locator): Promise<string[]> {
  return within.evaluate((root) =>
    [...root.querySelectorAll('*')]
      .filter(
        (element) =>
          getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth,
      )
      .map((element) => element.textContent ?? ''),
  );
}

/** The longest that the server says of a technician, with the longest of the demo's skills. */
const longestReasons = ([one, other]: Skill[]) => [
  ...[one, other].map((skill) => ({ kind: 'skill', wanted: 3, ...skill })),
  { kind: 'clock', state: 'on-job' },
  {
    ...{
      kind: 'load',
      assignedHours: 42.5,
      jobsWithoutHours: 3,
      dueHours: 12.5,
      dailyHours: 9.5,
      openOrders: 14,
    },
    ...{ dueTodayHours: 22.5, dueTodayJobsWithoutHours: 2, hoursLeftToday: 7.5 },
  },
  { kind: 'portal', enabled: false },
  {
    ...{ kind: 'week', hours: 37.5, jobs: 12, jobsWithoutHours: 4, decided: true },
    ...{ team: 28, teamHours: 21.25, teamJobsWithoutHours: 2 },
    kinds: ['waiter', 'diagnosis', 'warranty', 'menu'].map((kind) => ({
      ...{ kind, hours: 12.5, jobs: 3, jobsWithoutHours: 1 },
    })),
  },
];
interface Skill {
  skillName: string;
  level: number | null;
  state: string;
  includedIn?: string;
}
const has = (name: string): Skill => ({
  ...{ skillName: `${name} Craftsman`, level: 5, state: 'has', includedIn: `${name} Tradesman` },
});
const below = (name: string): Skill => ({ skillName: `${name} Tradesman`, level: 2, state: 'below' });
const lacks = (name: string): Skill => ({ skillName: `${name} Tradesman`, level: null, state: 'lacks' });

/** The server's ranking, the first three of which have all reasons that it knows. */
async function lengthenReasons({ page }: Desk): Promise<void> {
  await page.route('**/api/repair-orders/candidates?*', async (route) => {
    const response = await route.fetch();
    const answer: { result: { reasons: object[] }[] } = await response.json();
    for (const [place, skill] of [has, below, lacks].entries()) {
      const candidate = answer.result[place];
      if (candidate !== undefined)
        candidate.reasons = longestReasons(['Transmission', 'Electrical'].map(skill));
    }
    await route.fulfill({ response, json: answer });
  });
}

/** The same of the technician of each order of a batch. */
function batchReasonLines(dialog: Locator): Promise<{ lines: number[]; cut: string[] }> {
  return dialog.evaluate((root) => {
    const texts = [...root.querySelectorAll('li > select + p')];
    return {
      lines: texts.map((text) =>
        Math.round(
          text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
        ),
      ),
      cut: texts
        .filter(
          (text) => getComputedStyle(text).overflow !== 'visible' || text.scrollWidth > text.clientWidth,
        )
        .map((text) => text.textContent),
    };
  });
}

/** How many lines each of the two texts of reasons takes of the first three technicians, and what of all they say is cut. */
function reasonLines(dialog: Locator): Promise<{ lines: number[]; cut: string[] }> {
  return dialog.evaluate((root) => {
    const texts = [...root.querySelectorAll('[role=option] [title*=" · "]')].slice(0, 3);
    const linesOf = (element: Element) =>
      Math.round(
        element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
      );
    const lines = texts.flatMap((text) => {
      const week = text.lastElementChild;
      const ofWeek = week === null ? 0 : linesOf(week);
      return [linesOf(text) - ofWeek, ofWeek];
    });
    // Beside the name: whether they are available, and their hours.
    const facts = texts.map((text) => text.previousElementSibling?.lastElementChild ?? text);
    const sentences = [...root.querySelectorAll('[role=status]')];
    const cut = [...texts, ...facts, ...sentences].flatMap((text) => {
      const parts = [text, ...text.querySelectorAll('*')];
      const isCut = parts.some((part) => {
        const { overflow, textOverflow, webkitLineClamp } = getComputedStyle(part);
        const isWider = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
        return (
          (part.clientWidth > 0 && isWider && overflow !== 'visible') ||
          textOverflow !== 'clip' ||
          webkitLineClamp !== 'none'
        );
      });
      const [inner, outer] = [text, root].map((one) => one.getBoundingClientRect());
      return isCut || (inner?.right ?? 0) > (outer?.right ?? 0) ? [text.textContent] : [];
    });
    return { lines, cut };
  });
}

test('the longest reasons are read whole, in two lines each and in three on a phone, in each language', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile(
    'orders.json',
    orderFile(
      { repairOrderNumber: 987_654, jobs: [job(1, 'BRKF', 'Squeals', 1)] },
      { repairOrderNumber: 987_655, jobs: [job(1, 'BRKF', 'Squeals', 1)] },
    ),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await lengthenReasons(desk);
  for (const [language, name, all, batchVerb] of [
    ['en', 'Dispatch RO 987654', 'Select all', 'Batch Dispatch'],
    ['de', 'Auftrag 987654 zuteilen', 'Alle auswählen', 'Gemeinsam zuteilen'],
    ['es', 'Asignar la orden 987654', 'Seleccionar todo', 'Asignar en lote'],
  ] as const) {
    await desk.page.evaluate((chosen) => localStorage.setItem('dispatch.language', chosen), language);
    await desk.page.setViewportSize({ width: 1440, height: 900 });
    await desk.page.goto(`${dispatch.url}/dashboard?tab=unassigned&q=98765`);
    await desk.page.getByRole('button', { name, exact: true }).press('Enter');
    const dialog = desk.page.getByRole('dialog');
    await expect(dialog.getByRole('option').first()).toContainText(/12[.,]5\+ h/);
    for (const [width, most] of [
      [1440, 2],
      [390, 3],
    ] as const) {
      await desk.page.setViewportSize({ width, height: 900 });
      const { lines, cut } = await reasonLines(dialog);
      expect(lines, `${language} at ${width} px`).toHaveLength(6);
      expect(Math.max(...lines), `${language} at ${width} px: ${lines}`).toBeLessThanOrEqual(most);
      expect(cut, `${language} at ${width} px`).toEqual([]);
    }
    await desk.page.keyboard.press('Escape');
    await desk.page.setViewportSize({ width: 1440, height: 900 });
    await desk.page.getByRole('checkbox', { name: all }).check();
    await desk.page.getByRole('button', { name: batchVerb }).press('Enter');
    await expect(dialog.locator('li > select + p')).toHaveCount(2);
    for (const [width, most] of [
      [1440, 2],
      [390, 3],
    ] as const) {
      await desk.page.setViewportSize({ width, height: 900 });
      const { lines, cut } = await batchReasonLines(dialog);
      expect(Math.max(...lines), `${language}, a batch at ${width} px`).toBeLessThanOrEqual(most);
      expect(cut, `${language}, a batch at ${width} px`).toEqual([]);
    }
  }
});

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`no hours are cut off, and no line is wider than the dialog, ${width} px wide`, async ({
    browser,
    dispatch,
  }) => {
    const opcodes = ['BRKF', 'ALIGN', 'ACREC', 'HEAT', 'ELEC', '4WD', 'SPARK'];
    dispatch.importFile(
      'order.json',
      orderFile({
        repairOrderNumber: 987_654,
        jobs: opcodes.map((opcode, place) => job(place + 1, opcode, 'See the advisor', 0.5)),
      }),
    );
    const desk = await openDesk(browser, dispatch, OWNER);
    await desk.search('987654');
    await desk.page.setViewportSize({ width, height });
    const dispatchButton = desk.page.getByRole('button', { name: 'Dispatch RO 987654', exact: true });
    await dispatchButton.focus();
    await desk.page.keyboard.press('Enter');
    await expect(list(desk).getByRole('option').first()).toContainText(
      /\d of [\d.]+ h|over|no hours left|not known/,
    );
    await expect(list(desk).getByText(AVAILABILITY).first()).toBeVisible();
    const hoursAndAvailability = new RegExp(String.raw` h\b|not known|${AVAILABILITY.source}`, 'i');
    expect((await cutTexts(panel(desk))).filter((text) => hoursAndAvailability.test(text))).toEqual([]);
    const overflow = await list(desk).evaluate((box) => {
      const right = box.getBoundingClientRect().right;
      return [...box.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > right + 1)
        .length;
    });
    expect(overflow).toBe(0);
  });
}

test.describe('of a whole day', () => {
  test.use({ serveOptions: LONG_MIDDAY_SHOP });

  test('overload is said in words, as it is and as the work would make it', async ({ browser, dispatch }) => {
    const api = await Api.signIn(dispatch.url, OWNER);
    await api.post('/api/technicians', NEW_HIRE);
    // Late, and so promised for today whatever the hour.
    const promisedDateTime = new Date().toISOString();
    dispatch.importFile(
      'orders.json',
      orderFile(
        {
          repairOrderNumber: 987_651,
          regularIdTechnician: NEW_HIRE.idTechnician,
          promisedDateTime,
          jobs: [job(1, 'BRKF', 'Squeals', 7.5)],
        },
        { repairOrderNumber: 987_652, promisedDateTime, jobs: [job(1, 'BRKR', 'Soft pedal', 1.25)] },
      ),
    );
    const desk = await openDesk(browser, dispatch, OWNER);
    await openPanel(desk, '987652');
    await expect(line(desk, NEW_HIRE.displayName)).toContainText(
      'with this work 0.8 h over today (8 h left)',
    );
    await expect(line(desk, NEW_HIRE.displayName).locator('[data-load="over"]')).toBeVisible();
    await desk.page.keyboard.press('Escape');

    dispatch.importFile(
      'more.json',
      orderFile({
        repairOrderNumber: 987_653,
        regularIdTechnician: NEW_HIRE.idTechnician,
        promisedDateTime,
        jobs: [job(1, 'BRKF', 'Squeals', 2)],
      }),
    );
    await expect(desk.dialog(/./)).toHaveCount(0);
    await openPanel(desk, '987652');
    await expect(line(desk, NEW_HIRE.displayName)).toContainText('1.5 h over today (8 h left)');
    await expect(line(desk, NEW_HIRE.displayName).locator('[data-load="over"]')).toBeVisible();
  });
});

test('hours that nobody knows are no number, in the dialog and in the technician’s row', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  await api.post('/api/technicians', NEW_HIRE);
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: 987_651,
        regularIdTechnician: NEW_HIRE.idTechnician,
        // The row is about what is promised for today, which what is late is, too.
        promisedDateTime: new Date().toISOString(),
        jobs: [job(1, 'BRKF', 'Squeals', null)],
      },
      { repairOrderNumber: 987_652, jobs: [job(1, 'BRKR', 'Soft pedal', 1.25)] },
    ),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  await openPanel(desk, '987652');
  await expect(line(desk, NEW_HIRE.displayName)).toContainText('hours not known');
  await expect(line(desk, NEW_HIRE.displayName)).not.toContainText(/\d of \d/);
  await desk.page.keyboard.press('Escape');
  await desk.page.getByRole('link', { name: 'Technician Dashboard' }).click();
  const row = desk.page.getByRole('article', { name: NEW_HIRE.displayName });
  await expect(row).toContainText('hours not known');
  await expect(row).toContainText('1 job without hours is not counted');
  await expect(row).not.toContainText(/\d of \d/);
});

/** Five orders that nobody has: four for glass work, one without an opcode rule. */
const batch = [987_651, 987_652, 987_653, 987_654, 987_655];
const OTHER_HIRE = { ...NEW_HIRE, idTechnician: 4243, displayName: 'Omar Frost' };

/** The orders, and two technicians who alone have the skill for glass work. */
async function importBatch(dispatch: { url: string; importFile(name: string, content: string): void }) {
  const api = await Api.signIn(dispatch.url, OWNER);
  await hireForGlass(api, [NEW_HIRE, OTHER_HIRE]);
  const orders = batch.map((repairOrderNumber, place) => ({
    repairOrderNumber,
    jobs: [job(1, place < 4 ? 'GLASS1' : 'WASH', 'See the advisor', 2)],
  }));
  dispatch.importFile('orders.json', orderFile(...orders));
  return api;
}

/** Opens the dialog for the five, with all of them selected. */
async function openBatch(desk: Desk): Promise<void> {
  await desk.tab('Unassigned').click();
  await desk.search('98765');
  await desk.page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(desk.page.getByText('5 RO(s) selected', { exact: true })).toBeVisible();
  await desk.page.getByRole('button', { name: 'Batch Dispatch' }).press('Enter');
  await expect(desk.dialog('Batch Dispatch 5 ROs')).toBeVisible();
}

const choiceOf = (desk: Desk, order: number) => panel(desk).getByLabel(`Technician for RO ${order}`);

/** The technicians in the dialog's menus, by order. */
function chosen(desk: Desk): Promise<[number, number][]> {
  return Promise.all(
    batch.map(
      async (order): Promise<[number, number]> => [order, Number(await choiceOf(desk, order).inputValue())],
    ),
  );
}

test('each order of a batch has its own best fit, one Enter dispatches five, and one undo takes all back', async ({
  browser,
  dispatch,
}) => {
  const api = await importBatch(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const before = await desk.count('Unassigned');
  const sent = desk.requests(/^POST .*\/technicians\//);
  await openBatch(desk);
  const verb = panel(desk).getByRole('button', { name: 'Dispatch', exact: true });
  await expect(verb).toBeFocused();
  const [washer] = await api.candidates('987655');
  // Of two who fit equally well each order goes to whom the orders before it left the least busy.
  await expect
    .poll(async () => (await chosen(desk)).map(([, technician]) => technician))
    .toEqual([
      NEW_HIRE.idTechnician,
      OTHER_HIRE.idTechnician,
      NEW_HIRE.idTechnician,
      OTHER_HIRE.idTechnician,
      washer?.idTechnician,
    ]);
  const proposals = await chosen(desk);
  await expect(panel(desk).getByText(/^5 ROs for 3 technicians/)).toBeVisible();

  await desk.page.keyboard.press('Enter');
  await expect(desk.page.getByText('Technician assigned successfully', { exact: true })).toBeVisible();
  await expect(panel(desk)).toHaveCount(0);
  await expect.poll(() => desk.count('Unassigned')).toBe(before - 5);
  expect(sent).toEqual(Array(3).fill('POST /api/repair-orders/technicians/dispatch'));
  const assigned = (await api.orders())
    .map(([row]) => row)
    .filter((row) => batch.includes(row?.repairOrderNumber ?? 0))
    .map((row) => [row?.repairOrderNumber, row?.regularIdTechnician]);
  expect(new Map(assigned as [number, number][])).toEqual(new Map(proposals));

  await desk.page.keyboard.press('z');
  await desk.says('Change undone');
  await expect.poll(() => desk.count('Unassigned')).toBe(before);
});

/** A pointer at the centre of the dialog's two buttons meets them, wherever the dialog is scrolled to. */
async function expectButtonsOnTop(desk: Desk, width: number, height: number): Promise<void> {
  await desk.page.setViewportSize({ width, height });
  await expect(list(desk)).toBeVisible();
  const covered = await panel(desk).evaluate((dialog) => {
    const buttons = [...dialog.querySelectorAll('button')].filter(({ textContent }) =>
      /^(Cancel|Dispatch)$/.test(textContent),
    );
    const found: string[] = buttons.length === 2 ? [] : [`${buttons.length} buttons`];
    for (let top = 0; top <= dialog.scrollHeight - dialog.clientHeight; top += 20) {
      dialog.scrollTop = top;
      for (const button of buttons) {
        const { x, y, width, height } = button.getBoundingClientRect();
        const met = document.elementFromPoint(x + width / 2, y + height / 2);
        if (met?.closest('button') !== button) found.push(`${button.textContent} at ${top}: ${met?.tagName}`);
      }
    }
    return found;
  });
  expect(covered).toEqual([]);
}

test('the dialog’s buttons lie over its list wherever it is scrolled to', async ({ browser, dispatch }) => {
  await importBatch(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await openBatch(desk);
  // The search field of the list begins above the buttons, at them, or below them.
  for (const height of [900, 800, 700, 600]) await expectButtonsOnTop(desk, 1440, height);
  await desk.page.keyboard.press('Escape');

  await desk.page.setViewportSize({ width: 720, height: 450 });
  await desk.page
    .getByRole('button', { name: /^Dispatch RO/ })
    .first()
    .click();
  for (const height of [450, 400, 350]) await expectButtonsOnTop(desk, 720, height);
});

test('the batch dialog begins at its top in a low window, too', async ({ browser, dispatch }) => {
  await importBatch(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.page.setViewportSize({ width: 1440, height: 520 });
  await openBatch(desk);
  await expect(list(desk)).toBeVisible();
  // What takes the focus stands at its foot.
  await expect(panel(desk).getByRole('button', { name: 'Dispatch', exact: true })).toBeFocused();
  const { top, beyond } = await panel(desk).evaluate((dialog) => ({
    top: dialog.scrollTop,
    beyond: dialog.scrollHeight - dialog.clientHeight,
  }));
  expect(beyond).toBeGreaterThan(100);
  expect(top).toBe(0);
  await expect(choiceOf(desk, batch[0] ?? 0)).toBeInViewport();
});

test('a technician is changed in place, all orders go to one, and the proposals come back', async ({
  browser,
  dispatch,
}) => {
  await importBatch(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  await openBatch(desk);
  const first = batch[0] ?? 0;
  await expect(choiceOf(desk, first)).toBeEnabled();
  const proposals = await chosen(desk);

  await line(desk, 'Bo Li').click();
  await expect(line(desk, 'Bo Li')).toHaveAttribute('aria-selected', 'true');
  const toOne = await chosen(desk);
  expect(new Set(toOne.map(([, technician]) => technician)).size).toBe(1);
  await expect(panel(desk).getByText(/^5 ROs for 1 technician/)).toBeVisible();
  await panel(desk).getByRole('button', { name: 'Best fit for each' }).click();
  await expect.poll(() => chosen(desk)).toEqual(proposals);

  // From the menu of an order Enter dispatches, too.
  await choiceOf(desk, first).selectOption('1131');
  await choiceOf(desk, first).press('Enter');
  await desk.says('Technician assigned successfully');
  await desk.tab('All').click();
  await desk.find(String(first));
  await expect(desk.row(String(first))).toContainText('Hank Mueller');
});

test('a batch that fails in part keeps the orders that were refused, and undoes those that were not', async ({
  browser,
  dispatch,
}) => {
  await importBatch(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const before = await desk.count('Unassigned');
  await openBatch(desk);
  await expect(choiceOf(desk, 987_655)).toBeEnabled();
  await choiceOf(desk, 987_655).selectOption('1131');
  await desk.page.route(/technicians\/dispatch$/, async (route) => {
    const { idTechnician } = route.request().postDataJSON();
    if (Number(idTechnician) !== 1131) return route.continue();
    await route.fulfill({ status: 409, json: { ok: false, error: 'Not today.', code: 'refused' } });
  });
  await panel(desk).getByRole('button', { name: 'Dispatch', exact: true }).click();
  await expect(desk.page.getByText('Failed to assign technician', { exact: true })).toBeVisible();
  await expect(desk.page.getByText('1 of 5 ROs: Not today.', { exact: true })).toBeVisible();
  await expect(desk.dialog('Batch Dispatch 1 ROs')).toBeVisible();
  await expect(choiceOf(desk, 987_655)).toHaveValue('1131');
  await desk.page.keyboard.press('Escape');
  await expect(panel(desk)).toHaveCount(0);
  await expect.poll(() => desk.count('Unassigned')).toBe(before - 4);
  await desk.page.keyboard.press('z');
  await expect.poll(() => desk.count('Unassigned')).toBe(before);
});
