// Reads the table by scrolling, as a user with a mouse wheel does.
import type { Locator, Page } from '@playwright/test';
import type { RepairOrder } from '../src/repair-order/order.ts';

/** px of one turn of the wheel: some thirty rows. */
const TURN = 1_200;
/** More turns than the whole list has. */
const TURNS = 1_000;
/** Frames until the rows in sight are drawn, on a busy machine: four rows come in each. */
const MOST_FRAMES = 600;

export async function scrollThrough(page: Page, direction: 'up' | 'down'): Promise<void> {
  const table = page.getByRole('table');
  await page.mouse.move(720, 500);
  for (let round = 0; round < TURNS; round++) {
    await page.mouse.wheel(0, direction === 'down' ? TURN : -TURN);
    if (await isAtEnd(table, direction)) return;
  }
  throw new Error(`The table's end was not reached in ${TURNS} turns.`);
}

function isAtEnd(table: Locator, direction: 'up' | 'down'): Promise<boolean> {
  return table.evaluate((element, down) => {
    const scroller = element.closest('.overflow-auto') ?? element;
    const left = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    return down ? left < 2 : scroller.scrollTop < 2;
  }, direction === 'down');
}

/** The number of orders whose rows are missing, duplicated or different from the list. */
export async function differences(page: Page, orders: readonly RepairOrder[]): Promise<number> {
  const wanted = new Map(
    orders.map((order) => [
      order.roNumber,
      `Status of RO ${order.roNumber}: ${order.status}, ${order.priority}`,
    ]),
  );
  const shown = await page.getByRole('table').evaluate(readThrough, MOST_FRAMES);
  const wrong = new Set<string>();
  for (const [number, rowText] of shown) if (wanted.get(number) !== rowText) wrong.add(number);
  const shownNumbers = new Set(shown.map(([number]) => number));
  for (const number of wanted.keys()) if (!shownNumbers.has(number)) wrong.add(number);
  return wrong.size;
}

/** Runs in the page: every row's number, and its status and priority as they stand there, from top to bottom. */
async function readThrough(table: Element, mostFrames: number): Promise<[string, string][]> {
  const scroller = table.closest('.overflow-auto') ?? table;
  const found = new Map<string, string>();
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  scroller.scrollTop = 0;
  for (;;) {
    let frames = 0;
    do {
      if (frames++ === mostFrames) throw new Error(`Rows are missing at ${scroller.scrollTop} px.`);
      await frame();
    } while (!isTableFilled(table));
    for (const row of table.querySelectorAll('tbody tr[aria-rowindex]')) {
      const number = row.querySelector('a[aria-label^="Open repair order "]')?.getAttribute('aria-label');
      const status = row.querySelector('button[data-opened-by="status"]')?.getAttribute('aria-label');
      const priority = row.querySelectorAll('td')[3]?.textContent;
      found.set((number ?? '').replace('Open repair order ', ''), `${status}, ${priority}`);
    }
    if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) return [...found];
    scroller.scrollTop += 0.8 * scroller.clientHeight;
  }
}
