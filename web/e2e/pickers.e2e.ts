// The pickers at the cells: status, priority and technicians, by hand, by key and on a phone, and what another desk
// changes while one is open.
import { ADVISOR, dismissToast, expect, OWNER, openDesk, openSignedIn, settled, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const ORDER = '987654';
const anOrder = orderFile({ repairOrderNumber: Number(ORDER), customerStatus: 'Drop', priorityName: 'Low' });

test('another desk’s status is shown in an open picker, and a pick made then goes through', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', anOrder);
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  for (const desk of [advisor, owner]) await desk.find(ORDER);
  const picker = advisor.picker('Change status of RO', ORDER);

  await advisor.status(ORDER).click();
  await expect(picker.getByRole('option', { selected: true })).toHaveText('Drop');
  const places = async () =>
    Promise.all((await picker.getByRole('option').all()).map((option) => option.boundingBox()));
  const before = await settled(places);
  await owner.pickStatus(ORDER, 'Waiting');
  await expect(picker.getByText('Now Waiting, by Olivia Owens', { exact: true })).toBeVisible();
  await expect(picker.getByRole('option', { selected: true })).toHaveText('Waiting');
  // Nothing moves under the hand.
  expect(await places()).toEqual(before);
  await picker.getByRole('option', { name: 'PDI' }).click();
  await advisor.says('Status updated to PDI and priority set to Low');
  await expect(advisor.page.getByRole('dialog')).toHaveCount(0);
  await expect(owner.status(ORDER)).toHaveText('PDI');

  // The same with the priority and the technicians.
  await advisor.act('Change priority of RO', ORDER);
  await owner.pickPriority(ORDER, 'High');
  const priorities = advisor.picker('Change priority of RO', ORDER);
  await expect(priorities.getByText('Now High, by Olivia Owens', { exact: true })).toBeVisible();
  await priorities.getByRole('option', { name: 'Medium' }).click();
  await advisor.says('Priority updated to Medium');
  await expect(await owner.cell(ORDER, 'Priority')).toHaveText('Medium');
});

