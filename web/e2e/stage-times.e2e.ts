// Where cars waited: cars that moved are seen as hours, as figures and in the file, by keys, on a phone, and after a power
// cut.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible, expectThumbSized } from './accessibility.ts';
import { ADVISOR, expect, goToScreen, OWNER, openDesk, openSignedIn, test } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

const [FIRST, SECOND] = [987_801, 987_802];
const DAY_MS = 86_400_000;

/** Two cars that have been there for days, one of which nobody has; stages are on since. */
async function fill(dispatch: Dispatch): Promise<Api> {
  const createDateTime = new Date(Date.now() - 3 * DAY_MS).toISOString();
  const orders = [FIRST, SECOND].map((repairOrderNumber) => ({
    repairOrderNumber,
    createDateTime,
    advisor: '=Dana, "the" advisor',
  }));
  dispatch.importFile('orders.json', orderFile(...orders));
  const owner = await Api.signIn(dispatch.url, OWNER);
  await owner.send('PUT', '/api/stages', { enabled: true });
  for (const stage of ['in-diagnosis', 'wash', 'ready'])
    await owner.post(`/api/repair-orders/${FIRST}/stage`, { stage });
  return owner;
}

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const stageRow = (page: Page, stage: string) =>
  table(page, 'By stage').getByRole('row', { name: new RegExp(`^${stage} `) });

test('cars that moved are hours, figures and a file, by keys and after a power cut', async ({
  browser,
  dispatch,
}) => {
  await fill(dispatch);
  const { page } = await openDesk(browser, dispatch, OWNER);

  await test.step('the screen says where cars stood', async () => {
    await goToScreen(page, 'Where cars wait');
    await expect(page).toHaveTitle(/Where cars wait/);
    for (const stage of ['In diagnosis', 'Wash', 'Ready']) await expect(stageRow(page, stage)).toBeVisible();
    await expect(stageRow(page, 'In diagnosis').getByRole('cell').last()).toHaveText('–');
    await expect(stageRow(page, 'Ready').getByRole('cell').last()).toHaveText('1');
    // Before stages were on, nothing was known.
    await expect(stageRow(page, 'Not known')).toBeVisible();
    await expect(table(page, 'By advisor')).toContainText('=Dana, "the" advisor');
    await expect(page.getByText('they can add up to more than the stages')).toBeVisible();
    await expectAccessible(page, 'time in stages');
  });

  await test.step('days are chosen by keys, and the address has them', async () => {
    await page.getByRole('button', { name: 'Four weeks' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Four weeks' })).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/);
    await page.getByRole('button', { name: 'Show days' }).focus();
    await page.keyboard.press('Enter');
    const days = page.getByRole('region', { name: 'Hours by day' });
    await expect(days.getByRole('row')).toHaveCount(1 + 28);
    await expectAccessible(page, 'time in stages by day');
  });

  await test.step('the file has the same, and no formula', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(file).toMatch(/^\uFEFF"By","Name","Day","Stage","Hours",/);
    const hours = Number(/"Stage","","","Not known","([\d.]+)"/.exec(file)?.[1]);
    expect(hours).toBeGreaterThanOrEqual(2 * 3 * 24 - 0.01);
    expect(file).toContain('"Advisor","\'=Dana, ""the"" advisor","","Not known"');
    expect(
      file
        .split('\r\n')
        .filter((line) => line !== '')
        .every((line) => line.endsWith('"')),
    ).toBe(true);
  });

  await test.step('after a power cut the same cars stood where they did', async () => {
    await dispatch.kill();
    await dispatch.start();
    await page.reload();
    await expect(stageRow(page, 'Wash')).toBeVisible();
    await expect(stageRow(page, 'Ready').getByRole('cell').last()).toHaveText('1');
  });

  await test.step('days without cars say so', async () => {
    await page.getByLabel('From', { exact: true }).fill('2020-03-02');
    await page.getByLabel('To', { exact: true }).fill('2020-03-03');
    await expect(page.getByText('No hours to show for these days')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
  });
});

test('who does not see all technicians has no link and is led to the desk', async ({ page, dispatch }) => {
  await fill(dispatch);
  await openSignedIn(page, dispatch, ADVISOR, '/stage-times');
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole('link', { name: 'My customers' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Where cars wait' })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('bars and words have room, and each button for a thumb', async ({ page, dispatch }) => {
    await fill(dispatch);
    await openSignedIn(page, dispatch, OWNER, '/stage-times');
    const stages = page.getByRole('list', { name: 'By stage' });
    await expect(stages.getByText('Ready', { exact: true })).toBeVisible();
    await expectThumbSized(page);
    await expectAccessible(page, 'time in stages on a phone');
    await page.getByRole('button', { name: 'Show days' }).tap();
    await expect(page.getByRole('region', { name: 'Hours by day' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
