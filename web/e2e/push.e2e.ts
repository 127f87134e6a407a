// A push to a technician's phone whose page is closed.
import type { Page } from '@playwright/test';
import { Bay, ORDER, orderFor, TECHNICIAN } from './bay.ts';
import { wholeBrowser } from './browser.ts';
import { expect, test } from './desk.ts';
import { Dispatch } from './dispatch.ts';
import { PushService } from './push-service.ts';
import { Api, orderFile } from './server-api.ts';

// The browser without a window shows no notices.
test.use({ launchOptions: wholeBrowser });

let service: PushService;
test.beforeEach(async () => {
  service = await PushService.start();
});
test.afterEach(async () => service.close());

test('a push announces an order while the page is closed, reports its delivery to the desk, and disappears with the order', async ({
  browser,
  binary,
}) => {
  const dispatch = new Dispatch(binary, ['--push-service', service.origin]);
  try {
    await dispatch.start();
    const { technician, api } = await orderFor(dispatch);
    const phone = await Api.signIn(dispatch.url, TECHNICIAN);
    await phone.send('PUT', '/api/push/subscription', service.subscription);
    await phone.post(`/api/technicians/${technician}/clock`, { action: 'clock-in' });
    const bay = await Bay.open(browser, dispatch, technician);
    await bay.context.grantPermissions(['notifications']);
    const deliver = await pushesTo(bay, dispatch.url);
    // Closed: what stays open is no page of ours.
    await bay.page.goto(`${dispatch.url}/favicon.svg`);

    const other = ORDER + 1;
    dispatch.importFile('other.json', orderFile({ repairOrderNumber: other }));
    const assignment = { repairOrderNumber: other, idTechnician: technician };
    await api.post('/api/repair-orders/technicians/assign', assignment);
    await deliver(await service.nextAbout(other));
    await expect
      .poll(() => notices(bay.page))
      .toEqual([
        { title: `RO ${other}`, body: '2003 Honda Accord EX · Drop · Low', tag: `assignment-${other}` },
      ]);
    await expect
      .poll(async () => {
        const { receipts } = await api.get<{
          receipts: { roNumber: number; deliveredAt: string | null }[];
        }>('/api/assignments');
        return receipts.find(({ roNumber }) => roNumber === other)?.deliveredAt ?? null;
      })
      .not.toBeNull();

    await api.post('/api/repair-orders/technicians/unassign', assignment);
    await deliver(await service.nextAbout(other));
    await expect.poll(() => notices(bay.page)).toEqual([]);
  } finally {
    await dispatch.discard();
  }
});

/** Hands messages to the service worker as the browser does, once there is one that takes them. */
async function pushesTo(bay: Bay, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await bay.context.newCDPSession(bay.page);
  const activated = new Promise<string>((found) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated');
      if (active !== undefined) found(active.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await activated;
  return async (data) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

function notices(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  });
}
