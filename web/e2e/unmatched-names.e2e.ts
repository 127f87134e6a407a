// What a file names and nobody here is called: an owner finds it, says once what it means, and the order is corrected.
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, goToScreen, OWNER, openDesk, test } from './desk.ts';
import { Api, orderFile } from './server-api.ts';

const ORDER = 987_731;
const STRANGER = '99077';

test('an owner finds a technician’s number that means nobody, and says who it is', async ({
  browser,
  dispatch,
}) => {
  const api = await Api.signIn(dispatch.url, OWNER);
  const [technician] = await api.technicians();
  if (technician === undefined) throw new Error('there is no technician');
  dispatch.importFile(
    'orders.json',
    orderFile({ repairOrderNumber: ORDER, ETLIdTechnician: Number(STRANGER), ETLTechFullName: 'Bo Diaz' }),
  );
  const { page } = await openDesk(browser, dispatch, OWNER);
  await goToScreen(page, 'Technician Management');
  await page.getByRole('button', { name: 'Names in files: 1 unknown' }).click();
  const panel = page.getByRole('dialog', { name: 'Names in files' });
  const line = panel.getByRole('region', { name: 'Unknown names' }).getByRole('listitem');
  await expect(line).toContainText(`Technician ${STRANGER} · Bo Diaz`);
  await expectAccessibleInBothThemes(page, 'an unknown name');

  const meaning = panel.getByLabel(`What Technician ${STRANGER} means`);
  await meaning.selectOption({ label: technician.displayName });
  await panel.getByRole('button', { name: `Match Technician ${STRANGER}` }).click();
  await expect(panel).toContainText('All names in the files are known.');
  await expect(panel.getByRole('region', { name: 'What names mean' })).toContainText(technician.displayName);
  const rows = await api.get<{ ETLIdTechnician: number | null }[]>(`/api/repair-orders/specific/${ORDER}`);
  expect(rows.map(({ ETLIdTechnician }) => ETLIdTechnician)).toEqual([technician.idTechnician]);

  // The panel is in the address: Back closes it.
  await page.goBack();
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Names in files', exact: true })).toBeVisible();
});
