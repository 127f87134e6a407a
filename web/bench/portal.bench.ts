// How soon a technician sees an assignment: from its commit to the banner that is painted, on many open portals at
// once. Nothing is asserted. The server, whoever assigns and all the browsers share the machine.
import { cpus } from 'node:os';
import { type BrowserContext, chromium, type Page, test } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import type { HistoryEntry, Row } from '../src/api/repair-orders.ts';
import { Figures } from './figures.ts';
import { setting } from './shop.ts';

const PORTALS = Number(process.env.BENCH_PORTALS ?? 50);
const RATE = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
/** Until every page has its list and nothing is being compiled any more. */
const SETTLED_MS = 5_000;
/** Whoever wears gloves takes that long to answer. */
const ANSWERED_AFTER_MS = 1_000;

const url = setting('BENCH_URL');
const password = setting('LOADTEST_PASSWORD');
const figures = new Figures(process.env.BENCH_ROWS);

declare const painted: Record<string, number>;

/** Notes when each banner was painted, by its order's number, and accepts it. In the page. */
function watchBanners(answeredAfter: number) {
  const seen: Record<string, number> = {};
  Object.assign(window, { painted: seen });
  const look = () => {
    for (const line of document.querySelectorAll('[data-banner] li')) {
      const number = line.querySelector('.font-mono')?.textContent ?? '';
      if (number in seen) continue;
      seen[number] = Number.NaN;
      // The second frame begins when the first has been painted.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          seen[number] = performance.timeOrigin + performance.now();
        }),
      );
      setTimeout(() => line.querySelector('button')?.click(), answeredAfter);
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}

test.setTimeout(600_000);

test(`${PORTALS} portals, ${RATE} assignments a second`, async () => {
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      // Each page is somebody's tablet, and looked at.
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
    ],
  });
  const portals: { technician: number; context: BrowserContext; page: Page }[] = [];
  for (let technician = 1; technician <= PORTALS; technician++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' });
    await context.addInitScript(watchBanners, ANSWERED_AFTER_MS);
    const email = `technician${technician}@example.com`;
    await context.request.post(`${url}/api/auth/sign-in`, { data: { email, password } });
    const page = await context.newPage();
    await page.goto(`${url}/technicians/${technician}`);
    await page.getByRole('heading', { level: 1, name: /Dashboard/ }).waitFor();
    portals.push({ technician, context, page });
  }

  const token = (
    await call<{ idToken: string }>('POST', '/api/auth/sign-in', null, {
      email: setting('LOADTEST_EMAIL'),
      password,
    })
  ).idToken;
  const rows = await call<Row[]>('GET', '/api/repair-orders', token);
  const free = [
    ...new Set(
      rows
        .filter((row) => row.regularIdTechnician === null && row.ETLIdTechnician === null)
        .map((row) => row.repairOrderNumber),
    ),
  ].slice(0, RATE * SECONDS);
  if (free.length < RATE * SECONDS) throw new Error(`The shop has ${free.length} unassigned orders only.`);
  await new Promise((settled) => setTimeout(settled, SETTLED_MS));

  const from = performance.now();
  const sent: Promise<unknown>[] = [];
  for (const [place, repairOrderNumber] of free.entries()) {
    const due = from + (place * 1_000) / RATE;
    await new Promise((then) => setTimeout(then, Math.max(due - performance.now(), 0)));
    const idTechnician = (place % PORTALS) + 1;
    sent.push(
      call('POST', '/api/repair-orders/technicians/assign', token, { repairOrderNumber, idTechnician }),
    );
  }
  await Promise.all(sent);
  await new Promise((settled) => setTimeout(settled, SETTLED_MS));

  const took: number[] = [];
  const seenBy = await Promise.all(portals.map(({ page }) => page.evaluate(() => ({ ...painted }))));
  for (const [place, number] of free.entries()) {
    const at = seenBy[place % PORTALS]?.[String(number)];
    const history = await call<HistoryEntry[]>('GET', `/api/repair-orders/${number}/history?limit=5`, token);
    const assigned = history.find(({ action }) => action === 'TECH_ASSIGNED');
    if (at === undefined || Number.isNaN(at) || assigned === undefined)
      throw new Error(`Repair order ${number} was never painted.`);
    // The event's time is that of its decision, just before the commit.
    took.push(at - Date.parse(assigned.at));
  }
  await browser.close();

  took.sort((a, b) => a - b);
  const what = `commit to painted banner, ${PORTALS} portals, ${RATE} assignments a second`;
  const share = (part: number) =>
    took[Math.min(Math.floor(took.length * part), took.length - 1)] ?? Number.NaN;
  figures.note(`${what}: median`, 'ms', [share(0.5)]);
  figures.note(`${what}: p99 of ${took.length}`, 'ms', [share(0.99)], { below: 100 });
  figures.note(`${what}: slowest`, 'ms', [share(1)]);
  console.log(`\n${cpus().length} cores, shared by browsers, server and whoever assigns\n${figures.table()}`);
});

async function call<T>(method: string, path: string, token: string | null, body?: object): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { result: T };
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.result;
}
