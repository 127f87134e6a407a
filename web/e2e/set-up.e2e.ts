// The first start, as somebody has it who has just installed the server: the printed link, the form, the desk.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { expect, fillSignIn, test } from './desk.ts';

const OWNER = 'olga@example.com';
const PASSWORD = 'a long password';
const ZONE = 'America/Chicago';
/** A debug build starts slowly on a busy machine. */
const START_TIMEOUT_MS = 120_000;

/** A server without anybody and anything in it, and what it printed. */
class NewServer {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'dispatch-set-up-'));
  private readonly child: ChildProcess;
  private output = '';

  constructor(binary: string) {
    const path = resolve(import.meta.dirname, '..', binary);
    const options = ['serve', '--listen', '127.0.0.1:0', '--data-dir', join(this.dataDir, 'data')];
    this.child = spawn(path, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
  }

  async link(): Promise<string> {
    const link = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/set-up#token=\S+)$/m;
    await expect.poll(() => this.output, { timeout: START_TIMEOUT_MS }).toMatch(link);
    return link.exec(this.output)?.[1] ?? '';
  }

  async discard(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

test('the printed link makes the owner, who lands on a desk that says how orders come in', async ({
  browser,
  binary,
}) => {
  const server = new NewServer(binary);
  try {
    const link = await server.link();
    const { origin } = new URL(link);
    const context = await browser.newContext({ timezoneId: ZONE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(origin);
    await expect(page.getByText('This server is not set up yet.')).toBeVisible();

    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Set up your shop' })).toBeVisible();
    expect(page.url()).not.toContain('token');
    await expect(page.getByLabel('Time zone of the shop')).toHaveValue(ZONE);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessibleInBothThemes(page, `${width} px wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Name of the shop').fill('Example Motors');
    await page.getByLabel('Your name').fill('Olga Owner');
    await page.getByLabel('Email').fill(OWNER);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up and sign in' }).click();
    await expect(page).toHaveURL(`${origin}/dashboard`);
    await expect(page.getByText('No open repair orders')).toBeVisible();
    await expect(page.getByText(/--intake-dir/)).toBeVisible();

    // The link is used up, and the shop has its name.
    const again = await (await browser.newContext()).newPage();
    await again.goto(link);
    await expect(again.getByRole('heading', { name: 'This server is set up already' })).toBeVisible();
    await again.getByRole('link', { name: 'To the sign-in' }).click();
    await again.reload();
    await expect(again.getByRole('heading', { name: 'Welcome to Example Motors' })).toBeVisible();
    await expect(again.getByText('This server is not set up yet.')).toHaveCount(0);
    await fillSignIn(again, OWNER, PASSWORD);
    await expect(again).toHaveURL(`${origin}/dashboard`);
  } finally {
    await server.discard();
  }
});
