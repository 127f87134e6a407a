// Whoever looks after the server is told when files from other systems are no longer read.

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADVISOR, expect, OWNER, openDesk, test } from './desk.ts';

const FOLDER = join(tmpdir(), `dispatch-intake-${process.pid}`);
const AWAY = `${FOLDER}-away`;

test.use({ serveOptions: ['--intake-dir', FOLDER] });

test.beforeAll(() => void mkdirSync(FOLDER));
test.afterAll(() => {
  for (const folder of [FOLDER, AWAY]) rmSync(folder, { recursive: true, force: true });
});

test('an owner reads that the folder for files is gone, and that it is back', async ({
  browser,
  dispatch,
}) => {
  const owner = await openDesk(browser, dispatch, OWNER);
  const advisor = await openDesk(browser, dispatch, ADVISOR);
  const banner = owner.page.getByRole('status').filter({ hasText: 'Files from other systems are not read' });
  renameSync(FOLDER, AWAY);
  await expect(banner).toContainText(FOLDER);
  await expect(advisor.page.getByText('Files from other systems')).toHaveCount(0);

  renameSync(AWAY, FOLDER);
  await expect(banner).toHaveCount(0);
  await owner.wasNotReloaded();
});
