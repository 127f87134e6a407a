// A wall screen for tests: a browser profile of its own.
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { expect } from './desk.ts';
import type { Api } from './server-api.ts';

interface Link {
  boardId: string;
  url: string;
}

export class Board {
  readonly page: Page;
  readonly cards: Locator;
  /** Everything the screen has received since it was opened: messages and answers. */
  readonly received: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    this.cards = page.locator('[data-key]');
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => this.received.push(payload.toString())),
    );
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname === '/api/board') this.received.push(await response.text());
    });
  }

  /** Opens an unpaired screen. `address`: the page it opens. */
  static async open(
    browser: Browser,
    at: { url: string },
    address = '/board',
    options: BrowserContextOptions = {},
  ): Promise<Board> {
    const viewport = { width: 1920, height: 1080 };
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
    const board = new Board(await context.newPage());
    await board.page.goto(at.url + address);
    return board;
  }

  /** Opens a screen that a link makes a board. */
  static async linked(
    browser: Browser,
    at: { url: string },
    owner: Api,
    target: { name: string; layout: string; settings?: object },
    options: BrowserContextOptions = {},
  ): Promise<Board> {
    const link = await owner.ask<Link>('/api/boards/links', target);
    const board = await Board.open(browser, at, link.url, options);
    await board.isLive();
    await expect(board.page.getByRole('heading', { name: target.name })).toBeVisible();
    return board;
  }

  async code(): Promise<string> {
    const code = this.page.getByRole('img', { name: /^[2-9A-Z]{6}$/ });
    await expect(code).toBeVisible();
    return (await code.getAttribute('aria-label')) ?? '';
  }

  async isLive(): Promise<void> {
    await expect(this.page.getByText(/^(Live|En vivo)$/)).toBeVisible();
  }

  /**
   * Waits until the board has measured its new screen: its layout is in forty-fifths of the height, and so may look
   * unchanged.
   */
  async resize(viewport: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(viewport);
    const upright = this.page.locator('.screen.upright');
    await expect(upright).toHaveCount(viewport.width < viewport.height ? 1 : 0);
    await this.page.evaluate(async () => {
      await document.fonts.ready;
    });
  }

  card(text: string): Locator {
    return this.cards.filter({ hasText: text });
  }

  /**
   * What of its texts is too small to be read from across the room (forty-fifths of the height), too pale, or cut off
   * without a sign of it.
   */
  illegible(): Promise<string[]> {
    return this.page.evaluate(() => {
      const parse = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
      const light = ([r = 0, g = 0, b = 0]: number[]) => {
        const linear = [r, g, b].map((of255) => {
          const part = of255 / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
      };
      const behind = (element: Element | null): number[] => {
        for (let at = element; at !== null; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if ((colour[3] ?? 1) > 0.99 && colour.length >= 3) return colour;
        }
        return [0, 0, 0];
      };
      /** The nearest ancestor that clips overflowing text. */
      const frame = (element: Element): Element => {
        const parent = element.parentElement;
        return parent === null || getComputedStyle(element).overflowX !== 'visible' ? element : frame(parent);
      };
      const wrong: string[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent?.trim() ?? '';
        const element = texts.currentNode.parentElement;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        if (text === '' || element === null || range.getClientRects().length === 0) continue;
        const { fontSize, color } = getComputedStyle(element);
        const size = Number.parseFloat(fontSize) * 45;
        if (size < innerHeight - 0.5) wrong.push(`${text}: ${fontSize}`);
        const [ink, paper] = [light(parse(color)), light(behind(element))];
        const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        if (contrast < 7) wrong.push(`${text}: ${contrast.toFixed(2)}:1`);
        const around = frame(element);
        if (getComputedStyle(around).textOverflow === 'ellipsis') continue;
        const [written, room] = [range.getBoundingClientRect(), around.getBoundingClientRect()];
        if (written.left < room.left - 1 || written.right > Math.min(room.right, innerWidth) + 1)
          wrong.push(`${text}: cut off`);
      }
      return [...new Set(wrong)];
    });
  }
}
