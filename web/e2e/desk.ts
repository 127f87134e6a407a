// The actions of a test at the desk. Elements are found by role and name.

import {
  type Browser,
  type BrowserContext,
  test as base,
  errors,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { DISPLAYED_TIME } from '../src/shop/displayed-time.fixture.ts';
import { Dispatch } from './dispatch.ts';
import { installFilledTable } from './filled-table.ts';
import { Gateway, type Upgrades } from './gateway.ts';

export const PASSWORD = 'dispatch-demo';
export const ADVISOR = 'advisor@example.com';
export const OWNER = 'owner@example.com';

interface Fixtures {
  binary: string;
  /** A server for one test, stopped when the test ends, however it ends. */
  /** The server's options besides its data directory. */
  serveOptions: readonly string[];
  demo: Dispatch['demo'];
  dispatch: Dispatch;
  /** The proxy in front of it. */
  gateway: Gateway;
  upgrades: Upgrades;
  /** Every desk is closed with its test: it would reconnect for as long as the browser runs. */
  tidy: undefined;
}

export const test = base.extend<Fixtures>({
  binary: [process.env.DISPATCH_BIN ?? '../target/debug/dispatch', { option: true }],
  serveOptions: [[], { option: true }],
  demo: ['still', { option: true }],
  dispatch: async ({ binary, serveOptions, demo }, use) => {
    const dispatch = new Dispatch(binary, serveOptions);
    dispatch.demo = demo;
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

/** As a page finds it that is opened again. The tests of the sign-in's screen sign in there. */
export async function signInByApi(
  context: BrowserContext,
  at: { url: string },
  email: string,
): Promise<void> {
  const signIn = await context.request.post(`${at.url}/api/auth/sign-in`, {
    data: { email, password: PASSWORD },
  });
  expect(signIn).toBeOK();
}

/** The page's first screen, signed in. */
export async function openSignedIn(
  page: Page,
  at: { url: string },
  email: string,
  path = '/',
): Promise<void> {
  await signInByApi(page.context(), at, email);
  await page.goto(at.url + path);
}

/** By the bar's link to it, or by its menu of screens on a narrow screen. */
export async function goToScreen(page: Page, screen: string): Promise<void> {
  const screens = page.getByRole('navigation', { name: 'Screens' });
  if ((page.viewportSize()?.width ?? 0) >= 1024) {
    await screens.getByRole('link', { name: screen }).click();
    return;
  }
  await screens.getByRole('button').click();
  await page.getByRole('menuitem', { name: screen }).click();
}

/** What is measured, once it moves no more: two measurements a quarter of a second apart agree. */
export async function settled<Measured>(measure: () => Promise<Measured>): Promise<Measured> {
  let last = await measure();
  await expect(async () => {
    const before = last;
    await new Promise((resolve) => setTimeout(resolve, 250));
    last = await measure();
    expect<unknown>(last).toEqual(before);
  }).toPass();
  return last;
}

/**
 * A desk of its own: another browser profile, signed in, with the live list on screen.
 * `at`: the server, or what stands before it.
 */
export async function openDesk(browser: Browser, at: { url: string }, email: string): Promise<Desk> {
  const page = await (await browser.newContext()).newPage();
  // Installed first, so that it misses no request.
  const desk = new Desk(page);
  // A technician who asks for no screen starts on their portal.
  await openSignedIn(page, at, email, '/dashboard');
  await desk.isLive();
  await expect(desk.table).toBeVisible();
  await desk.markAsLoaded();
  return desk;
}

export class Desk {
  readonly page: Page;
  readonly table: Locator;
  /** How often the page has requested the whole list. */
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
    await expect(this.page.getByText(new RegExp(`^Not live since ${DISPLAYED_TIME}$`))).toBeVisible();
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
    await this.page.getByRole('option', { name: status, exact: true }).click();
  }

  /** The picker at an order's cell. */
  picker(
    name: 'Change status of RO' | 'Change priority of RO' | 'Technicians of RO',
    roNumber: string,
  ): Locator {
    return this.page.getByRole('dialog', { name: `${name} ${roNumber}`, exact: true });
  }

  /** Opens the picker of technicians; again where its ranking came too late, after two seconds, to sort it. */
  async openRanked(roNumber: string, open: () => Promise<void>): Promise<void> {
    const picker = this.picker('Technicians of RO', roNumber);
    const ranked = picker.getByRole('group', { name: 'Best fit first' });
    await expect(async () => {
      await open();
      await expect(ranked.or(picker.getByRole('group', { name: 'By name' }))).toBeVisible();
      if (await ranked.isVisible()) return;
      await this.page.keyboard.press('Escape');
      await expect(picker).toBeHidden();
      throw new Error('the ranking came too late');
    }).toPass();
  }

  async pickPriority(roNumber: string, priority: string): Promise<void> {
    await this.act('Change priority of RO', roNumber);
    await this.page.getByRole('option', { name: priority, exact: true }).click();
  }

  /** Who works on the order, in the cell that changes it. */
  technicians(roNumber: string): Locator {
    return this.row(roNumber).locator('[data-opened-by="dispatch"]');
  }

  /** Without its column the priority is changed in a dialog, which `askPriority` opens. */
  async hidePriority(): Promise<void> {
    const { origin } = new URL(this.page.url());
    await this.page.goto(`${origin}/dashboard?columns=vehicle,status,-priority,assignment,jobs,timeline`);
    await this.isLive();
    await expect(this.table).toBeVisible();
  }

  async askPriority(roNumber: string): Promise<void> {
    await this.row(roNumber).focus();
    await this.page.keyboard.press('p');
    await expect(this.dialog(`Update Priority for RO ${roNumber}`)).toBeVisible();
  }

  /** An action's button in the order's row: 'Dispatch RO', 'Change priority of RO' with what it is, ... */
  async act(action: string, roNumber: string): Promise<void> {
    await this.row(roNumber).hover();
    await this.page.getByRole('button', { name: new RegExp(`^${action} ${roNumber}(:|$)`) }).click();
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** The details of an order, which stand beside the list on a wide screen. */
  details(roNumber: string): Locator {
    return this.page.getByRole('region', { name: `Repair Order #${roNumber} Details`, exact: true });
  }

  option(name: string | RegExp): Locator {
    return this.page.getByRole('option', { name });
  }

  /** Expects a toast with exactly this text, and dismisses it, so that the next one is distinct. */
  async says(text: string): Promise<void> {
    await saysInToast(this.page, text);
  }

  /** Types into the search field; the list follows after the debounce. */
  async type(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Search repair orders' }).fill(text);
  }

  /** Types the text, and waits until the list is searched for it. */
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
    // The list follows the tab.
    await expect(async () => {
      const orders = await this.count(tab);
      expect(await this.table.getAttribute('aria-rowcount')).toBe(String(orders + 1));
    }).toPass();
    const name = await this.page
      .getByRole('link', { name: /^Open repair order/ })
      .first()
      .getAttribute('aria-label');
    await this.tab('All').click();
    await expect(this.tab('All')).toHaveAttribute('aria-selected', 'true');
    return (name ?? '').replace('Open repair order ', '');
  }

  /** Marks the page, so that `wasNotReloaded` can tell whether it was reloaded. */
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

  /** The orders at the top of the list, by the numbers that are shown. */
  top(): Promise<string[]> {
    return this.table
      .locator('tbody [data-key]')
      .getByRole('link', { name: /Open repair order \S+$/ })
      .evaluateAll((links) => links.map((link) => link.ariaLabel?.split(' ').at(-1) ?? ''));
  }

  /** Every order of the list, from the top; incomplete if the list is replaced meanwhile. */
  async inList(): Promise<string[]> {
    return (await this.rowsOfList()).map(({ key }) => key);
  }

  /**
   * Every row of the list, from the top: its order, the name of its status, and all of its text. Only some rows are
   * rendered at a time, so the list is scrolled through.
   */
  async rowsOfList(): Promise<{ key: string; status: string; text: string }[]> {
    await this.page.evaluate(installFilledTable);
    return this.table.evaluate(async (table) => {
      const scroller = table.parentElement;
      if (scroller === null) throw new Error('the table is nowhere');
      const rows: { key: string; status: string; text: string }[] = [];
      // A busy browser may render no frame for a while: waits a quarter of a second at most.
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
        for (let waited = 0; waited < 60 && !isTableFilled(table); waited++) await frame();
        for (const row of table.querySelectorAll<HTMLElement>('tbody [aria-rowindex]')) {
          rows[Number(row.ariaRowIndex) - 2] = {
            key: row.dataset.key ?? '',
            status: row.querySelector('[aria-label^="Status of RO"]')?.getAttribute('aria-label') ?? '',
            text: row.textContent ?? '',
          };
        }
      }
      scroller.scrollTop = 0;
      return rows.filter(Boolean);
    });
  }

  /** Types into the command palette, at once as a hand does, and takes the first suggestion. */
  async command(text: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.page.keyboard.type(text);
    await expect(this.page.getByRole('combobox', { name: 'Search or command' })).toHaveValue(text);
    await expect(this.page.getByRole('option', { selected: true })).toBeVisible();
    await this.page.keyboard.press('Enter');
  }

  /** Records matching requests from now on, as '<method> <path>'. */
  requests(which: RegExp): string[] {
    const requests: string[] = [];
    this.page.on('request', (request) => {
      const requestLine = `${request.method()} ${new URL(request.url()).pathname}`;
      if (which.test(requestLine)) requests.push(requestLine);
    });
    return requests;
  }
}

export async function saysInToast(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  await dismissToast(page);
  await expect(page.getByText(text, { exact: true })).toBeHidden();
}

/** Closes the first toast in sight. After five seconds it closes by itself, which may be before the click on a busy machine. */
export async function dismissToast(page: Page): Promise<void> {
  try {
    await page.getByRole('button', { name: 'Dismiss', exact: true }).first().click({ timeout: 10_000 });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
  }
}
