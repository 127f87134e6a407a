// No state of the desk breaks a rule of axe: in light and dark, on a wide screen and on a phone.

import { expectAccessibleInBothThemes, expectThumbSized } from './accessibility.ts';
import {
  ADVISOR,
  Desk,
  expect,
  fillSignIn,
  goToScreen,
  OWNER,
  openSignedIn,
  PASSWORD,
  test,
} from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const TECHNICIAN = 'tech@example.com';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const wide = { viewport: { width: 1440, height: 900 } };

for (const screen of [wide, phone]) {
  const isPhone = screen === phone;
  const title = `${screen.viewport.width} px wide`;

  test(`no rule is broken from the login to the dialogs, ${title}`, async ({ browser, dispatch }) => {
    dispatch.importFile(
      'orders.json',
      orderFile(
        {
          repairOrderNumber: 987_651,
          regularIdTechnician: 1112,
          jobs: [{ jobNumber: 1, concern: 'Rattles' }],
        },
        { repairOrderNumber: 987_652 },
        { repairOrderNumber: 987_653 },
      ),
    );
    // Without motion nothing is half faded while it is looked at.
    const context = await browser.newContext({ ...screen, colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const desk = new Desk(page);
    const { keyboard } = page;
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const search = page.getByRole('textbox', { name: 'Search repair orders' });
    const link = page.getByRole('link', { name: 'Open repair order 987651', exact: true });
    const closed = () => expect(page.getByRole('dialog')).toHaveCount(0);
    /** On a phone's card it is in the menu. */
    const otherAction = async (name: string) => {
      if (isPhone) {
        await button('Other actions for RO 987651').click();
        await page.getByRole('menuitem', { name }).click();
      } else await button(name).click({ force: true });
    };
    /** Opens a dialog, checks it and closes it. */
    const dialog = async (
      opener: string | RegExp | (() => Promise<void>),
      name: string | RegExp,
      state: string,
    ) => {
      if (typeof opener === 'function') await opener();
      else await button(opener).first().click();
      await expect(desk.dialog(name)).toBeVisible();
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
      await expectAccessibleInBothThemes(page, state);
      await keyboard.press('Escape');
      await closed();
    };

    await page.goto(dispatch.url);
    await expect(button('Sign in')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'login');
    await fillSignIn(page, ADVISOR, 'not the password');
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await expectAccessibleInBothThemes(page, 'login refused');
    await fillSignIn(page, OWNER, PASSWORD);
    await expect(button(/^Status of RO/).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'All');
    await button(/^Status of RO/)
      .first()
      .click();
    await expect(desk.dialog(/^Change status of RO/)).toBeVisible();
    await expectAccessibleInBothThemes(page, 'status picker');
    await keyboard.press('Escape');
    await closed();

    await search.fill('987651');
    await expect(link).toBeVisible();
    await expect(button(/^Status of RO/)).toHaveCount(1);
    await dialog('Change priority of RO 987651', /^Change priority/, 'priority');
    if (isPhone) await button('More about RO 987651').click();
    await dialog(/technicians of RO 987651$/, /^Technicians of RO/, 'technicians');
    await button('Reassign technician of RO 987651').click({ force: !isPhone });
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'reassign');
    await keyboard.press('Escape');
    await closed();
    await otherAction('Add technician to RO 987651');
    const bySomebody = page.getByRole('option').first();
    await bySomebody.click();
    await expectAccessibleInBothThemes(page, 'add, chosen');
    // Another desk changes this desk's order.
    const owner = await Api.signIn(dispatch.url, OWNER);
    await owner.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber: '987651',
      idTechnician: '1131',
    });
    await expect(desk.dialog('Add Technician').getByRole('alert')).toContainText('Hank Mueller');
    await expectAccessibleInBothThemes(page, 'conflict');
    await keyboard.press('Escape');
    await closed();
    const remove = () => otherAction('Remove technician from RO 987651');
    await dialog(remove, 'Select Technician to Remove', 'remove');

    await button(/^Status of RO/).click();
    await page.getByRole('option', { name: 'PDI' }).click();
    await expect(button('Undo')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'toast with Undo');
    await link.click();
    await expect(page.getByRole('button', { name: /^Undo this change/ }).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'details with history');
    await keyboard.press('Escape');
    await closed();
    await expect(desk.details('987651')).toHaveCount(0);

    await search.fill('no such order');
    await expect(page.getByText('No repair orders found matching your criteria')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'empty');
    await search.fill('');
    await desk.tab('Used').click();
    // A phone leaves out averages that are not known yet, as on the first of a month; this count is always known.
    await expect(page.getByText(/^Completed in/)).toBeVisible();
    await expect(button(/^Status of RO/).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'Used');
    // A short list is checked faster.
    await search.fill('98765');
    await desk.tab('Unassigned').click();
    await expect(button(/^Status of RO/)).toHaveCount(2);
    const boxes = page.getByRole('checkbox', { name: /^Select RO/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await expect(page.getByText('2 RO(s) selected', { exact: true })).toBeVisible();
    await expectAccessibleInBothThemes(page, 'Unassigned with a selection');
    await dialog('Batch Dispatch', 'Batch Dispatch 2 ROs', 'batch dispatch');
    await button('Clear selection').click();
    await dialog(/^Dispatch RO/, /^Dispatch RO/, 'dispatch');

    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or command' }).fill('987652');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'palette');
    await keyboard.press('Escape');
    await closed();
    await keyboard.press('?');
    await expect(desk.dialog('Keyboard shortcuts')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'sheet of keys');
    await keyboard.press('Escape');
    await closed();
    await page.getByRole('button', { name: isPhone ? 'More' : 'Columns', exact: true }).click();
    await expect(isPhone ? page.getByRole('menu') : desk.dialog('Columns')).toBeVisible();
    await expectAccessibleInBothThemes(page, isPhone ? 'more' : 'columns');
    await keyboard.press('Escape');
    await button('Account, appearance and language').click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'preferences');
  });

  test(`no rule is broken at the technicians’ screens, ${title}`, async ({ browser, dispatch }) => {
    const owner = await Api.signIn(dispatch.url, OWNER);
    await owner.send('PATCH', '/api/technicians/1131', { idLevel: 1 });
    const context = await browser.newContext({ ...screen, colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const leave = async () => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page.getByRole('menu')).toHaveCount(0);
    };
    await openSignedIn(page, dispatch, OWNER);
    await goToScreen(page, 'Technician Dashboard');
    await expect(page.getByRole('article', { name: 'Hank Mueller' })).toBeVisible();
    await expectAccessibleInBothThemes(page, 'technician dashboard');
    await page.getByRole('textbox', { name: 'Find a technician' }).fill('nobody at all');
    await expect(page.getByText('No technician matches')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'technician dashboard, nobody found');

    await goToScreen(page, 'Technician Management');
    await expect(button('Drag Hank Mueller')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'technician management');
    await button('Move Hank Mueller to...').click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'move to');
    await leave();
    await button('Level Foreman: more').click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'menu of a level');
    await leave();
    for (const [opener, name] of [
      ['Assign Technician', 'Assign Technician'],
      ['Add Technician', 'Add Technician'],
      ['Add level', 'Add level'],
      ['Opcode rules', 'Opcode rules'],
      ['Open Hank Mueller', 'Hank Mueller'],
    ] as const) {
      await button(opener).click();
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await expectAccessibleInBothThemes(page, name);
      await leave();
    }
    await button('Manage Skills').click();
    const edit = page.getByRole('button', { name: /^Edit/ }).first();
    await expect(edit).toBeVisible();
    await expectAccessibleInBothThemes(page, 'skills');
    await edit.click();
    await expectAccessibleInBothThemes(page, 'skills, one changed');
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'skills, one to be deleted');
  });
}

