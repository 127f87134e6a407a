// What each role sees and can do at the desk.
import { expect, openDesk, test } from './desk.ts';

const everyone = [
  { account: 'owner', role: 'Owner', priority: true, dispatch: true },
  { account: 'admin', role: 'Admin', priority: true, dispatch: true },
  { account: 'advisor', role: 'Advisor', priority: true, dispatch: false },
  { account: 'manager', role: 'Service Manager', priority: false, dispatch: false },
  { account: 'used', role: 'Used', priority: false, dispatch: false },
  { account: 'tech', role: 'Technician', priority: false, dispatch: false },
];

for (const half of [everyone.slice(0, 3), everyone.slice(3)]) {
  test(`each role has exactly its permissions at the desk: ${half.map(({ role }) => role).join(', ')}`, async ({
    browser,
    dispatch,
  }) => {
    for (const { account, role, priority, dispatch: mayDispatch } of half) {
      const desk = await openDesk(browser, dispatch, `${account}@example.com`);
      const { page } = desk;
      await expect(page.getByRole('banner').getByText(role, { exact: true }), role).toBeVisible();
      const priorities = desk.table.getByRole('button', { name: /^Change priority of RO/ });
      const dispatches = desk.table.getByRole('button', { name: /^Dispatch RO/, includeHidden: true });
      const changes = desk.table.getByRole('button', {
        name: /^(Dispatch|Reassign technician of|Add technician to|Remove technician from) RO/,
        includeHidden: true,
      });
      const statuses = desk.table.getByRole('button', { name: /^Status of RO/ });
      const boxes = desk.table.getByRole('checkbox');

      await expect(statuses.first(), role).toBeVisible();
      await expect(priorities.first(), role).toBeVisible({ visible: priority });
      await expect(changes.first(), role).toBeAttached({ attached: mayDispatch });
      await expect(boxes, role).toHaveCount(0);

      for (const tab of ['Waiting', 'Drop', 'PDI', 'Used', 'Unassigned']) {
        await desk.tab(tab).click();
        await expect(desk.tab(tab)).toHaveAttribute('aria-selected', 'true');
        await expect(statuses.first(), `${role}, ${tab}`).toBeVisible();
        await expect(priorities.first(), `${role}, ${tab}`).toBeVisible({ visible: priority });
      }
      await expect(boxes.first(), role).toBeVisible({ visible: mayDispatch });
      await expect(dispatches.first(), role).toBeAttached({ attached: mayDispatch });

      // Not by keyboard either: a key that opened a dialog would send the next keys into it.
      await desk.tab('All').click();
      await expect(desk.table).toHaveAttribute('aria-rowcount', String((await desk.count('All')) + 1));
      await desk.table.locator('tbody [data-key]').first().focus();
      for (const [keys, title, may] of [
        ['p', /^Change priority of RO/, priority],
        [mayDispatch ? 'd' : 'dr', /^Technicians of RO/, mayDispatch],
      ] as const) {
        for (const key of keys) await page.keyboard.press(key);
        if (!may) continue;
        await expect(desk.dialog(title), role).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(desk.dialog(title), role).toBeHidden();
        await expect(desk.table.locator('tbody [data-key]').first(), role).toBeFocused();
      }
      // Every role may change a status.
      await page.keyboard.press('s');
      await page.getByRole('option', { selected: false }).first().click();
      await expect(
        page.getByText(/^Status updated to (Waiting|Drop|PDI|Used) and priority set to (Waiting|Low)$/),
      ).toBeVisible();
      await expect(page.getByRole('dialog'), role).toHaveCount(0);
      await page.context().close();
    }
  });
}
