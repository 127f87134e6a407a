import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chromium } from 'playwright';

rmSync('/tmp/shot-data', { recursive: true, force: true });
const server = spawn('/tmp/dispatch-ci', [
  'serve',
  '--demo=still',
  '--listen',
  '127.0.0.1:9334',
  '--data-dir',
  '/tmp/shot-data',
]);
let out = '';
server.stdout.on('data', (d) => (out += d));
server.stderr.on('data', (d) => (out += d));
for (let i = 0; i < 60; i++) {
  await new Promise((r) => setTimeout(r, 500));
  try {
    const r = await fetch('http://127.0.0.1:9334/healthz');
    if (r.ok) break;
  } catch {}
}
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (const [w, h, scheme] of [
    [1440, 900, 'light'],
    [390, 844, 'dark'],
    [1024, 768, 'light'],
  ]) {
    const page = await (
      await browser.newContext({
        viewport: { width: w, height: h },
        colorScheme: scheme,
        hasTouch: w < 500,
        isMobile: w < 500,
      })
    ).newPage();
    await page.goto('http://127.0.0.1:9334/');
    const login = /(\S+@\S+)\s.*?password[^\w]*(\S+)/i.exec(out);
    await page.getByLabel('Email').fill(process.env.EMAIL ?? 'owner@example.com');
    await page.getByLabel('Password', { exact: true }).fill(process.env.PASSWORD ?? 'dispatch-demo');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForTimeout(3000);
    const list = await page.evaluate(async () => null);
    await page.locator('a[href*="ro="], a[href*="/ro/"], a:text-matches("^\\\\d{5,}$")').first().click();
    await page.waitForTimeout(1500);
    await page.getByRole('button', { name: 'Tech Story Magic' }).first().click();
    await page.waitForTimeout(800);
    const d = page.getByRole('dialog', { name: 'Tech Story Generation' });
    await d.getByRole('textbox', { name: 'Cause' }).fill('front pads worn to backing plate');
    await d
      .getByRole('textbox', { name: 'Brief Tech Notes' })
      .fill('lf 1mm rf 2mm - r/r frt pads + both rotors, torqued 80 lb-ft. rt 6 mi');
    await d.getByRole('button', { name: 'Start Generation' }).click();
    await page.waitForTimeout(1200);
    for (let n = 1; n < 14; n++) {
      if (await d.getByRole('heading', { name: 'Check the story' }).isVisible()) break;
      const f = d.getByRole('textbox');
      if (await f.isVisible()) {
        await d.getByRole('button', { name: /^Yes/ }).click();
        await page.waitForTimeout(300);
        await page.screenshot({ path: `/tmp/shots/story-field-${n}-${w}.png` });
        await f.fill(n % 2 ? '45022-TVA-A01' : '41250 mi');
        await f.press('Enter');
      } else await d.getByRole('button', { name: /^Yes/ }).click();
      await page.waitForTimeout(500);
    }
    await page.screenshot({ path: `/tmp/shots/story-review-${w}.png` });
    const marks = d.getByRole('button', { name: /This is right/ });
    for (let i = 0; i < (await marks.count()); i++) await marks.nth(i).click();
    await d.getByRole('button', { name: 'Save story' }).click();
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/shots/story-block-${w}.png` });
    await page
      .getByRole('button', { name: /^Claim sheet/ })
      .first()
      .click();
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/shots/claim-${w}.png` });
    if (w === 1440) {
      await page.pdf({ path: '/tmp/shots/claim.pdf' }).catch((e) => console.log(String(e)));
    }
    await page.close();
  }
} catch (e) {
  console.log(out.slice(-1500));
  console.log(e);
} finally {
  await browser.close();
  server.kill();
}
