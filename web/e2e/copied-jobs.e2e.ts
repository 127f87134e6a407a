// The jobs of an order stand beside each other in a cell; they are read and copied one by one.
import { expect, OWNER, openDesk, test } from './desk.ts';
import { orderFile } from './server-api.ts';

const ORDER = 987_651;

test('the jobs of a row are a list, and are copied one per line', async ({ browser, dispatch }) => {
  dispatch.importFile(
    'orders.json',
    orderFile({
      repairOrderNumber: ORDER,
      jobs: ['LOF', 'SPARK', 'TRFL'].map((opcode, place) => ({
        jobNumber: place + 1,
        concern: 'Due',
        operations: [{ operationCode: opcode }],
      })),
    }),
  );
  const desk = await openDesk(browser, dispatch, OWNER);
  const { page } = desk;
  await desk.type(String(ORDER));
  const jobs = desk.row(String(ORDER)).getByRole('list').getByRole('listitem');
  await expect(jobs).toHaveText([/^1\.\sLOF/, /^2\.\sSPARK/, /^3\.\sTRFL/]);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await desk
    .row(String(ORDER))
    .getByRole('list')
    .evaluate((list) => getSelection()?.selectAllChildren(list));
  await page.keyboard.press('ControlOrMeta+c');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim().split(/\n+/)).toEqual(['1. LOF', '2. SPARK', '3. TRFL']);
});
