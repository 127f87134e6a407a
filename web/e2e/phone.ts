// A technician's phone in the bay: their portal, and a network that can be lost for a time.
import type { Browser, BrowserContext, Locator, Page, Request } from '@playwright/test';
import { savedScreens } from './bay.ts';
import { MINUTE_MS } from './clock-records.ts';
import { expect, fillSignIn, PASSWORD } from './desk.ts';
import type { Gateway } from './gateway.ts';

/** Between which moments (ms) something was done on the phone, by its own clock. */
export interface Moment {
  from: number;
  to: number;
}

export class Phone {
  readonly page: Page;
  readonly clock: Locator;
  readonly banner: Locator;
  /** What the server has answered of the technician's taps and texts since the network was lost, in its order. */
  answered: Request[] = [];
  private readonly context: BrowserContext;
  private readonly gateway: Gateway;

  private constructor(page: Page, gateway: Gateway) {
    this.page = page;
    this.context = page.context();
    this.gateway = gateway;
    this.clock = page.getByRole('region', { name: 'Job clock' });
    this.banner = page.getByRole('region', { name: 'New assignments' });
    page.on('response', (response) => {
      const request = response.request();
      const isChange =
        /\/jobs\/|\/clock$/.test(new URL(request.url()).pathname) && request.method() !== 'GET';
      if (isChange && response.ok()) this.answered.push(request);
    });
  }

  /** By the form, as on the first morning: it leads to the technician's own portal. */
  static async signIn(browser: Browser, gateway: Gateway, email: string): Promise<Phone> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.clock.install();
    const phone = new Phone(page, gateway);
    await page.goto(gateway.url);
    await fillSignIn(page, email, PASSWORD);
    await phone.isLive();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return phone;
  }

  async isLive(): Promise<void> {
    await expect(this.page.getByText('Live', { exact: true })).toBeVisible();
  }

  /** The technician's number, as the address has it. */
  get technician(): number {
    return Number(/\/technicians\/(\d+)$/.exec(new URL(this.page.url()).pathname)?.[1]);
  }

  order(roNumber: number): Locator {
    return this.page.getByRole('link', { name: `Open repair order ${roNumber}`, exact: true });
  }

  /** A new assignment in the banner, whatever else has come. */
  assignment(roNumber: number): Locator {
    return this.banner.getByRole('listitem').filter({ hasText: String(roNumber) });
  }

  async accept(roNumber: number): Promise<void> {
    await this.assignment(roNumber)
      .getByRole('button', { name: /^Got it/ })
      .click();
    await expect(this.assignment(roNumber)).toBeHidden();
  }

  async handBack(roNumber: number, reason: string): Promise<void> {
    await this.assignment(roNumber)
      .getByRole('button', { name: /^Hand back/ })
      .click();
    const dialog = this.page.getByRole('dialog', { name: `Hand back RO ${roNumber}` });
    await dialog.getByRole('radio', { name: reason }).click();
    await dialog.getByRole('button', { name: 'Hand back' }).click();
    await expect(this.order(roNumber)).toBeHidden();
  }

  /** The orders of the list, from above. */
  listed(): Promise<number[]> {
    return this.page
      .locator('article[data-key]')
      .evaluateAll((cards) => cards.map((card) => Number(card.getAttribute('data-key'))));
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A button of the job clock. */
  async tapClock(name: string): Promise<Moment> {
    return this.timed(() => this.clock.getByRole('button', { name, exact: true }).click());
  }

  async startJob(roNumber: number, jobNumber: number): Promise<Moment> {
    const moment = await this.timed(() => this.button(`Start job ${jobNumber} of RO ${roNumber}`).click());
    await expect(this.clock).toContainText(`RO ${roNumber}, job ${jobNumber}`);
    return moment;
  }

  /** Finishes the job in hand, also one that was hardly worked on. */
  async finishJob(roNumber: number, jobNumber: number): Promise<Moment> {
    const question = this.page.getByRole('alertdialog', {
      name: `Finish job ${jobNumber} of RO ${roNumber}?`,
    });
    const reopen = this.button(`Reopen job ${jobNumber} of RO ${roNumber}`);
    const moment = await this.timed(async () => {
      await this.clock.getByRole('button', { name: 'Finish job' }).click();
      await expect(question.or(reopen).first()).toBeVisible();
      if (await question.isVisible()) await question.getByRole('button', { name: 'Finish job' }).click();
    });
    await expect(reopen).toBeVisible();
    await expect(this.clock).toContainText('On the clock, no job');
    return moment;
  }

  async openDetails(roNumber: number): Promise<Locator> {
    await this.order(roNumber).first().click();
    const details = this.page.getByRole('dialog', { name: `Repair Order #${roNumber} Details` });
    await expect(details).toBeVisible();
    return details;
  }

  async closeDetails(details: Locator): Promise<void> {
    await details.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(details).toBeHidden();
  }

  async writeNotes(roNumber: number, jobNumber: number, cause: string, notes: string): Promise<void> {
    const details = await this.openDetails(roNumber);
    await details.getByRole('textbox', { name: `Cause of job ${jobNumber}` }).fill(cause);
    await details.getByRole('textbox', { name: `Notes on job ${jobNumber}` }).fill(notes);
    await details.getByRole('button', { name: `Save job ${jobNumber}` }).click();
    await expect(details.getByRole('button', { name: `Save job ${jobNumber}` })).toBeHidden();
    await this.closeDetails(details);
  }

  /** No network from now on. `minutesAgo`: it was lost then already, and the phone's clock shows that time. */
  async loseNetwork(minutesAgo: number, orders: readonly number[]): Promise<void> {
    // What is to be read without it has been fetched ahead.
    const wanted = [`portal-${this.technician}`, ...orders.map((roNumber) => `details-${roNumber}`)];
    await expect
      .poll(() => savedScreens(this.page), { timeout: 120_000 })
      .toEqual(expect.arrayContaining(wanted));
    await this.context.setOffline(true);
    this.gateway.disconnect();
    this.answered = [];
    await this.page.clock.setSystemTime(Date.now() - minutesAgo * MINUTE_MS);
  }

  async passMinutes(minutes: number): Promise<void> {
    await this.page.clock.fastForward(minutes * MINUTE_MS);
  }

  async findNetwork(): Promise<void> {
    this.gateway.reconnect();
    await this.context.setOffline(false);
  }

  private async timed(act: () => Promise<void>): Promise<Moment> {
    const from = await this.now();
    await act();
    return { from, to: await this.now() };
  }

  /** The server's time (ms) as this phone knows it. */
  private now(): Promise<number> {
    return this.page.evaluate(() => Date.now() + Number(localStorage.getItem('dispatch.server-ahead') ?? 0));
  }
}