for (const screen of [wide, phone]) {
  test(`no rule is broken in the portal, ${screen.viewport.width} px wide`, async ({ browser, dispatch }) => {
    const numbers = [987_651, 987_652];
    dispatch.importFile(
      'orders.json',
      orderFile(
        ...numbers.map((repairOrderNumber) => ({
          repairOrderNumber,
          customerStatus: 'Waiting',
          jobs: [{ jobNumber: 1, concern: 'Rattles' }],
        })),
      ),
    );
    const context = await browser.newContext({ ...screen, colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const owner = await Api.signIn(dispatch.url, OWNER);
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
    const leave = async () => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await openSignedIn(page, dispatch, TECHNICIAN);
    const clock = page.getByRole('region', { name: 'Job clock' });
    await expect(clock).toBeVisible();
    await expect(button(/^Status of RO/).first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'portal');
    if (screen === phone) await expectThumbSized(page);
    const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
    const assign = (repairOrderNumber: number) =>
      owner.post('/api/repair-orders/technicians/assign', { repairOrderNumber, idTechnician: id });

    await assign(987_651);
    await expect(page.getByText('New repair order for you')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'an assignment');
    await assign(987_652);
    await expect(page.getByText('2 new repair orders for you')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'two assignments');
    if (screen === phone) await expectThumbSized(page);
    await button('Hand back RO 987652').click();
    await dialog('Hand back RO 987652').getByRole('radio', { name: 'Another reason' }).click();
    await expectAccessibleInBothThemes(page, 'hand back');
    await leave();
    await button('Got it, all 2').click();
    await page.getByRole('button', { name: 'Start job 1 of RO 987651', exact: true }).click();
    await expect(clock).toContainText('RO 987651, job 1');
    await expectAccessibleInBothThemes(page, 'a running clock');
    await owner.post('/api/repair-orders/technicians/unassign', {
      repairOrderNumber: 987_652,
      idTechnician: id,
    });
    await expect(page.getByText(/took RO 987652 off your list/)).toBeVisible();
    await expectAccessibleInBothThemes(page, 'an order taken away');
    await button('Finish job').click();
    // It asks about a job of less than a minute, which on a busy machine this one may have taken.
    const question = page.getByRole('alertdialog');
    const reopen = button('Reopen job 1 of RO 987651');
    await expect(question.or(reopen).first()).toBeVisible();
    if (await question.isVisible()) await question.getByRole('button', { name: 'Finish job' }).click();
    await expect(reopen).toBeVisible();
    await expectAccessibleInBothThemes(page, 'a finished job');
    await page.getByRole('link', { name: 'Open repair order 987651', exact: true }).click();
    await dialog('Repair Order #987651 Details')
      .getByRole('textbox', { name: /^Cause/ })
      .fill('Loose');
    await expect(button('Save job 1')).toBeVisible();
    await expectAccessibleInBothThemes(page, 'details with a draft');
    if (screen === phone) await expectThumbSized(page);
    await leave();
    await button('Alerts').click();
    await expect(dialog('Alerts').getByRole('switch').first()).toBeVisible();
    await expectAccessibleInBothThemes(page, 'announcements');
    await leave();
    await button('Clock entries').click();
    await expect(
      dialog(/^Clock entries of/)
        .getByRole('listitem')
        .first(),
    ).toBeVisible();
    await expectAccessibleInBothThemes(page, 'clock entries');
  });
}

test('no rule is broken when the list fails or the desk is not live', async ({ browser, gateway }) => {
  const isList = (_: string, path: string) => path === '/api/repair-orders';
  const context = await browser.newContext({ ...wide, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const onBoth = async (state: string) => {
    for (const { viewport } of [phone, wide]) {
      await page.setViewportSize(viewport);
      await expectAccessibleInBothThemes(page, `${state}, ${viewport.width} px wide`);
    }
  };
  gateway.hold(isList);
  await openSignedIn(page, gateway, ADVISOR);
  await expect(page.getByText('Loading repair orders...')).toBeVisible();
  // It fades in even with reduced motion.
  await expect(page.getByText('Loading repair orders...')).toHaveCSS('opacity', '1');
  await onBoth('loading');
  gateway.lose(isList);
  gateway.release();
  await expect(page.getByText('Repair orders could not be loaded', { exact: true })).toBeVisible();
  await onBoth('failed');
  gateway.deliverAll();
  // The next tick of the stream triggers a retry.
  await expect(page.getByRole('table')).toBeVisible();
  gateway.cutStream();
  await expect(page.getByText(/^Not live since/)).toBeVisible();
  await expect(page.locator('[data-stale]')).toHaveCSS('filter', 'grayscale(1)');
  await onBoth('not live');
});
