// How soon a technician sees an assignment: from its commit to the banner that is painted, with many portals open at
// once. Nothing is asserted. Fifty technicians have fifty devices, and here they share the machine with the server and
// with whoever assigns: some are pages in Chromium, the others do on the stream what such a page does.
import { cpus } from 'node:os';
import { type Browser, chromium, test } from '@playwright/test';
import { io } from 'socket.io-client';
import { wholeBrowser } from '../e2e/browser.ts';
import type { HistoryEntry, Row } from '../src/api/repair-orders.ts';
import type { RoModified } from '../src/api/socket.ts';
import { Figures } from './figures.ts';
import { requiredSetting } from './shop.ts';

const PORTALS = Number(process.env.BENCH_PORTALS ?? 50);
const PAGES = Math.min(Number(process.env.BENCH_PAGES ?? 10), PORTALS);
const RATE = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
/** Until every page has its list and nothing is being compiled any more. */
const SETTLED_MS = 5_000;
/** Of each portal's first assignment: a page that was never used compiles what it draws. */
const FIRST_RATE = 5;
/** How long a technician with gloves takes to answer. */
const ANSWER_DELAY_MS = 1_000;

const url = requiredSetting('BENCH_URL');
const password = requiredSetting('LOADTEST_PASSWORD');
const figures = new Figures(process.env.BENCH_ROWS);

declare const painted: Record<string, number>;

/** Notes when each banner was painted, by its order's number, and accepts it. In the page. */
function watchBanners(answeredAfter: number) {
  const paintTimes: Record<string, number> = {};
  Object.assign(window, { painted: paintTimes });
  const look = () => {
    for (const line of document.querySelectorAll('[data-banner] li')) {
      const number = line.querySelector('.font-mono')?.textContent ?? '';
      if (number in paintTimes) continue;
      paintTimes[number] = Number.NaN;
      // The second frame begins when the first has been painted.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          paintTimes[number] = performance.timeOrigin + performance.now();
        }),
      );
      setTimeout(() => line.querySelector('button')?.click(), answeredAfter);
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}

test.setTimeout(600_000);

/** When each order was painted, or heard of, by its number. */
type ReadTimes = () => Promise<Record<string, number>>;

/** ms of the processor that a page's renderer has used since it was opened, by what for. */
type ReadProcessorTime = () => Promise<Record<string, number>>;
const PROCESSOR_TIMES = {
  TaskDuration: 'in all',
  ScriptDuration: 'scripts',
  RecalcStyleDuration: 'styles',
  LayoutDuration: 'layout',
};

test(`${PORTALS} portals, ${PAGES} of them pages, ${RATE} assignments a second`, async () => {
  const browser = await launchBrowser();
  /** By technician, one after the other. */
  const portals: ReadTimes[] = [];
  const processorTimes: ReadProcessorTime[] = [];
  for (let technician = 1; technician <= PORTALS; technician++) {
    portals.push(
      await (isPage(technician) ? openPage(browser, technician, processorTimes) : openStream(technician)),
    );
  }
  const token = await signIn(requiredSetting('LOADTEST_EMAIL'));
  const free = await unassignedOrders(token, PORTALS + RATE * SECONDS);
  await new Promise((settled) => setTimeout(settled, SETTLED_MS));
  await assign(token, free.slice(0, PORTALS), FIRST_RATE);
  const before = await Promise.all(processorTimes.map((read) => read()));
  await assign(token, free.slice(PORTALS), RATE);
  const after = await Promise.all(processorTimes.map((read) => read()));

  const delays = await delaysOf(token, free, portals);
  await browser.close();

  const what = `${PORTALS} portals (${PAGES} pages), ${RATE} assignments a second: commit to`;
  note(`${what} painted banner`, delays.painted, { below: 100 });
  note("a page's first banner", delays.firstPainted);
  note(`${what} the message`, delays.heard);
  const perPage = (free.length - PORTALS) / PORTALS;
  for (const [name, purpose] of Object.entries(PROCESSOR_TIMES)) {
    const used = after.map((times, page) => ((times[name] ?? 0) - (before[page]?.[name] ?? 0)) / perPage);
    figures.note(`a page's processor time for an assignment and its answer, ${purpose}`, 'ms', used);
  }
  console.log(`\n${cpus().length} cores, shared by browser, server and whoever assigns\n${figures.table()}`);
});

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...wholeBrowser,
    args: [
      ...(wholeBrowser.args ?? []),
      // Each page is somebody's tablet, and looked at.
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
    ],
  });
}

