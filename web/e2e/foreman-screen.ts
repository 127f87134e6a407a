// The technicians' dashboard as a foreman uses it: what needs a hand, and a row for each technician.
import type { Browser, Locator, Page } from '@playwright/test';
import { expect, goToScreen, OWNER, openSignedIn, saysInToast } from './desk.ts';

/** No test measures the machine's speed. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Picks a car up by mouse, and holds it over another technician's row, wherever that stands. */
export async function holdCar(page: Page, order: number, car: Locator, over: Locator): Promise<void> {
  await car.hover();
  await page.mouse.down();
  // A press that moves is a drag: the screen says of the car in the hand where it is.
  await car.hover({ position: { x: 24, y: 18 }, force: true });
  await expect(page.getByText(new RegExp(`^RO ${order} (of .+ is picked up|is over)`))).toBeAttached();
  // As the wheel does while the button is down.
  await over.scrollIntoViewIfNeeded();
  await over.getByRole('heading').hover({ force: true });
  await expect(over).toContainText('With this car:');
}

export class ForemanScreen {
  readonly page: Page;
  private readonly attention: Locator;

  private constructor(page: Page) {
    this.page = page;
    this.attention = page.getByRole('region', { name: /^Needs a hand/ });
  }

  static async open(browser: Browser, at: { url: string }): Promise<ForemanScreen> {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.clock.install();
    await openSignedIn(page, at, OWNER, '/technicians');
    const screen = new ForemanScreen(page);
    await screen.isShown();
    await page.evaluate(() => {
      document.documentElement.dataset.sameAsBefore = 'yes';
    });
    return screen;
  }

  /** A line of what needs a hand. `what`: an order's number or a technician's name with what is the matter. */
  line(what: string): Locator {
    return this.attention.getByRole('listitem').filter({ hasText: what });
  }

  async needsHand(what: string, timeout = ANSWER_TIMEOUT_MS): Promise<void> {
    await expect(async () => {
      await this.showAll();
      await expect(this.line(what)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout });
  }

  async isSettled(what: string): Promise<void> {
    await expect(async () => {
      await this.showAll();
      await expect(this.line(what)).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: ANSWER_TIMEOUT_MS });
  }

  /** All lines, in the order of the screen. */
  async lines(): Promise<string[]> {
    await this.showAll();
    return this.attention.getByRole('listitem').allInnerTexts();
  }

  /** To where a line is put right. */
  async follow(what: string): Promise<void> {
    await this.needsHand(what);
    await this.line(what).getByRole('link').click();
  }

  /** From wherever a line has led. */
  async goBack(): Promise<void> {
    await goToScreen(this.page, 'Technician Dashboard');
    await this.isShown();
  }

  row(technician: string): Locator {
    return this.page.getByRole('article', { name: technician, exact: true });
  }

  /** An order's chip in a technician's lane. */
  car(technician: string, order: number): Locator {
    return this.row(technician).getByRole('button', { name: new RegExp(`^Move RO ${order}\\b`) });
  }

  /** A lane shows as many cars as it has room for. */
  async hasCar(technician: string, order: number): Promise<void> {
    const more = this.row(technician).getByRole('button', { name: /^Show \d+ more cars? of/ });
    await expect(async () => {
      if (await more.isVisible()) await more.click({ timeout: 1_000 });
      await expect(this.car(technician, order)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: ANSWER_TIMEOUT_MS });
  }

  /** By keys alone, from one technician's lane to another's. */
  async moveCar(order: number, from: string, to: string): Promise<void> {
    await this.hasCar(from, order);
    await this.car(from, order).press('m');
    const picker = this.page.getByRole('dialog', { name: `Move RO ${order} to`, exact: true });
    await picker.getByRole('combobox').fill(to);
    await expect(picker.getByRole('option', { name: new RegExp(`^${to}`) })).toHaveAttribute(
      'data-active',
      'true',
    );
    await this.page.keyboard.press('Enter');
    await saysInToast(this.page, 'Technician reassigned successfully');
  }

  /** By mouse, from one technician's lane onto another's row, wherever the rows stand. */
  async dragCar(order: number, from: string, to: string): Promise<void> {
    await this.hasCar(from, order);
    await holdCar(this.page, order, this.car(from, order), this.row(to));
    await this.page.mouse.up();
    await saysInToast(this.page, 'Technician reassigned successfully');
  }

  /** Each technician's open orders, as the rows have them. */
  totals(): Promise<[name: string, total: number][]> {
    return this.page.getByRole('article').evaluateAll((rows) =>
      rows.map((row): [string, number] => {
        const term = [...row.querySelectorAll('dt')].find((one) => one.textContent === 'Total Active ROs');
        return [row.querySelector('h2')?.textContent ?? '', Number(term?.nextElementSibling?.textContent)];
      }),
    );
  }

  async wasNotReloaded(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-same-as-before', 'yes');
  }

  /** How far (ms) the time that this page takes for the server's is ahead. */
  ahead(): Promise<number> {
    const now = Date.now();
    return this.page.evaluate(
      (real) => Date.now() + Number(localStorage.getItem('dispatch.server-ahead') ?? 0) - real,
      now,
    );
  }

  private async isShown(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Technician Dashboard', level: 1 })).toBeVisible();
    await expect(this.page.getByRole('article').first()).toBeVisible();
  }

  private async showAll(): Promise<void> {
    const more = this.attention.getByRole('button', { name: /^\d+ more$/ });
    if (await more.isVisible()) await more.click({ timeout: 1_000 });
    await expect(more).toHaveCount(0, { timeout: 1_000 });
  }
}
