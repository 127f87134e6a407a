// Each dialog of the desk: its texts, choices, disabled buttons, and how to close it.

import { ADVISOR, type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

/** Expects Cancel and Escape to close it without a request, and to return the focus. */
async function expectClosable(desk: Desk, title: string, open: () => Promise<void>): Promise<void> {
  const dialog = desk.dialog(title);
  const sent = desk.requests(/^POST /);
  for (const leave of ['Cancel', 'Escape']) {
    await open();
    await expect(dialog.getByRole('heading', { name: title, exact: true })).toBeVisible();
    if (leave === 'Escape') await desk.page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(desk.table.locator(':focus')).toHaveCount(1);
  }
  expect(sent).toEqual([]);
}

test('the priority dialog offers four levels and sends nothing before one is chosen', async ({
  browser,
  dispatch,
  gateway,
}) => {
  // A Low one, which Medium changes whatever the sample shop has at this hour.
  const order = '990010';
  dispatch.importFile('one.json', orderFile({ repairOrderNumber: Number(order) }));
  const desk = await openDesk(browser, gateway, ADVISOR);
  await desk.hidePriority();
  await desk.find(order);
  const title = `Update Priority for RO ${order}`;
  const open = () => desk.askPriority(order);
  await expectClosable(desk, title, open);

  await open();
  const dialog = desk.dialog(title);
  await expect(dialog.getByRole('option')).toHaveText([/^Waiting/, /^High/, /^Medium/, /^Low/]);
  await expect(dialog.getByRole('option', { selected: true })).toHaveCount(0);
  const verb = dialog.getByRole('button', { name: 'Update Priority', exact: true });
  await expect(verb).toBeDisabled();
  await desk.option(/^Medium/).click();
  gateway.hold((_, path) => path.endsWith('/update-priority'));
  await verb.click();
  await expect(dialog.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  gateway.release();
  await desk.says('Priority updated to Medium');
  await expect(dialog).toBeHidden();
  // In the list again, with its column.
  await desk.page.getByRole('button', { name: 'Columns' }).click();
  const priorityColumn = desk.page.getByRole('checkbox', { name: 'Priority' });
  await priorityColumn.click();
  await expect(priorityColumn).toBeChecked();
  await desk.page.keyboard.press('Escape');
  await expect(await desk.cell(order, 'Priority')).toHaveText('Medium');
});

test('technicians are chosen by name and specialty in the dialogs Dispatch, Add, Reassign and Remove', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const order = '987654';
  dispatch.importFile('order.json', orderFile({ repairOrderNumber: 987_654 }));
  const technicians = await (await Api.signIn(dispatch.url, OWNER)).technicians();
  const desk = await openDesk(browser, gateway, OWNER);
  await desk.find(order);
  const options = desk.page.getByRole('option');
  const chosen = desk.page.getByRole('option', { selected: true });
  const api = await Api.signIn(dispatch.url, OWNER);
  /** Everybody in the server's ranking for this order, without those already assigned. */
  const lines = async (without: string[]) => {
    const ranked = await api.candidates(order);
    expect(new Set(ranked.map(({ idTechnician }) => idTechnician))).toEqual(
      new Set(technicians.map(({ idTechnician }) => idTechnician)),
    );
    return ranked
      .filter(({ displayName }) => !without.includes(displayName))
      .map(({ displayName, specialty }) => [displayName, specialty] as const);
  };
  /** Expects exactly these, in this order, each by name and specialty. */
  const expectOffered = async (expected: (readonly [string, string])[]) => {
    const texts = await options.allTextContents();
    expect(
      texts.map((text, place) => {
        const [name = '', specialty = ''] = expected[place] ?? [];
        return text.startsWith(name) && text.includes(`${specialty} · `) ? [name, specialty] : text;
      }),
    ).toEqual(expected);
  };
  const assignment = await desk.cell(order, 'Assignment');

  const steps = [
    {
      act: 'Dispatch RO',
      title: `Dispatch RO ${order}`,
      verb: 'Dispatch',
      doing: 'Dispatching...',
      on: [],
      proposes: true,
    },
    {
      act: 'Add technician to RO',
      title: 'Add Technician',
      verb: 'Add Tech',
      doing: 'Adding...',
      on: ['Bo Li'],
      proposes: false,
    },
  ] as const;
  const next = ['Bo Li', 'Hank Mueller'];
  for (const [place, { act, title, verb, doing, on, proposes }] of steps.entries()) {
    await expectClosable(desk, title, () => desk.act(act, order));
    const dialog = desk.dialog(title);
    // A ranking that takes two seconds is too late to sort the list of this time.
    await expect(async () => {
      if (await dialog.isVisible()) {
        await desk.page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
      await desk.act(act, order);
      await expect(options.first()).toBeVisible();
      await expectOffered(await lines([...on]));
    }).toPass();
    // Whoever was chosen the last time: for an order without technicians the best fit is chosen, else nobody yet.
    const button = dialog.getByRole('button', { name: verb, exact: true });
    if (proposes) {
      await expect(chosen).toHaveCount(1);
      await expect(options.first()).toHaveAttribute('aria-selected', 'true');
      await expect(button).toBeEnabled();
    } else {
      await expect(chosen).toHaveCount(0);
      await expect(button).toBeDisabled();
    }
    await desk.option(new RegExp(`^${next[place]}`)).click();
    gateway.hold((_, path) => path.endsWith('/technicians/assign'));
    await button.click();
    await expect(dialog.getByRole('button', { name: doing })).toBeDisabled();
    gateway.release();
    await desk.says('Technician assigned successfully');
    await expect(dialog).toBeHidden();
  }
  await expect(assignment).toContainText('Bo Li (+1)');

  // With two technicians assigned, the user must choose whom to replace.
  await expectClosable(desk, 'Reassign Technician', () => desk.act('Reassign technician of RO', order));
  await desk.act('Reassign technician of RO', order);
  const dialog = desk.dialog('Reassign Technician');
  const verb = dialog.getByRole('button', { name: 'Reassign', exact: true });
  await dialog
    .getByRole('listbox', { name: 'Technician' })
    .getByRole('option', { name: /^Frank DeLuca/ })
    .click();
  await expect(verb).toBeDisabled();
  await dialog
    .getByRole('listbox', { name: 'Who gives it up' })
    .getByRole('option', { name: 'Bo Li' })
    .click();
  gateway.hold((_, path) => path.endsWith('/technicians/reassign'));
  await verb.click();
  await expect(dialog.getByRole('button', { name: 'Reassigning...' })).toBeDisabled();
  gateway.release();
  await desk.says('Technician reassigned successfully');
  await expect(assignment).toContainText('Hank Mueller (+1)');
  await expect(assignment.locator('[title]').first()).toHaveAttribute(
    'title',
    /^Technicians: Hank Mueller, Frank DeLuca$/m,
  );

  // It asks which one of several, and does not ask about a single one.
  await expectClosable(desk, 'Select Technician to Remove', () =>
    desk.act('Remove technician from RO', order),
  );
  await desk.act('Remove technician from RO', order);
  const removing = desk.dialog('Select Technician to Remove');
  await expect(options).toHaveText(['Hank Mueller', 'Frank DeLuca']);
  await expect(removing.getByRole('button', { name: 'Remove', exact: true })).toBeDisabled();
  await desk.option('Hank Mueller').click();
  gateway.hold((_, path) => path.endsWith('/technicians/unassign'));
  await removing.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(removing.getByRole('button', { name: 'Removing...' })).toBeDisabled();
  gateway.release();
  await desk.says('Technician unassigned successfully');
  await expect(assignment).toContainText('Frank DeLuca');
  await desk.act('Remove technician from RO', order);
  await desk.says('Technician unassigned successfully');
  await expect(desk.page.getByRole('dialog')).toHaveCount(0);
  await expect(assignment).toContainText('Unassigned');
});

test('the details show the vehicle, the customer, each job and the history', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: 987_654,
        customer: "O'BRIEN-SMITH,MARY",
        jobs: [
          { jobNumber: 3, concern: '', operations: [] },
          {
            jobNumber: 1,
            concern: 'Brakes squeal',
            operations: [{ operationCode: 'BRKF', operationDesciption: 'Front brakes' }],
            techStory: 'The pads were worn and have been replaced.',
            assignments: [
              { source: 'DMS', firstName: 'Conor' },
              { source: 'Regular', firstName: 'Wilhelmina' },
            ],
          },
          { jobNumber: 2, concern: 'Rattles', operations: [{ operationCode: 'DIAG' }] },
        ],
      },
      { repairOrderNumber: 987_655 },
    ),
  );
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.find('987654');
  await desk.link('987654').click();
  const dialog = desk.details('987654');
  const fact = (name: string) =>
    dialog
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .locator('xpath=following-sibling::dd[1]');
  await expect(fact('Vehicle')).toHaveText('2003 Honda Accord EX');
  await expect(fact('VIN')).toHaveText('1HGCM82633A004352');
  await expect(fact('Customer')).toHaveText("O'Brien-Smith, Mary");

  const jobs = dialog.getByRole('list').first().getByRole('listitem');
  await expect(jobs).toHaveCount(3);
  await expect(jobs.nth(0)).toContainText('1.BRKF');
  await expect(jobs.nth(0)).toContainText('Concern: Brakes squeal');
  // Only technicians that the external system assigned.
  await expect(jobs.nth(0)).toContainText('Assigned Technicians on this job, from the DMSConor');
  await expect(jobs.nth(0)).not.toContainText('Wilhelmina');
  await expect(jobs.nth(0)).toContainText('Technician StoryThe pads were worn and have been replaced.');
  await expect(jobs.nth(1)).toContainText('2.DIAG');
  await expect(jobs.nth(1)).toContainText('Concern: Rattles');
  await expect(jobs.nth(2)).toContainText('3.No OpCode');
  await expect(jobs.nth(2)).toContainText('No concern noted');
  await expect(jobs.nth(2)).toContainText(
    'Assigned Technicians on this job, from the DMSNo technicians assigned',
  );
  await expect(jobs.nth(2)).toContainText('Technician StoryNo technician story available yet');
  const history = dialog.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Import');
  await expect(history.getByRole('button', { name: /^Undo this change/ })).toHaveCount(0);

  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(desk.row('987654')).toBeFocused();
  await desk.pickStatus('987654', 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.link('987654').click();
  await history.getByRole('button', { name: /^Undo this change/ }).click();
  await desk.says('Change undone');
  await expect(fact('Status')).toHaveText('Drop');
  await desk.page.keyboard.press('Escape');

  await desk.find('987655');
  await desk.link('987655').click();
  await expect(desk.details('987655').getByText('No job details available', { exact: true })).toBeVisible();
});
