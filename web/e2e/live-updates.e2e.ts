import { io } from 'socket.io-client';
import { ADVISOR, type Desk, expect, OWNER, openDesk, PASSWORD, test } from './desk.ts';

/** A CSV file with one waiting customer's order. */
function oneOrder(roNumber: string, customer: string): string {
  return [
    'repairOrderNumber,vehicleVIN,vehicle,customer,advisor,createDateTime,customerStatus,jobNumber,concern,operationCode',
    `${roNumber},1HGCM82633A004352,2003 Honda Accord EX,"${customer}",Dana Whitfield,2026-03-02T14:00:00Z,Waiting,1,Brakes squeal,BRKF`,
  ].join('\n');
}

async function shows(desk: Desk, roNumber: string, status: string, priority: string): Promise<void> {
  await expect(desk.status(roNumber)).toHaveText(status);
  await expect(desk.row(roNumber).getByRole('cell').nth(3)).toHaveText(priority);
}

test('a change at one desk appears at the other, with the priority that follows from it', async ({
  browser,
  dispatch,
}) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) {
    await desk.search(order);
    await expect(desk.status(order)).toHaveText('Drop');
  }

  await advisor.pickStatus(order, 'Waiting');
  await expect(
    advisor.page.getByText('Status updated to Waiting and priority set to Waiting', { exact: true }),
  ).toBeVisible();
  await shows(advisor, order, 'Waiting', 'Waiting');
  await shows(owner, order, 'Waiting', 'Waiting');

  await owner.pickStatus(order, 'PDI');
  await shows(owner, order, 'PDI', 'Low');
  await shows(advisor, order, 'PDI', 'Low');
  for (const desk of [advisor, owner]) await desk.wasNotReloaded();
});

for (const upgrades of ['passed', 'refused'] as const) {
  test.describe(`where WebSockets are ${upgrades}`, () => {
    test.use({ upgrades });

    test('a desk whose connection was cut recovers the missed events without loading the list', async ({
      browser,
      dispatch,
      gateway,
    }) => {
      const desk = await openDesk(browser, gateway, ADVISOR);
      const owner = await openDesk(browser, dispatch, OWNER);
      const order = await desk.firstWith('Drop');
      for (const each of [desk, owner]) await each.search(order);
      const lists = desk.lists;
      await owner.pickStatus(order, 'Used');
      await shows(desk, order, 'Used', 'Low');

      gateway.disconnect();
      await desk.isNotLive();
      for (const status of ['Drop', 'PDI', 'Waiting']) {
        await owner.pickStatus(order, status);
        await expect(owner.status(order)).toHaveText(status);
      }
      dispatch.importFile('meanwhile.csv', oneOrder('987656', 'HAMILTON,MARGARET'));
      await expect(desk.status(order)).toHaveText('Used');

      gateway.reconnect();
      await desk.isLive();
      await shows(desk, order, 'Waiting', 'Waiting');
      await desk.search('987656');
      await expect(desk.row('987656')).toContainText('Hamilton, Margaret');
      expect(desk.lists).toBe(lists);
      expect(upgrades === 'passed' ? gateway.upgraded : gateway.polled).toBeGreaterThan(0);
      await desk.wasNotReloaded();
    });
  });
}

test('both desks recover from a killed server with nothing missed and no reload', async ({
  browser,
  dispatch,
}) => {
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const owner = await openDesk(browser, dispatch, OWNER);
  const order = await advisor.firstWith('Drop');
  for (const desk of [advisor, owner]) await desk.search(order);
  await advisor.pickStatus(order, 'PDI');
  await shows(owner, order, 'PDI', 'Low');
  const lists = [advisor.lists, owner.lists];

  const acknowledged = advisor.page.waitForResponse(/update-status/);
  await advisor.pickStatus(order, 'Used');
  expect((await acknowledged).ok()).toBe(true);
  await dispatch.kill();
  for (const desk of [advisor, owner]) await desk.isNotLive();

  // Without a server the import writes to the database itself, and nobody is there to announce it.
  dispatch.importFile('meanwhile.csv', oneOrder('987655', 'HOPPER,GRACE'));

  await dispatch.start();
  for (const desk of [advisor, owner]) {
    await desk.isLive();
    await shows(desk, order, 'Used', 'Low');
    await desk.search('987655');
    await expect(desk.row('987655')).toContainText('Hopper, Grace');
    await desk.search(order);
  }
  // What happened meanwhile came from the log, as if the server had never been away.
  expect([advisor.lists, owner.lists]).toEqual(lists);
  await owner.pickStatus(order, 'Waiting');
  await shows(owner, order, 'Waiting', 'Waiting');
  await shows(advisor, order, 'Waiting', 'Waiting');
  for (const desk of [advisor, owner]) await desk.wasNotReloaded();
});

test('an imported repair order appears on the open page', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const before = await desk.count('All');
  await desk.search('987654');
  await expect(desk.page.getByText('No repair orders found matching your criteria')).toBeVisible();

  dispatch.importFile('orders.csv', oneOrder('987654', 'LOVELACE,ADA'));

  await expect(desk.row('987654')).toContainText('Lovelace, Ada');
  await expect(desk.row('987654')).toContainText('BRKF');
  await expect(desk.status('987654')).toHaveText('Waiting');
  await expect.poll(() => desk.count('All')).toBe(before + 1);
  await desk.wasNotReloaded();
});

test('hints from another program make the desk fetch the order, once per burst', async ({
  browser,
  dispatch,
  request,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const order = await desk.firstWith('Drop');
  const lists = desk.lists;
  const reads: string[] = [];
  desk.page.on('request', (outgoing) => {
    const { pathname } = new URL(outgoing.url());
    if (pathname.includes('/specific/')) reads.push(pathname);
  });

  const data = { email: OWNER, password: PASSWORD };
  const signedIn = await request.post(`${dispatch.url}/api/auth/sign-in`, { data });
  const { result } = await signedIn.json();
  const other = io(dispatch.url, { path: '/ws', auth: { token: result.idToken } });
  try {
    const hint = {
      type: 'RO_MODIFIED',
      roNumber: Number(order),
      action: 'PRIORITY_CHANGED',
      timestamp: new Date().toISOString(),
    };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => other.emitWithAck('RO_MODIFIED', hint)),
    );
    expect(answers).toEqual(Array(5).fill({ ok: true }));
    await expect.poll(() => reads).toEqual([`/api/repair-orders/specific/${order}`]);
    // Another order's change comes after all of them, and nothing more has been read by then.
    dispatch.importFile('after.csv', oneOrder('987657', 'BARTIK,JEAN'));
    await desk.search('987657');
    await expect(desk.row('987657')).toContainText('Bartik, Jean');
    expect(reads).toHaveLength(1);
    expect(desk.lists).toBe(lists);
  } finally {
    other.disconnect();
  }
});
