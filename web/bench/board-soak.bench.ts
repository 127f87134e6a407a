// A month on one board, at speed: what changes in a shop in thirty days, in ten minutes, and then hours in which
// little does, for what grows with every second that it hangs there. The page's own clock
// is put forward between the check points, which cuts its connection each time, so it comes back a hundred times, too.
// At each check point the board and the server agree on all cards, what is drawn is what the server has, and the
// memory is what it was.
import { type Browser, expect, test } from '@playwright/test';
import type { Board } from '../e2e/board-screen.ts';
import { OWNER } from '../e2e/desk.ts';
import { Dispatch } from '../e2e/dispatch.ts';
import { Api, orderFile } from '../e2e/server-api.ts';
import type { components } from '../src/api/schema.ts';
import { vehicleForms } from '../src/board-display/short-names.ts';
import { toNameCase } from '../src/rules/name-case.ts';

type Schemas = components['schemas'];

const CHECK_POINTS = Number(process.env.SOAK_CHECK_POINTS ?? 100);
/** Between two check points: some 64,000 in a month, or 3,000 a working day. */
const CHANGES = Number(process.env.SOAK_CHANGES ?? 600);
const BATCH_SIZE = 100;
const NEW_ORDERS = 20;
/** A month in a hundred steps. */
const STEP_MS = 7.2 * 3_600_000;
/** Until everything that is compiled or cached once is. */
const SETTLED_AT = 5;
const MAX_HEAP_GROWTH = 5 * 1_048_576;
/** Pages have different numbers of cards. */
const MAX_NODE_GROWTH = 1.15;
const STATUSES = [10, 11, 12, 13];
/** Hours that the page goes through second by second: it draws once in each. */
const HOURS = 3;
const PIECE_MS = 300_000;
/** Of 10,800 drawings: two hundred bytes that one of them leaves behind are too many. */
const MAX_HEAP_OF_HOURS = 2 * 1_048_576;

test.setTimeout(3_600_000);

interface Memory {
  heap: number;
  nodes: number;
}

/** A board on its screen, whose owner changes the shop behind it. */
interface Soak {
  dispatch: Dispatch;
  owner: Api;
  page: Board['page'];
  boardId: string;
  /** The board's. */
  token: string;
  memory(): Promise<Memory>;
}

test(`a month of changes, ${CHECK_POINTS} check points`, async ({ browser }) => {
  const dispatch = new Dispatch(process.env.DISPATCH_BIN ?? '../target/release/dispatch');
  try {
    await dispatch.start();
    const soak = await openBoard(browser, dispatch);
    expectSteady(await runMonth(soak));
    await expectSteadyHours(soak);
  } finally {
    await dispatch.discard();
  }
});

async function openBoard(browser: Browser, dispatch: Dispatch): Promise<Soak> {
  const owner = await Api.signIn(dispatch.url, OWNER);
  const target = { name: 'Soak', layout: 'queue', settings: { pageSeconds: 5, dimFrom: null } };
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  await page.clock.install();
  const { url, boardId } = await owner.ask<{ url: string; boardId: string }>('/api/boards/links', target);
  await page.goto(dispatch.url + url);
  await isLive(page);
  const cdp = await context.newCDPSession(page);
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('dispatch.board') ?? '{}').token);
  const memory = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const counters = await cdp.send('Memory.getDOMCounters');
    return { heap: usedSize, nodes: counters.nodes };
  };
  return { dispatch, owner, page, boardId, token, memory };
}

const isLive = (page: Board['page']) =>
  expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });

/** The memory at each check point. */
async function runMonth(soak: Soak): Promise<Memory[]> {
  const { dispatch } = soak;
  const points: Memory[] = [];
  let changes = 0;
  let next = 1_000_000;
  for (let point = 1; point <= CHECK_POINTS; point++) {
    // An ID token lasts an hour.
    if (point % 25 === 0) soak.owner = await Api.signIn(dispatch.url, OWNER);
    changes += await change(soak.owner, point);
    const fresh = Array.from({ length: NEW_ORDERS }, () => ({ repairOrderNumber: next++ }));
    const done = fresh.map(({ repairOrderNumber }) => ({
      repairOrderNumber: repairOrderNumber - NEW_ORDERS,
      closedDate: new Date().toISOString(),
    }));
    dispatch.importFile('day.json', orderFile(...fresh, ...(point > 1 ? done : [])));
    changes += fresh.length * 2;

    await expectSameCards(soak, point);
    const { heap, nodes } = await soak.memory();
    points.push({ heap, nodes });
    if (point % 10 === 0 || point === SETTLED_AT) {
      console.log(`${point}: ${changes} changes, ${mb(heap)} MB, ${nodes} nodes`);
    }
  }
  return points;
}

/** The page's clock goes a step forward: then board and server agree, and what is drawn is what the server has. */
async function expectSameCards({ dispatch, page, token }: Soak, point: number): Promise<void> {
  const verdict = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/api/board/check') && (await response.json()).result?.same !== null,
    { timeout: 90_000 },
  );
  await page.clock.fastForward(STEP_MS);
  const { result } = await (await verdict).json();
  expect(result.same, `check point ${point}`).toBe(true);
  await isLive(page);
  await expect(async () => {
    const [drawn, served] = [await drawnCards(page), await serverCards(dispatch, token, page)];
    expect(drawn.map((card, place) => withWholeVehicle(card, served[place]))).toEqual(served);
  }).toPass({ timeout: 15_000 });
}

