// What a technician says of where a car stands, on a phone in the bay, and what comes back from the desk.
import type { Browser, Page } from '@playwright/test';
import { expect, OWNER, openSignedIn, test } from './desk.ts';
import { Api, type ApiRow, orderFile } from './server-api.ts';

const TECHNICIAN = 'tech@example.com';
const [ONE_JOB, TWO_JOBS] = [987_701, 987_702];

interface Standing extends ApiRow {
  version: number;
  stage?: string;
  holds?: { id: number; reason: string; jobNumber?: number; note?: string; expectedUntil?: string }[];
}

async function openPhone(browser: Browser, at: { url: string }): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await openSignedIn(page, at, TECHNICIAN);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

const standing = (page: Page, number: number) =>
  page.getByRole('region', { name: `Where RO ${number} stands`, exact: true });

/** Where the order stands, as the desk's list has it. */
async function standsAt(desk: Api, number: number): Promise<Standing> {
  const [row] = await desk.get<Standing[]>(`/api/repair-orders/specific/${number}`);
  if (row === undefined) throw new Error(`repair order ${number} is not open`);
  return row;
}

const endHold = (desk: Api, number: number, id: number) =>
  desk.post(`/api/repair-orders/${number}/holds/${id}/end`, {});

test('a technician says that a car needs parts, sees that they came, and has it checked', async ({
  browser,
  dispatch,
}) => {
  const job = (jobNumber: number) => ({ jobNumber, concern: 'Rattles', operations: [] });
  dispatch.importFile(
    'orders.json',
    orderFile(
      { repairOrderNumber: ONE_JOB, jobs: [job(1)] },
      { repairOrderNumber: TWO_JOBS, jobs: [job(1), job(2)] },
    ),
  );
  const desk = await Api.signIn(dispatch.url, OWNER);
  const phone = await openPhone(browser, dispatch);
  const idTechnician = Number(/\d+$/.exec(new URL(phone.url()).pathname)?.[0]);
  for (const repairOrderNumber of [ONE_JOB, TWO_JOBS])
    await desk.post('/api/repair-orders/technicians/assign', { repairOrderNumber, idTechnician });
  await phone.getByRole('button', { name: 'Got it, all 2' }).click();
  // A shop without stages shows none, and begins to at once.
  await expect(phone.getByRole('link', { name: `Open repair order ${ONE_JOB}` })).toBeVisible();
  await expect(phone.getByRole('button', { name: /needs parts/ })).toHaveCount(0);
  await desk.send('PUT', '/api/stages', { enabled: true });
  await expect(standing(phone, ONE_JOB)).toContainText('Dispatched');

  // One job: one tap.
  await phone.getByRole('button', { name: `RO ${ONE_JOB} needs parts` }).click();
  await expect(standing(phone, ONE_JOB)).toContainText(/Waiting for parts\s*since/);
  await expect.poll(async () => (await standsAt(desk, ONE_JOB)).stage).toBe('waiting-for-parts');
  const [hold] = (await standsAt(desk, ONE_JOB)).holds ?? [];
  expect(hold).toMatchObject({ id: 1, reason: 'parts' });
  await expect(phone.getByRole('button', { name: `RO ${ONE_JOB} needs parts` })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // Ending a hold is the desk's.
  await expect(phone.getByRole('button', { name: /^End the hold/ })).toHaveCount(0);
  await phone.getByRole('button', { name: `Write a note for RO ${ONE_JOB}: Waiting for parts` }).click();
  const note = phone.getByRole('dialog', { name: `RO ${ONE_JOB} needs parts` });
  await note.getByRole('textbox', { name: 'Which parts?' }).fill('Heat shield clamp');
  await note.getByRole('button', { name: 'Save note' }).click();
  await expect(standing(phone, ONE_JOB)).toContainText('Heat shield clamp');

  // It still waits: the refusal says so.
  await phone.getByRole('button', { name: `RO ${ONE_JOB} is done, please check` }).click();
  await expect(phone.getByRole('alert').filter({ hasText: 'The car still waits.' })).toBeVisible();
  await phone.getByRole('button', { name: `Dismiss: RO ${ONE_JOB} is done, please check` }).click();

  // The desk says when they come, and that they came.
  const expectedUntil = new Date(Date.now() + 3_600_000).toISOString();
  await desk.post(`/api/repair-orders/${ONE_JOB}/holds`, { reason: 'parts', expectedUntil });
  await expect(standing(phone, ONE_JOB)).toContainText(/since .+, expected /);
  await endHold(desk, ONE_JOB, 1);
  await expect(standing(phone, ONE_JOB)).toContainText('Dispatched');
  await expect(standing(phone, ONE_JOB)).not.toContainText('Heat shield clamp');

  await phone.getByRole('button', { name: `RO ${ONE_JOB} is done, please check` }).click();
  await expect(standing(phone, ONE_JOB)).toContainText('Quality check');
  await expect.poll(async () => (await standsAt(desk, ONE_JOB)).stage).toBe('quality-check');
  // What was tapped by mistake is taken back.
  await phone.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(standing(phone, ONE_JOB)).toContainText('Dispatched');

  // Where its hours went.
  await phone.getByRole('link', { name: `Open repair order ${ONE_JOB}` }).click();
  const details = phone.getByRole('dialog', { name: `Repair Order #${ONE_JOB} Details` });
  const strip = details.getByRole('region', { name: 'Where the hours went' });
  await expect(strip.getByRole('term')).toContainText(['Dispatched', 'Waiting for parts', 'Quality check']);
  await details.getByRole('button', { name: 'Close', exact: true }).click();

  // Several jobs: it asks which.
  await phone.getByRole('button', { name: `RO ${TWO_JOBS} needs approval` }).click();
  const which = phone.getByRole('dialog', { name: `RO ${TWO_JOBS} needs approval` });
  await which.getByRole('radio', { name: /^2\./ }).check();
  await which.getByRole('textbox', { name: 'What is to be approved?' }).fill('New front pads');
  await which.getByRole('button', { name: 'Needs approval' }).click();
  await expect(standing(phone, TWO_JOBS)).toContainText(/Job 2: Waiting for approval since .+New front pads/);
  await expect
    .poll(async () => (await standsAt(desk, TWO_JOBS)).holds)
    .toMatchObject([{ reason: 'approval', jobNumber: 2, note: 'New front pads' }]);
  // The other job can go on.
  expect((await standsAt(desk, TWO_JOBS)).stage).toBe('dispatched');
});

test('a tap without a network is kept and shown, and sent once there is one', async ({
  browser,
  dispatch,
}) => {
  dispatch.importFile('orders.json', orderFile({ repairOrderNumber: ONE_JOB }));
  const desk = await Api.signIn(dispatch.url, OWNER);
  await desk.send('PUT', '/api/stages', { enabled: true });
  const phone = await openPhone(browser, dispatch);
  const idTechnician = Number(/\d+$/.exec(new URL(phone.url()).pathname)?.[0]);
  await desk.post('/api/repair-orders/technicians/assign', { repairOrderNumber: ONE_JOB, idTechnician });
  await phone.getByRole('button', { name: 'Got it', exact: true }).click();
  await expect(standing(phone, ONE_JOB)).toContainText('Dispatched');
  await phone.context().setOffline(true);
  const tap = phone.getByRole('button', { name: `RO ${ONE_JOB} needs approval` });
  await tap.click();
  await expect(tap).toHaveAttribute('aria-pressed', 'true');
  await expect(phone.getByText('1 change waits for the connection')).toBeVisible();
  expect((await standsAt(desk, ONE_JOB)).holds ?? []).toEqual([]);
  await phone.context().setOffline(false);
  await expect(standing(phone, ONE_JOB)).toContainText(/Waiting for approval\s*since/);
  await expect(phone.getByText('1 change waits for the connection')).toBeHidden();
  await expect
    .poll(async () => (await standsAt(desk, ONE_JOB)).holds)
    .toMatchObject([{ id: 1, reason: 'approval' }]);
});