async function openPage(
  browser: Browser,
  technician: number,
  processorTimes: ReadProcessorTime[],
): Promise<ReadTimes> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' });
  await context.addInitScript(watchBanners, ANSWER_DELAY_MS);
  await context.request.post(`${url}/api/auth/sign-in`, {
    data: { email: emailOf(technician), password },
  });
  const page = await context.newPage();
  await page.goto(`${url}/technicians/${technician}`);
  await page.getByRole('heading', { level: 1, name: /Dashboard/ }).waitFor();
  const inspector = await context.newCDPSession(page);
  // Of the renderer's thread, so that it counts nothing that the pages wait for each other.
  await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
  processorTimes.push(async () => {
    const { metrics } = await inspector.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1_000]));
  });
  return () => page.evaluate(() => ({ ...painted }));
}

async function unassignedOrders(token: string, count: number): Promise<number[]> {
  const rows = await call<Row[]>('GET', '/api/repair-orders', token);
  const unassigned = rows
    .filter((row) => row.regularIdTechnician === null && row.ETLIdTechnician === null)
    .map((row) => row.repairOrderNumber);
  const free = [...new Set(unassigned)].slice(0, count);
  if (free.length < count) throw new Error(`The shop has ${free.length} unassigned orders only.`);
  return free;
}

/** Gives the orders to the technicians in turn, `rate` a second. */
async function assign(token: string, orders: readonly number[], rate: number): Promise<void> {
  const from = performance.now();
  const sent: Promise<unknown>[] = [];
  for (const [place, repairOrderNumber] of orders.entries()) {
    const due = from + (place * 1_000) / rate;
    await new Promise((then) => setTimeout(then, Math.max(due - performance.now(), 0)));
    const idTechnician = (place % PORTALS) + 1;
    sent.push(
      call('POST', '/api/repair-orders/technicians/assign', token, { repairOrderNumber, idTechnician }),
    );
  }
  await Promise.all(sent);
  await new Promise((settled) => setTimeout(settled, SETTLED_MS));
}

/** ms from each assignment's commit until its technician saw it. */
async function delaysOf(token: string, orders: readonly number[], portals: readonly ReadTimes[]) {
  const delays = { firstPainted: [] as number[], painted: [] as number[], heard: [] as number[] };
  const seenBy = await Promise.all(portals.map((readTimes) => readTimes()));
  for (const [place, number] of orders.entries()) {
    const at = seenBy[place % PORTALS]?.[String(number)];
    const history = await call<HistoryEntry[]>('GET', `/api/repair-orders/${number}/history?limit=5`, token);
    const assigned = history.find(({ action }) => action === 'TECH_ASSIGNED');
    if (at === undefined || Number.isNaN(at) || assigned === undefined)
      throw new Error(`Repair order ${number} never reached its technician.`);
    const painting = place < PORTALS ? delays.firstPainted : delays.painted;
    // The event's time is that of its decision, just before the commit.
    (isPage((place % PORTALS) + 1) ? painting : delays.heard).push(at - Date.parse(assigned.at));
  }
  return delays;
}

function note(what: string, durations: number[], goal?: { below: number }): void {
  if (durations.length === 0) return;
  durations.sort((a, b) => a - b);
  const share = (part: number) =>
    durations[Math.min(Math.floor(durations.length * part), durations.length - 1)] ?? Number.NaN;
  figures.note(`${what}, median`, 'ms', [share(0.5)]);
  figures.note(`${what}, p99 of ${durations.length}`, 'ms', [share(0.99)], goal);
  figures.note(`${what}, slowest`, 'ms', [share(1)]);
}

/** What a page does besides rendering: it listens, reports that it was seen, and accepts. */
async function openStream(technician: number): Promise<ReadTimes> {
  const token = await signIn(emailOf(technician));
  const receivedAt: Record<string, number> = {};
  const say = (roNumber: number, stage: string) =>
    call('POST', `/api/technicians/${technician}/assignments/${roNumber}/receipt`, token, { stage });
  const socket = io(url, { path: '/ws', transports: ['websocket'], auth: { token, scope: { technician } } });
  socket.on('RO_MODIFIED', ({ action, techId, roNumber }: RoModified) => {
    if (action !== 'TECH_ASSIGNED' || techId !== technician) return;
    receivedAt[String(roNumber)] = performance.timeOrigin + performance.now();
    void say(roNumber, 'seen');
    setTimeout(() => void say(roNumber, 'accepted'), ANSWER_DELAY_MS);
  });
  await new Promise((ready) => socket.once('hello', ready));
  return async () => {
    socket.close();
    return receivedAt;
  };
}

/** The pages are spread among the others. */
const isPage = (technician: number) =>
  Math.floor((technician * PAGES) / PORTALS) > Math.floor(((technician - 1) * PAGES) / PORTALS);
const emailOf = (technician: number) => `technician${technician}@example.com`;

async function signIn(email: string): Promise<string> {
  return (await call<{ idToken: string }>('POST', '/api/auth/sign-in', null, { email, password })).idToken;
}

async function call<T>(method: string, path: string, token: string | null, body?: object): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { result: T };
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.result;
}