/** A card has as much of the vehicle as it has room for. */
function withWholeVehicle(drawn: string[], served: string[] = []): string[] {
  const whole = served[VEHICLE] ?? '';
  return vehicleForms(whole).includes(drawn[VEHICLE] ?? '') ? drawn.with(VEHICLE, whole) : drawn;
}

function expectSteady(points: readonly Memory[]): void {
  const heaps = points.map(({ heap }) => heap);
  const nodes = points.map((point) => point.nodes);
  const [base = 0, baseNodes = 0] = [heaps[SETTLED_AT - 1], Math.max(...nodes.slice(0, SETTLED_AT * 2))];
  const [most, last] = [Math.max(...heaps.slice(SETTLED_AT)), heaps.at(-1) ?? 0];
  console.log(`heap ${mb(base)} MB after ${SETTLED_AT}, at most ${mb(most)}, ${mb(last)} MB in the end`);
  expect(most - base).toBeLessThan(MAX_HEAP_GROWTH);
  expect(Math.max(...nodes.slice(-10))).toBeLessThan(baseNodes * MAX_NODE_GROWTH);
}

/** Hours on the shop floor, second by second. */
async function expectSteadyHours({ owner, page, boardId, memory }: Soak): Promise<void> {
  await owner.send('PATCH', `/api/boards/${boardId}`, { layout: 'shop-floor' });
  await expect(page.locator('.technician').first()).toBeVisible();
  const [technician] = await owner.technicians();
  const runSeconds = async (hours: number) => {
    for (let piece = 0; piece < (hours * 3_600_000) / PIECE_MS; piece++) {
      const action = piece % 2 === 0 ? 'clock-in' : 'clock-out';
      await owner.post(`/api/technicians/${technician?.idTechnician}/clock`, { action });
      await page.clock.runFor(PIECE_MS);
    }
    await isLive(page);
    return memory();
  };
  const [before, after] = [await runSeconds(0.5), await runSeconds(HOURS)];
  console.log(
    `${HOURS} h on the shop floor: ${mb(before.heap)} MB, then ${mb(after.heap)} MB; ${before.nodes} nodes, then ${after.nodes}`,
  );
  expect(after.heap - before.heap).toBeLessThan(MAX_HEAP_OF_HOURS);
}

const mb = (bytes: number) => (bytes / 1_048_576).toFixed(2);

/** Every open order gets one status after the other, so that cards come, go and change. */
async function change(owner: Api, round: number): Promise<number> {
  const orders = (await owner.orders()).map(([row]) => row?.repairOrderNumber ?? 0);
  for (let from = 0; from < CHANGES; from += BATCH_SIZE) {
    const data = Array.from({ length: BATCH_SIZE }, (_, at) => ({
      repairOrderNumber: orders[(from + at) % orders.length],
      idStatus: STATUSES[(round + from / BATCH_SIZE + at) % STATUSES.length],
    }));
    await owner.post('/api/repair-orders/update-status', { data });
  }
  return CHANGES;
}

/** Which of a card's texts, as follows. */
const VEHICLE = 3;

/** Of each card that is up: its key, and what it says that does not depend on the time. */
function drawnCards(page: Board['page']): Promise<string[][]> {
  return page
    .locator('[data-key]')
    .evaluateAll((cards) =>
      cards.map((card) => [
        card.getAttribute('data-key') ?? '',
        card.querySelector('.number')?.textContent ?? '',
        card.querySelector('.who')?.textContent ?? '',
        card.querySelector('.cut')?.textContent ?? '',
        card.querySelector('.square')?.textContent ?? '',
      ]),
    );
}

/** The same of the server's cards, in the order in which they are to stand, on the page that is up. */
async function serverCards(dispatch: Dispatch, token: string, page: Board['page']): Promise<string[][]> {
  const answer = await fetch(`${dispatch.url}/api/board`, { headers: { authorization: `Bearer ${token}` } });
  const { result }: { result: { cards: Schemas['QueueCard'][] } } = await answer.json();
  const when = ({ promised }: Schemas['QueueCard']) =>
    promised === null ? Number.MAX_SAFE_INTEGER : Date.parse(promised);
  const now = Math.floor(Date.now() / 60_000);
  /** Missed within two hours or due in half an hour, then long overdue, then later. */
  const group = (card: Schemas['QueueCard']) => {
    const minutes = Math.floor(when(card) / 60_000) - now;
    return minutes > 30 ? 2 : minutes < -120 ? 1 : 0;
  };
  const sorted = result.cards.toSorted(
    (a, b) =>
      group(a) - group(b) ||
      when(a) - when(b) ||
      (a.opened < b.opened ? -1 : a.opened > b.opened ? 1 : 0) ||
      (a.key < b.key ? -1 : 1),
  );
  const first = (await page.locator('[data-key]').first().getAttribute('data-key')) ?? '';
  const count = await page.locator('[data-key]').count();
  const from = sorted.findIndex(({ key }) => key === first);
  return sorted
    .slice(from, from + count)
    .map((card) => [card.key, card.roNumber, toNameCase(card.customer), card.vehicle, card.status]);
}
