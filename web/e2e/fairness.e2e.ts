// Who had how much of which work this week, beside each technician whom the desk could give an order.
import type { Locator } from '@playwright/test';
import { type Desk, expect, goToScreen, OWNER, openDesk, test } from './desk.ts';
import { hireForGlass } from './glass-technicians.ts';
import { Api, orderFile } from './server-api.ts';

const NEW_HIRE = { idTechnician: 4242, displayName: 'Nadia Frost', specialty: 'Glass' };
const OTHER_HIRE = { idTechnician: 4243, displayName: 'Omar Frost', specialty: 'Glass' };

const job = (jobNumber: number, operationCode: string, soldHours: number) => ({
  jobNumber,
  concern: 'See the advisor',
  operations: [{ operationCode, soldHours }],
});

const panel = (desk: Desk) => desk.dialog(/^Dispatch/);
const line = (desk: Desk, name: string) =>
  panel(desk)
    .getByRole('listbox', { name: 'Technician' })
    .getByRole('option', { name: new RegExp(`^${name}`) });

/** Says by keys alone which kind of work the opcode is. */
async function nameKind(rules: Locator, pattern: string, kind: string): Promise<void> {
  const { keyboard } = rules.page();
  await rules.getByLabel('For opcode').focus();
  await keyboard.type(pattern);
  await keyboard.press('Tab');
  await keyboard.type(kind);
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(rules.getByRole('listitem').filter({ hasText: pattern })).toContainText(kind);
}

/** Two who alone can do glass work, of whom one had a waiter and a diagnosis this week. */
async function twoForGlass(dispatch: { url: string; importFile(name: string, content: string): void }) {
  const api = await Api.signIn(dispatch.url, OWNER);
  await hireForGlass(api, [NEW_HIRE, OTHER_HIRE]);
  for (const hire of [NEW_HIRE, OTHER_HIRE]) {
    await api.post(`/api/technicians/${hire.idTechnician}/clock`, { action: 'clock-in' });
  }
  dispatch.importFile(
    'orders.json',
    orderFile(
      {
        repairOrderNumber: 987_651,
        customerStatus: 'Waiting',
        jobs: [job(1, 'XDIAG1', 1.5), job(2, 'XLOF', 0.5)],
      },
      { repairOrderNumber: 987_652, jobs: [job(1, 'GLASS1', 2)] },
    ),
  );
  const given = { repairOrderNumber: 987_651, idTechnician: NEW_HIRE.idTechnician };
  await api.post('/api/repair-orders/technicians/assign', given);
  await api.post('/api/repair-orders/987651/close', {});
}

test('the dialog says what each technician had this week, and that it is why one comes first', async ({
  browser,
  dispatch,
}) => {
  await twoForGlass(dispatch);
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await goToScreen(page, 'Technician Management');
  await page.getByRole('button', { name: 'Opcode rules', exact: true }).click();
  const rules = page.getByRole('dialog', { name: 'Opcode rules' });
  await rules.getByRole('radio', { name: 'Kinds of work' }).check();
  await nameKind(rules, 'XDIAG*', 'Diagnosis');
  await nameKind(rules, 'XLOF', 'Menu work');
  await page.keyboard.press('Escape');

  await goToScreen(page, 'Repair orders');
  await desk.find('987652');
  await desk.act('Dispatch RO', '987652');
  // By name the other one would come second.
  await expect(line(desk, OTHER_HIRE.displayName)).toHaveAttribute('aria-selected', 'true');
  await expect(line(desk, OTHER_HIRE.displayName)).toContainText(/Nothing yet this week/i);
  await expect(panel(desk)).toContainText(/Team this week: (at least )?[\d.]+ h on average/);
  const why = panel(desk).getByRole('status').filter({ hasText: OTHER_HIRE.displayName });
  await expect(why).toContainText(/Nothing yet this week, the team (at least )?[\d.]+ h on average\./i);
  await expect(why).toContainText('has had the least this week of those who fit equally well');
  await expect(line(desk, NEW_HIRE.displayName)).toContainText(
    /2 h this week · waiters 2 h · diagnosis 1.5 h · menu work 0.5 h/i,
  );

  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const list = panel(desk).getByRole('listbox', { name: 'Technician' });
    await expect(list).toBeVisible();
    const wider = await list.evaluate((box) => {
      const { right } = box.getBoundingClientRect();
      return [...box.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > right + 1)
        .length;
    });
    expect(wider).toBe(0);
  }
  await page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
});
