// About: a technician finds version and notices in the menu, and no rule of accessibility is broken.
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, OWNER, openDesk, openSignedIn, test } from './desk.ts';

const MENU = 'Account, appearance and language';

test('a technician reads on a phone which version this is and what it is made of', async ({
  browser,
  dispatch,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await openSignedIn(page, dispatch, 'tech@example.com');
  await page.getByRole('button', { name: MENU }).click();
  await page.getByRole('menuitem', { name: 'About Dispatch' }).click();
  await expect(page).toHaveURL(/\/about$/);
  await expect(page.getByRole('heading', { level: 1, name: 'About Dispatch' })).toBeVisible();
  await expect(page.getByText(/^\d+\.\d+\.\d+/).first()).toBeVisible();
  const crates = page.getByRole('table', { name: 'Crates of the server' });
  await expect(crates.getByRole('cell', { name: 'actix-web', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'License texts' }).click();
  await expect(page.getByRole('heading', { name: 'License texts' })).toBeInViewport();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test('the notices load with the screen and not before, and break no rule of accessibility', async ({
  browser,
  dispatch,
}) => {
  const { page } = await openDesk(browser, dispatch, OWNER);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: MENU }).click();
  await page.getByRole('menuitem', { name: 'About Dispatch' }).click();
  await expect(page.getByRole('table', { name: 'Fonts' })).toBeVisible();
  const fact = (term: string) => page.locator('dt', { hasText: term }).locator('+ dd');
  await expect(fact('Running since')).toHaveText(/\d/);
  await expect(fact('Open desks')).toHaveText('1');
  await expect(fact('Newest backup')).toHaveText(/\S/);
  await expect(fact('Disk of').first()).toHaveText(/ free/);
  expect(loaded.filter((path) => path.endsWith('.txt'))).toEqual(['/third-party-notices.txt']);
  await expectAccessibleInBothThemes(page, 'about');
});