test('a pick that crosses another desk’s change on its way is decided in a dialog, whatever the field', async ({
  browser,
  dispatch,
  gateway,
}) => {
  dispatch.importFile('order.json', anOrder);
  const desk = await openDesk(browser, gateway, OWNER);
  const other = await Api.signIn(dispatch.url, OWNER);
  await desk.find(ORDER);
  const dialog = desk.page.getByRole('dialog');
  const number = Number(ORDER);

  for (const { path, change, open, option, title, now, verb, failed } of [
    {
      path: '/update-status',
      change: () =>
        other.post('/api/repair-orders/update-status', {
          data: [{ repairOrderNumber: ORDER, idStatus: '12' }],
        }),
      open: () => desk.status(ORDER).click(),
      option: /^PDI$/,
      title: `Change status of RO ${ORDER}`,
      now: 'Drop → Used',
      verb: 'Set PDI',
      failed: 'Failed to update status',
    },
    {
      path: '/update-priority',
      change: () =>
        other.post('/api/repair-orders/update-priority', {
          data: [{ roNumber: number, priorityLevel: '3' }],
        }),
      open: () => desk.act('Change priority of RO', ORDER),
      option: /^Medium$/,
      title: `Update Priority for RO ${ORDER}`,
      now: 'Low → High',
      verb: 'Set Medium',
      failed: 'Failed to update priority',
    },
    {
      path: '/technicians/assign',
      change: () =>
        other.post('/api/repair-orders/technicians/assign', {
          repairOrderNumber: ORDER,
          idTechnician: '1131',
        }),
      open: () => desk.technicians(ORDER).click(),
      option: /^Bo Li/,
      title: `Dispatch RO ${ORDER}`,
      now: 'Unassigned → Hank Mueller',
      verb: 'Dispatch',
      failed: 'Failed to assign technician',
    },
  ]) {
    await open();
    // The pick is on its way while the other change arrives at the server.
    gateway.hold((method, called) => method === 'POST' && called.endsWith(path));
    const refused = desk.page.waitForResponse((response) => response.url().endsWith(path));
    await desk.option(option).click();
    await change();
    gateway.release();
    expect((await refused).status()).toBe(409);
    const conflict = desk.dialog(title);
    await expect(conflict.getByRole('alert')).toContainText(now);
    await expect(desk.page.getByText(failed, { exact: true })).toHaveCount(0);
    await conflict.getByRole('button', { name: 'Keep my choice' }).click();
    await conflict.getByRole('button', { name: verb, exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await dismissToast(desk.page);
  }
  await expect(desk.status(ORDER)).toHaveText('PDI');
  await expect(await desk.cell(ORDER, 'Priority')).toHaveText('Medium');
  await expect(desk.technicians(ORDER)).toContainText('Hank Mueller (+1)');
});

test('the technicians are offered with their load, the best fit first; those on the order can be removed', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', anOrder);
  const api = await Api.signIn(dispatch.url, OWNER);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.find(ORDER);
  const picker = desk.picker('Technicians of RO', ORDER);
  const cell = desk.technicians(ORDER);
  await expect(cell).toHaveText(/^Unassigned\s*Assign/);

  // Two clicks, the second on whom Enter would pick.
  const ranked = await api.candidates(ORDER);
  const [best] = ranked;
  if (best === undefined) throw new Error('nobody is ranked');
  await desk.openRanked(ORDER, () => cell.click());
  const offers = picker.getByRole('group', { name: 'Best fit first' }).getByRole('option');
  await expect(offers).toHaveCount(ranked.length);
  const load = String.raw`\d+ open ROs?.*(h promised today|h left\)|hours left today)$`;
  await expect(offers.first()).toHaveText(new RegExp(`^${best.displayName}.*${load}`));
  expect(await offers.allTextContents()).toEqual(
    ranked.map(({ displayName }) => expect.stringMatching(new RegExp(`^${displayName}`))),
  );
  await offers.first().click();
  await desk.says('Technician assigned successfully');
  await expect(cell).toContainText(best.displayName);

  // With a second one, found by typing.
  await desk.openRanked(ORDER, () => cell.click());
  await expect(picker.getByRole('option', { selected: true })).toHaveText(new RegExp(`^${best.displayName}`));
  const second = ranked.at(-1)?.displayName ?? '';
  await desk.page.keyboard.type(second);
  await expect(offers).toHaveCount(1);
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  await expect(cell).toContainText('(+1)');

  // And without the first again.
  await cell.click();
  const assigned = picker.getByRole('group', { name: 'On this RO' });
  await expect(assigned.getByRole('option')).toHaveCount(2);
  await assigned.getByRole('option', { name: `${best.displayName} Remove` }).click();
  await desk.says('Technician unassigned successfully');
  await expect(cell).toContainText(second);

  for (const [option, title] of [
    ['Reassign...', 'Reassign Technician'],
    ['More...', 'Add Technician'],
  ] as const) {
    await cell.click();
    await picker.getByRole('option', { name: option }).click();
    await expect(desk.dialog(title).locator(':focus')).toHaveCount(1);
    await desk.page.keyboard.press('Escape');
    await expect(desk.page.getByRole('dialog')).toHaveCount(0);
    await expect(cell).toBeFocused();
  }
});

test('on every tab a status, a priority and a technician are three keys away', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', anOrder);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await desk.tab('Unassigned').click();
  await desk.find(ORDER);
  const row = page.locator(`tr[data-key="${ORDER}"]`);
  await row.focus();
  await press('p', 'h', 'Enter');
  await desk.says('Priority updated to High');
  await row.focus();
  await press('s', 'u', 'Enter');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.openRanked(ORDER, async () => {
    await row.focus();
    await press('d');
  });
  const picker = desk.picker('Technicians of RO', ORDER);
  const best = picker.getByRole('group', { name: 'Best fit first' }).getByRole('option').first();
  await expect(best).toHaveAttribute('data-active', 'true');
  await press('Enter');
  await desk.says('Technician assigned successfully');
  for (const tab of ['All', 'Used']) {
    await desk.tab(tab).click();
    await expect(desk.tab(tab)).toHaveAttribute('aria-selected', 'true');
    await desk.find(ORDER);
    await row.focus();
    for (const [key, name] of [
      ['s', 'Change status of RO'],
      ['p', 'Change priority of RO'],
      ['d', 'Technicians of RO'],
    ] as const) {
      await press(key);
      await expect(desk.picker(name, ORDER)).toBeVisible();
      await press('Escape');
      await expect(row).toBeFocused();
    }
  }
});

