// The desk's speed, in Chromium against a running server with its open orders (`loadtest run bench` starts it). Nothing
// is asserted: each figure stands beside its goal. The server, whoever writes and the browser share the machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page, test } from '@playwright/test';
import { wholeBrowser } from '../e2e/browser.ts';
import { fillSignIn } from '../e2e/desk.ts';
import { installFilledTable } from '../e2e/filled-table.ts';
import { Figures } from './figures.ts';
import { installFrameProbe, installProbe, installStreamProbe } from './probe.ts';
import { Shop } from './shop.ts';
import { differences, scrollThrough } from './table.ts';
import { watchTasks } from './tasks.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Whether the shop uses stages. */
const HAS_STAGES = process.env.BENCH_STAGES === '1';
/** Openings that fill the browser's caches, compiled scripts included: it keeps those of the third visit. */
const WARM_OPENINGS = 3;
const DEBOUNCE_MS = 300;
/** Each finds fewer than it did without its last letter: from thousands of orders to a hundred. */
const SEARCHES = ['s', '9', 'er', 'be', 'to', 'ma', 'smi', 'toyo'];
const BURST = { changes: 1_000, rate: 100 };
/** Eight hours: a change every other second, a tick every five seconds. */
const DAY = { changes: 14_400, rate: 500, ticks: 5_760 };
/** The highlight of a change, which lasts two seconds, is gone by then, and a page is through with its opening. */
const SETTLED_MS = 4_000;
const MB = 1_000_000;

const shop = Shop.fromEnvironment();
const figures = new Figures(process.env.BENCH_ROWS);
const profile = mkdtempSync(join(tmpdir(), 'dispatch-bench-'));
let context: BrowserContext;

test.beforeAll(async () => {
  if (HAS_STAGES) await shop.turnStagesOn();
  context = await chromium.launchPersistentContext(profile, {
    ...wholeBrowser,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(installFilledTable);
  await context.addInitScript(installProbe);
  await context.addInitScript(installFrameProbe);
  await context.addInitScript(installStreamProbe);
  const page = await context.newPage();
  await page.goto(shop.url);
  await fillSignIn(page, shop.email, shop.password);
  const bytes = await page.evaluate(() => desk.scriptBytes());
  figures.note('compressed script of sign-in and desk, until its first rows', 'kB', [bytes / 1_000], {
    atMost: 200,
  });
  await page.close();
});

test.afterAll(async () => {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
  console.log(`\n${cpus().length} cores, shared by browser, server and whoever writes\n${figures.table()}`);
});

test('opening the page', async () => {
  const first: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < WARM_OPENINGS + 2 * ROUNDS; round++) {
    const page = await opened();
    if (round >= WARM_OPENINGS) {
      first.push(await page.evaluate(() => desk.firstRow));
      all.push(await page.evaluate(() => desk.filled));
    }
    await page.close();
  }
  figures.note('from opening the page to its first rows', 'ms', first, { atMost: 1_000 });
  figures.note('from opening the page to all rows in sight', 'ms', all);
});

test('searching', async () => {
  const page = await opened();
  const cdp = await context.newCDPSession(page);
  const box = page.getByRole('textbox', { name: 'Search repair orders' });
  const first: number[] = [];
  const all: number[] = [];
  const worked: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const search of SEARCHES) {
      // The text before the last key is searched and painted before the measurement.
      await box.fill(search.slice(0, -1));
      await page.waitForTimeout(2 * DEBOUNCE_MS);
      await box.press('End');
      const watched = await watchTasks(cdp);
      await page.evaluate(() => desk.watchSearch());
      await box.press(search.slice(-1));
      first.push((await page.evaluate(() => desk.searched)) - DEBOUNCE_MS);
      all.push((await page.evaluate(() => desk.searchedAll)) - DEBOUNCE_MS);
      worked.push((await watched()).cpu);
    }
  }
  await page.close();
  figures.note('from a key in the search box to its result, debounce apart', 'ms', first, { atMost: 40 });
  figures.note('from a key in the search box to all rows in sight, debounce apart', 'ms', all);
  figures.note('most CPU time of a task of it', 'ms', worked);
});

test('scrolling', async () => {
  const page = await opened();
  // What opening the page still does is not scrolling.
  await page.evaluate(() => desk.filled);
  await page.waitForTimeout(SETTLED_MS);
  const cdp = await context.newCDPSession(page);
  const longest: number[] = [];
  const worked: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const watched = await watchTasks(cdp);
    await page.evaluate(() => frameProbe.begin());
    await scrollThrough(page, 'down');
    await scrollThrough(page, 'up');
    frames.push(await page.evaluate(() => frameProbe.end()));
    const { wall, cpu } = await watched();
    longest.push(wall);
    worked.push(cpu);
  }
  await page.close();
  figures.note('longest task while scrolling down and up again', 'ms', longest, { atMost: 50 });
  figures.note('most CPU time of a task of it', 'ms', worked);
  figures.note('longest wait between two frames of it', 'ms', frames);
});

test('live changes', async () => {
  const page = await opened();
  const cdp = await context.newCDPSession(page);
  const longest: number[] = [];
  const worked: number[] = [];
  const grown: number[] = [];
  let wrong = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await memory(page, cdp);
    const watched = await watchTasks(cdp);
    await shop.change(BURST.changes, BURST.rate);
    const { wall, cpu } = await watched();
    longest.push(wall);
    worked.push(cpu);
    await page.waitForTimeout(SETTLED_MS);
    grown.push(((await memory(page, cdp)).heap - before.heap) / MB);
  }
  wrong = await differences(page, await shop.orders());
  await page.close();
  const label = `${BURST.rate} changes a second for ${BURST.changes / BURST.rate} s`;
  figures.note(`longest task, ${label}`, 'ms', longest, { atMost: 50 });
  figures.note('most CPU time of a task of it', 'ms', worked);
  figures.note(`heap after ${label}, against before`, 'MB', grown);
  figures.note('orders whose row differs from the list afterwards', '', [wrong], { atMost: 0 });
});

test('eight hours', async () => {
  const page = await opened();
  const cdp = await context.newCDPSession(page);
  await page.waitForTimeout(SETTLED_MS);
  const before = await memory(page, cdp);
  const seconds = DAY.changes / DAY.rate;
  await page.evaluate(([ticks, over]) => stream.tick(ticks, over), [DAY.ticks, seconds * 1_000] as const);
  await shop.change(DAY.changes, DAY.rate);
  await page.waitForTimeout(SETTLED_MS);
  const after = await memory(page, cdp);
  const ticked = await page.evaluate(() => stream.ticked);
  const label = `${DAY.changes} changes and ${ticked} ticks`;
  figures.note(`heap after ${label}, against before`, 'MB', [(after.heap - before.heap) / MB], { below: 10 });
  figures.note('heap before', 'MB', [before.heap / MB]);
  figures.note('DOM nodes more than before', '', [after.nodes - before.nodes]);
  figures.note('orders whose row differs from the list', '', [await differences(page, await shop.orders())], {
    atMost: 0,
  });
  await page.close();
});

/** The signed-in desk in a new tab, its first rows painted. */
async function opened(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${shop.url}/dashboard`);
  await page.evaluate(() => desk.firstRow);
  return page;
}

/** The memory after garbage collection. */
async function memory(page: Page, cdp: CDPSession): Promise<{ heap: number; nodes: number }> {
  await cdp.send('Performance.enable');
  for (let time = 0; time < 3; time++) {
    await cdp.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(200);
  }
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
}
