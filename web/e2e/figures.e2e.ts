import { ADVISOR, expect, openDesk, test } from './desk.ts';

test('closing an order counts it as completed today on an open page', async ({ browser, dispatch }) => {
  const desk = await openDesk(browser, dispatch, ADVISOR);
  const card = desk.page.getByTitle(/^Completed Today:/);
  await expect(card).toContainText('from yesterday');
  const completed = async () => Number(await card.getByRole('definition').first().innerText());
  const before = await completed();

  dispatch.importFile('opened.csv', 'number,customer,status\n987654,LOVELACE,Waiting\n');
  await desk.search('987654');
  await expect(desk.status('987654')).toHaveText('Waiting');
  dispatch.importFile('closed.csv', 'number,customer,status\n987654,LOVELACE,Closed\n');
  await expect(desk.row('987654')).toBeHidden();
  await expect.poll(completed).toBe(before + 1);
  await desk.wasNotReloaded();

  await desk.tab('Used').click();
  await expect(
    desk.page
      .getByTitle(/^Completed in/)
      .getByRole('definition')
      .first(),
  ).toHaveText(/^\d+$/);
});
