// The exact texts of the desk's toasts; failures are caused in the network or on the server.
import { io } from 'socket.io-client';
import { ADVISOR, expect, OWNER, openDesk, PASSWORD, test } from './desk.ts';

test('each change shows a toast when it succeeded', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, OWNER);
  const order = await desk.firstWith('Unassigned');
  await desk.search(order);

  await desk.pickStatus(order, 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.pickPriority(order, 'High');
  await desk.says('Priority updated to High');
  await desk.act('Dispatch RO', order);
  await desk.option(/^Bo Li/).click();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  await desk.act('Reassign technician of RO', order);
  await desk.option(/^Hank Mueller/).click();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician reassigned successfully');
  await desk.act('Add technician to RO', order);
  await desk.option(/^Bo Li/).click();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician assigned successfully');
  await expect(desk.row(order)).toContainText('(+1)');
  // It asks which one of two.
  await desk.act('Remove technician from RO', order);
  await expect(desk.dialog('Select Technician to Remove')).toBeVisible();
  await desk.option('Hank Mueller').click();
  await desk.page.keyboard.press('Enter');
  await desk.says('Technician unassigned successfully');
  // It does not ask about a single one.
  await desk.act('Remove technician from RO', order);
  await desk.says('Technician unassigned successfully');
  await expect(desk.row(order)).toContainText('Unassigned');
});

test('each call without an answer shows a toast after three attempts', async ({ browser, gateway }) => {
  const desk = await openDesk(browser, gateway, OWNER);
  await desk.hidePriority();
  const order = await desk.firstWith('Waiting');
  await desk.search(order);
  let tries = 0;
  desk.page.on('requestfailed', () => tries++);
  const lose = (call: string) => {
    tries = 0;
    gateway.lose((_, path) => path.includes(call));
  };

  lose('/update-status');
  await desk.pickStatus(order, 'Used');
  await desk.says('Failed to update status');
  expect(tries).toBe(3);
  await expect(desk.status(order)).toHaveText('Waiting');

  await desk.askPriority(order);
  await desk.option('Low').click();
  lose('/update-priority');
  await desk.page.keyboard.press('Enter');
  await desk.says('Failed to update priority');
  expect(tries).toBe(3);
  await expect(desk.option('Low')).toHaveAttribute('aria-selected', 'true');
  await desk.page.keyboard.press('Escape');

  lose(`/api/repair-orders/${order}`);
  await desk.link(order).click();
  await desk.says('Failed to fetch job details');
  gateway.deliverAll();
  await desk.page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(desk.details(order).getByRole('heading', { name: 'Jobs', exact: true })).toBeVisible();
});

test('each assignment without an answer shows a toast', async ({ browser, gateway }) => {
  gateway.lose((_, path) => path === '/api/repair-orders/technicians');
  const desk = await openDesk(browser, gateway, OWNER);
  const order = await desk.firstWith('Unassigned');
  await desk.search(order);
  await desk.act('Dispatch RO', order);
  await desk.says('Failed to fetch technicians');
  gateway.deliverAll();
  await desk.page.getByRole('button', { name: 'Try again' }).click();

  await desk.option(/^Bo Li/).click();
  gateway.lose((_, path) => path.endsWith('/technicians/assign'));
  await desk.page.keyboard.press('Enter');
  await desk.says('Failed to assign technician');
  await expect(desk.option(/^Bo Li/)).toHaveAttribute('aria-selected', 'true');
  gateway.deliverAll();
  await desk.page.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await desk.says('Technician assigned successfully');

  await desk.act('Reassign technician of RO', order);
  await desk.option(/^Hank Mueller/).click();
  gateway.lose((_, path) => path.endsWith('/technicians/reassign'));
  await desk.page.keyboard.press('Enter');
  await desk.says('Failed to reassign technician');
  await desk.page.keyboard.press('Escape');

  gateway.lose((_, path) => path.endsWith('/technicians/unassign'));
  await desk.act('Remove technician from RO', order);
  await desk.says('Failed to unassign technician');
  await expect(desk.row(order)).toContainText('Bo Li');
});

test('a status that somebody else has set already is told with the priority that the order has by now', async ({
  browser,
  dispatch,
  gateway,
}) => {
  const advisor = await openDesk(browser, gateway, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) await desk.search(order);
  gateway.cutStream();
  await owner.pickStatus(order, 'PDI');
  await owner.says('Status updated to PDI and priority set to Low');
  await owner.pickPriority(order, 'High');
  await owner.says('Priority updated to High');

  await advisor.pickStatus(order, 'PDI');
  await advisor.says('Status updated to PDI and priority set to High');
  await expect(advisor.row(order)).toContainText('High');
});

test('a notice without a socket is retried for five seconds before a toast says so', async ({
  browser,
  gateway,
}) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Drop');
  await desk.search(order);
  gateway.cutStream();
  await desk.pickStatus(order, 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.says('Failed to send notification. Please refresh the page.');
});

test('an unacknowledged notice shows a toast', async ({ browser, gateway }) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Drop');
  await desk.search(order);
  gateway.silenceStream();
  await desk.pickStatus(order, 'Used');
  await desk.says('Status updated to Used and priority set to Low');
  await desk.says('Failed to send notification');
});

test('a message whose order cannot be fetched shows a toast', async ({
  browser,
  dispatch,
  gateway,
  request,
}) => {
  const desk = await openDesk(browser, gateway, ADVISOR);
  const order = await desk.firstWith('Drop');
  gateway.lose((_, path) => path.includes('/specific/'));
  const data = { email: OWNER, password: PASSWORD };
  const { result } = await (await request.post(`${dispatch.url}/api/auth/sign-in`, { data })).json();
  const other = io(dispatch.url, { path: '/ws', auth: { token: result.idToken } });
  try {
    const timestamp = new Date().toISOString();
    const hint = { type: 'RO_MODIFIED', roNumber: Number(order), action: 'PRIORITY_CHANGED', timestamp };
    expect(await other.emitWithAck('RO_MODIFIED', hint)).toEqual({ ok: true });
    await desk.says('Failed to process RO update');
  } finally {
    other.disconnect();
  }
});

test('one toast at a time, for five seconds, reached by F8 and swiped away', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const order = await desk.firstWith('Waiting');
  const copy = desk.row(order).getByRole('button', { name: /^Copy VIN/ });
  const toasts = desk.page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
  await copy.click();
  await copy.click();
  await expect(toasts).toHaveCount(1);
  await expect(toasts).toContainText('VIN copied to clipboard');
  await desk.page.mouse.move(1_000, 5);
  await expect(toasts).toHaveCount(0);

  await copy.click();
  await expect(toasts).toHaveCount(1);
  await desk.page.keyboard.press('F8');
  await expect(desk.page.getByRole('region', { name: 'Notifications (F8)' }).locator('ol')).toBeFocused();

  const box = await toasts.boundingBox();
  if (box === null) throw new Error('the toast is not on screen');
  const y = box.y + box.height / 2;
  const swipe = async (px: number) => {
    await desk.page.mouse.move(box.x + 40, y);
    await desk.page.mouse.down();
    await desk.page.mouse.move(box.x + 40 + px / 2, y, { steps: 4 });
    await desk.page.mouse.move(box.x + 40 + px, y, { steps: 4 });
    await desk.page.mouse.up();
  };
  await swipe(40);
  await expect(toasts).toHaveCount(1);
  await swipe(70);
  await expect(toasts).toHaveCount(0);
});
