// A technician's phone in the bay, with an order of its own.
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, OWNER, openSignedIn } from './desk.ts';
import type { Dispatch } from './dispatch.ts';
import { Api, orderFile } from './server-api.ts';

export const TECHNICIAN = 'tech@example.com';
export const ORDER = 990_001;
interface Me {
  technicianId: number;
}

/** An order of the test's own on the technician's list, with a job to clock and to write about. */
export async function orderFor(dispatch: Dispatch): Promise<{ technician: number; api: Api }> {
  const api = await Api.signIn(dispatch.url, OWNER);
  const me = await (await Api.signIn(dispatch.url, TECHNICIAN)).get<Me>('/api/auth/me');
  const jobs = [{ jobNumber: 1, concern: 'Brakes squeal', operations: [{ operationCode: 'BRK' }] }];
  dispatch.importFile('bay.json', orderFile({ repairOrderNumber: ORDER, jobs }));
  await expect(async () => {
    await api.post('/api/repair-orders/technicians/assign', {
      repairOrderNumber: ORDER,
      idTechnician: me.technicianId,
    });
  }).toPass();
  return { technician: me.technicianId, api };
}

export class Bay {
  readonly context: BrowserContext;
  readonly address: string;
  page: Page;
  private readonly technician: number;

  private constructor(page: Page, at: { url: string }, technician: number) {
    this.context = page.context();
    this.page = page;
    this.technician = technician;
    this.address = `${at.url}/technicians/${technician}`;
  }

  /** Signed in, with the list shown and saved, and the service worker in control. */
  static async open(browser: Browser, at: { url: string }, technician: number): Promise<Bay> {
    const page = await (await browser.newContext()).newPage();
    const bay = new Bay(page, at, technician);
    await openSignedIn(page, at, TECHNICIAN, `/technicians/${technician}`);
    await expect(bay.order).toBeVisible();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await bay.isKept();
    return bay;
  }

  get order() {
    return this.page.getByRole('link', { name: `Open repair order ${ORDER}`, exact: true });
  }

  get waiting() {
    return this.page.getByText(/changes? waits? for the connection/);
  }

  get lastKnown() {
    return this.page.getByText(/^The last known list, of /);
  }

  /** All that the page fetches ahead: the clock's two weeks come last. */
  async isAllKept(): Promise<void> {
    const weeks = async () =>
      (await savedScreens(this.page)).filter((name) => name.startsWith(`entries-${this.technician}-`));
    await expect.poll(weeks, { timeout: 60_000 }).toHaveLength(2);
  }

  /** List and details, which are fetched ahead one after another, are on this device, as of the server's log. */
  private async isKept(): Promise<void> {
    const wanted = [`portal-${this.technician}`, `details-${ORDER}`];
    await expect
      .poll(() => savedScreens(this.page), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(wanted));
  }

  async pickStatus(status: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^Status of RO ${ORDER}:`) }).click();
    await this.page.getByRole('option', { name: status }).click();
  }

  async startJob(): Promise<void> {
    await this.page.getByRole('button', { name: `Start job 1 of RO ${ORDER}`, exact: true }).click();
  }

  async write(notes: string): Promise<void> {
    await this.order.click();
    await this.page.getByRole('textbox', { name: /Notes on job 1/ }).fill(notes);
    await this.page.getByRole('button', { name: 'Save job 1' }).click();
    await expect(this.page.getByRole('button', { name: 'Save job 1' })).toBeHidden();
    await this.page.keyboard.press('Escape');
  }
}

/** The names of the screens that are kept on this device, as of the server's log. */
export function savedScreens(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((found) => {
        const opening = indexedDB.open('dispatch-offline');
        opening.onsuccess = () => {
          const all = opening.result.transaction('saved').objectStore('saved').getAll();
          all.onsuccess = () => {
            opening.result.close();
            found(all.result.flatMap(({ name, generation }) => (generation === null ? [] : [name])));
          };
        };
      }),
  );
}
