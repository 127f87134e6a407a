// What a test does at the desk, in the words of the desk. Things are found by role and name.
import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import { Dispatch } from './dispatch.ts';
import { Gateway, type Upgrades } from './gateway.ts';

export const PASSWORD = 'dispatch-demo';
export const ADVISOR = 'advisor@example.com';
export const OWNER = 'owner@example.com';

interface Fixtures {
  binary: string;
  /** A server of the test's own, gone when the test is over, however it ended. */
  /** What the server is started with beside a place. */
  serveOptions: readonly string[];
  dispatch: Dispatch;
  /** Stands before it. */
  gateway: Gateway;
  upgrades: Upgrades;
  /** No desk outlives its test: it would look for its server for as long as the browser runs. */
  tidy: undefined;
}

export const test = base.extend<Fixtures>({
  binary: [process.env.DISPATCH_BIN ?? '../target/debug/dispatch', { option: true }],
  serveOptions: [[], { option: true }],
  dispatch: async ({ binary, serveOptions }, use) => {
    const dispatch = new Dispatch(binary, serveOptions);
    try {
      await dispatch.start();
      await use(dispatch);
    } finally {
      await dispatch.discard();
    }
  },
  tidy: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  upgrades: ['passed', { option: true }],
  gateway: async ({ dispatch, upgrades }, use) => {
    const gateway = await Gateway.before(dispatch.url, upgrades);
    await use(gateway);
    await gateway.close();
  },
});
export { expect };

export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * A desk of its own: another browser profile, signed in, with the live list on screen.
 * `at`: the server, or what stands before it.
 */
export async function openDesk(browser: Browser, at: { url: string }, email: string): Promise<Desk> {
  const context = await browser.newContext();
  const page = await context.newPage();
  // First, lest it miss a request.
  const desk = new Desk(page);
  await page.goto(at.url);
  await fillSignIn(page, email, PASSWORD);
  await desk.isLive();
  await expect(desk.table).toBeVisible();
  await desk.markAsLoaded();
  return desk;
}

export class Desk {
  readonly page: Page;
  readonly table: Locator;
  /** How often the page has asked for the whole list. */
  lists = 0;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole('table');
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/repair-orders') this.lists++;
    });
  }

  async isLive(): Promise<void> {
    await expect(this.page.getByText('Live', { exact: true })).toBeVisible();
  }

  async isNotLive(): Promise<void> {
    await expect(this.page.getByText(/^Not live since \d\d:\d\d$/)).toBeVisible();
  }

  row(roNumber: string): Locator {
    return this.table.getByRole('row').filter({ has: this.link(roNumber) });
  }

  link(roNumber: string): Locator {
    return this.page.getByRole('link', { name: `Open repair order ${roNumber}`, exact: true });
  }

  status(roNumber: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Status of RO ${roNumber}:`) });
  }

  async pickStatus(roNumber: string, status: string): Promise<void> {
    await this.status(roNumber).click();
    await this.page.getByRole('menuitemradio', { name: status }).click();
  }

  /** An action's button in the order's row: 'Dispatch RO', 'Change priority of RO', ... */
  async act(action: string, roNumber: string): Promise<void> {
    await this.row(roNumber).hover();
    await this.page.getByRole('button', { name: `${action} ${roNumber}`, exact: true }).click();
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name });
  }

  option(name: string | RegExp): Locator {
    return this.page.getByRole('option', { name });
  }

  /** A toast says exactly that. Dismissed, so that the next one is told from it. */
  async says(text: string): Promise<void> {
    await expect(this.page.getByText(text, { exact: true })).toBeVisible();
    await this.page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(this.page.getByText(text, { exact: true })).toBeHidden();
  }

  /** Into the search field; the list follows when typing has paused. */
  async type(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Search repair orders' }).fill(text);
  }

  /** Types it, and waits until it is what the list is searched for. */
  async search(text: string): Promise<void> {
    await this.type(text);
    await this.page.waitForURL((url) => (url.searchParams.get('q') ?? '') === text);
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  /** The count on a tab's badge; no badge is 0. */
  async count(tab: string): Promise<number> {
    return Number(/\d+/.exec((await this.tab(tab).textContent()) ?? '')?.[0] ?? 0);
  }

  /** The first order in the table with that status, or `Unassigned`. */
  async firstWith(tab: string): Promise<string> {
    await this.tab(tab).click();
    await expect(this.tab(tab)).toHaveAttribute('aria-selected', 'true');
    const name = await this.page
      .getByRole('link', { name: /^Open repair order/ })
      .first()
      .getAttribute('aria-label');
    await this.tab('All').click();
    await expect(this.tab('All')).toHaveAttribute('aria-selected', 'true');
    return (name ?? '').replace('Open repair order ', '');
  }

  /** From here on `wasNotReloaded` can tell whether this is still the same page. */
  async markAsLoaded(): Promise<void> {
    await this.page.evaluate(() => {
      document.documentElement.dataset.sameAsBefore = 'yes';
    });
  }

  async wasNotReloaded(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-same-as-before', 'yes');
  }

  /** Searches for an order, and waits until it stands alone: until then the list is still the one before. */
  async find(roNumber: string): Promise<void> {
    await this.search(roNumber);
    await expect(this.table).toHaveAttribute('aria-rowcount', '2');
    await expect(this.link(roNumber)).toBeVisible();
  }

  /** The cell of an order's row below a column's head. */
  async cell(roNumber: string, column: string): Promise<Locator> {
    const heads = await this.table.locator('thead').locator('th, td').allInnerTexts();
    const at = heads.map((head) => head.trim()).indexOf(column);
    if (at < 0) throw new Error(`there is no column ${column} among ${heads.join(', ')}`);
    return this.row(roNumber).locator('td').nth(at);
  }

  /** The orders at the top of the list. */
  top(): Promise<string[]> {
    return this.table
      .locator('tbody [data-key]')
      .evaluateAll((rows) => rows.map((row) => (row instanceof HTMLElement && row.dataset.key) || ''));
  }

  /** Every order of the list, from the top: only some are drawn at a time, so the list is scrolled through. One that gives
   * way to another tab's meanwhile is not told whole. */
  inList(): Promise<string[]> {
    return this.table.evaluate(async (table) => {
      const scroller = table.parentElement;
      if (scroller === null) throw new Error('the table is nowhere');
      const numbers: string[] = [];
      // A busy browser may draw no frame for a while: nobody waits longer than a quarter of a second for one.
      const frame = () =>
        new Promise<void>((drawn) => {
          requestAnimationFrame(() => drawn());
          setTimeout(drawn, 250);
        });
      // A list that is no longer on the page, or not laid out yet, has no height: whoever asks asks again.
      for (
        let top = 0;
        scroller.isConnected && scroller.clientHeight > 0 && top <= scroller.scrollHeight;
        top += scroller.clientHeight / 2
      ) {
        scroller.scrollTop = top;
        await frame();
        await frame();
        for (const row of table.querySelectorAll<HTMLElement>('tbody [aria-rowindex]')) {
          numbers[Number(row.ariaRowIndex) - 2] = row.dataset.key ?? '';
        }
      }
      scroller.scrollTop = 0;
      return numbers;
    });
  }

  /** What is typed is chosen in the command palette: its first offer. */
  async command(text: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.page.getByRole('combobox', { name: 'Search or command' }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Requests that match, as '<method> <path>', from now on. */
  requests(which: RegExp): string[] {
    const seen: string[] = [];
    this.page.on('request', (request) => {
      const said = `${request.method()} ${new URL(request.url()).pathname}`;
      if (which.test(said)) seen.push(said);
    });
    return seen;
  }
}