test('one picker serves the whole table, closes when its row is scrolled away, and moves on to another cell', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const [first = '', second = ''] = await desk.top();
  const open = desk.page.getByRole('dialog');
  await desk.status(first).click();
  await expect(desk.picker('Change status of RO', first)).toBeVisible();
  await desk.technicians(second).click();
  await expect(desk.picker('Technicians of RO', second)).toBeVisible();
  await expect(open).toHaveCount(1);
  await desk.act('Change priority of RO', second);
  await expect(desk.picker('Change priority of RO', second)).toBeVisible();
  await expect(open).toHaveCount(1);
  await desk.table.evaluate((table) => table.parentElement?.scrollTo(0, 2_000));
  await expect(open).toHaveCount(0);
});

test('a double click opens a picker once, picks once, and opens no details', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('order.json', anOrder);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.find(ORDER);
  const picker = desk.picker('Change status of RO', ORDER);
  await desk.status(ORDER).dblclick();
  await expect(picker).toBeVisible();
  // Below this option lies the row: the second click is on what the first one uncovered.
  await picker.getByRole('option', { name: 'PDI' }).dblclick();
  await desk.says('Status updated to PDI and priority set to Low');
  await expect(desk.status(ORDER)).toHaveText('PDI');
  await expect(desk.details(ORDER)).toHaveCount(0);
  expect(new URL(page.url()).searchParams.has('ro')).toBe(false);
});

test('picking what already is so says so and sends nothing', async ({ browser, dispatch }) => {
  dispatch.importFile('order.json', anOrder);
  const desk = await openDesk(browser, dispatch, OWNER);
  await desk.find(ORDER);
  const sent: string[] = [];
  desk.page.on('request', (request) => {
    if (request.method() === 'POST' && /update-(status|priority)$/.test(request.url()))
      sent.push(request.url());
  });
  await desk.pickStatus(ORDER, 'Drop');
  await desk.says(`RO ${ORDER} already has the status Drop`);
  await desk.pickPriority(ORDER, 'Low');
  await desk.says(`RO ${ORDER} already has the priority Low`);
  await desk.pickPriority(ORDER, 'High');
  await desk.says('Priority updated to High');
  expect(sent).toHaveLength(1);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the pickers come from below with the same options', async ({ page, dispatch }) => {
    dispatch.importFile('order.json', anOrder);
    await openSignedIn(page, dispatch, OWNER);
    await page.getByRole('textbox', { name: 'Search repair orders' }).fill(ORDER);
    const card = page.getByRole('article').filter({ hasText: ORDER });
    await expect(page.getByRole('article')).toHaveCount(1);
    // Of the technicians the first one, whoever that is at the moment: a phone has no room for all of them.
    let technician = '';
    for (const [control, name, option] of [
      [card.getByRole('button', { name: /^Status of RO/ }), 'Change status of RO', 'Used'],
      [card.getByRole('button', { name: /^Change priority/ }), 'Change priority of RO', 'High'],
      [card.locator('[data-opened-by="dispatch"]'), 'Technicians of RO', /./],
    ] as const) {
      if (name === 'Technicians of RO') await card.getByRole('button', { name: /^More about/ }).tap();
      await control.tap();
      const sheet = page.getByRole('dialog', { name: `${name} ${ORDER}`, exact: true });
      const choice = sheet.getByRole('option', { name: option }).first();
      await expect(choice).toBeInViewport({ ratio: 1 });
      // No keyboard covers the options, and few of them need no filter.
      const filter = sheet.getByRole('combobox');
      if (name === 'Technicians of RO') {
        await expect(filter).not.toBeFocused();
        technician = await choice.locator('.font-medium').first().innerText();
      } else await expect(filter).toHaveCount(0);
      // It comes up for a moment.
      const foot = async () => {
        const box = await sheet.boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0));
      };
      await expect.poll(foot).toBe(844);
      const [box, target] = [await sheet.boundingBox(), await choice.boundingBox()];
      expect(box?.width).toBe(390);
      expect(target?.height).toBeGreaterThanOrEqual(44);
      await choice.tap();
      await expect(sheet).toHaveCount(0);
      await dismissToast(page);
    }
    expect(technician).not.toBe('');
    await expect(card.locator('[data-opened-by="dispatch"]')).toContainText(technician);
  });
});
