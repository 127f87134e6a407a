// A desk stays open all day, and its orders change thousands of times: it keeps each as it is now, and not as it was.
import type { CDPSession } from '@playwright/test';
import { ADVISOR, type Desk, expect, OWNER, openDesk, test } from './desk.ts';
import { Api } from './server-api.ts';

/** With the API's ids. */
const STATUSES = [
  ['Used', '12'],
  ['Drop', '10'],
] as const;

/** Sets each status in turn, and waits until the desk shows it. */
async function change(desk: Desk, api: Api, order: string): Promise<void> {
  await desk.search(order);
  for (const [status, idStatus] of STATUSES) {
    const data = [{ repairOrderNumber: order, idStatus }];
    await api.post('/api/repair-orders/update-status', { data });
    await expect(desk.status(order)).toHaveText(status);
  }
}

/** The prototype of the orders in the cache. What is derived from Map need not be one. */
const ORDERS_PROTOTYPE = `function () {
  const maps = this.filter((one) => one.constructor === Map);
  const orders = maps.flatMap((map) => [...map.values()].map((value) => value?.order));
  return Object.getPrototypeOf(orders.find((order) => order?.roNumber));
}`;

/** How many objects of the page, after a garbage collection, are that order as it is or was. */
async function copiesOf(order: string, cdp: CDPSession): Promise<number> {
  const all = async (prototypeObjectId = ''): Promise<string> =>
    (await cdp.send('Runtime.queryObjects', { prototypeObjectId })).objects.objectId ?? '';
  const map = await cdp.send('Runtime.evaluate', { expression: 'Map.prototype' });
  const prototype = await cdp.send('Runtime.callFunctionOn', {
    objectId: await all(map.result.objectId),
    functionDeclaration: ORDERS_PROTOTYPE,
  });
  const counted = await cdp.send('Runtime.callFunctionOn', {
    objectId: await all(prototype.result.objectId),
    functionDeclaration: 'function (number) { return this.filter((one) => one.roNumber === number).length; }',
    arguments: [{ value: order }],
    returnByValue: true,
  });
  // What was asked for would keep them, too.
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup: '' });
  return counted.result.value;
}

test('an order that changed is kept once, also where the desk was opened with it', async ({
  browser,
  dispatch,
}) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const [order, other] = [await desk.firstWith('Waiting'), await desk.firstWith('PDI')];
  // With a session the list is there before the desk is. The table's model keeps the few rows that it is made with.
  await desk.page.goto(`${dispatch.url}/dashboard?q=${other}`);
  await desk.isLive();
  const api = await Api.signIn(dispatch.url, OWNER);
  const cdp = await desk.page.context().newCDPSession(desk.page);
  await change(desk, api, order);
  // The page may still have what it drew last; of another order, then.
  await change(desk, api, other);
  await expect.poll(() => copiesOf(order, cdp)).toBe(1);
});
