// The set-up page in Chromium, from the printed link to the desk: node set-up-page.mjs LINK EMAIL PASSWORD
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../../web/package.json', import.meta.url))('playwright');
const [link, email, password] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ locale: 'en-US', timezoneId: 'America/Chicago' });
try {
  await page.goto(link);
  await page.getByLabel('Name of the shop').fill('Example Motors');
  await page.getByLabel('Your name').fill('Olga Owner');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set up and sign in' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByText('Olga Owner').first().waitFor();
} catch (error) {
  throw new Error(`the page shows: ${await page.locator('body').innerText()}`, { cause: error });
} finally {
  await browser.close();
}
