// A running `dispatch serve` with the demo shop, on a data directory of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** A debug build fills the demo shop slowly on a busy machine. */
const START_TIMEOUT_MS = 240_000;
/** The option by which the demo shop is another one. */
const OWN_SHOP = '--time-zone';
/** An older one is filled anew: its clocks run on, until they count as forgotten. */
const MAX_SHOP_AGE_MS = 10 * 60_000;
/** What belongs to one running server and not to its data. */
const OF_A_PROCESS = ['dispatch.lock', 'dispatch.sock'];
const isData = (path: string) => !OF_A_PROCESS.includes(basename(path));

const running = new Set<ChildProcess>();
interface FilledShop {
  at: number;
  folder: Promise<string>;
}

/** By the server's binary. */
const filled = new Map<string, FilledShop>();
const filledFolders: string[] = [];
// However the test run ends, no server outlives it.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of filledFolders) rmSync(folder, { recursive: true, force: true });
});

export class Dispatch {
  /** What the sample shop does when the server is started the next time. */
  demo: 'still' | 'moving' = 'still';
  readonly dataDir = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
  private readonly binary: string;
  private readonly options: readonly string[];
  private child: ChildProcess | null = null;
  private address = '127.0.0.1:0';
  private isFilled = false;

  /** `binary`: a path relative to web/. `options`: further options besides the data directory. */
  constructor(binary: string, options: readonly string[] = []) {
    this.options = options;
    this.binary = resolve(import.meta.dirname, '..', binary);
  }

  /** The page's address. The same one after a restart. */
  get url(): string {
    return `http://${this.address}`;
  }

  /** Servers of a test process start on copies of one filled shop. */
  async start(): Promise<void> {
    if (!this.isFilled && !this.options.includes(OWN_SHOP)) await this.copyFilledShop();
    this.isFilled = true;
    const child = spawn(
      this.binary,
      ['serve', `--demo=${this.demo}`, '--listen', this.address, '--data-dir', this.dataDir, ...this.options],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child = child;
    running.add(child);
    this.address = await addressOf(child);
  }

  /** Kills the server as a power cut would: nothing is written or closed. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await exit;
    running.delete(child);
  }

  private async copyFilledShop(): Promise<void> {
    const before = filled.get(this.binary);
    const shop = before !== undefined && isOfNow(before) ? before : { at: Date.now(), folder: this.fill() };
    filled.set(this.binary, shop);
    cpSync(await shop.folder, this.dataDir, { recursive: true, filter: isData });
  }

  /** Closed in good order, so that the database is whole in its file. */
  private async fill(): Promise<string> {
    const shop = new Dispatch(this.binary);
    filledFolders.push(shop.dataDir);
    shop.isFilled = true;
    await shop.start();
    await shop.end('SIGTERM');
    return shop.dataDir;
  }

  /** Runs `dispatch import` with a file, beside the running server. */
  importFile(name: string, content: string): void {
    const file = join(this.dataDir, name);
    writeFileSync(file, content);
    const { status, stdout, stderr, error } = spawnSync(
      this.binary,
      ['import', file, '--data-dir', this.dataDir],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw error ?? new Error(`dispatch import ended with ${status}:\n${stdout}\n${stderr}`);
  }

  async discard(): Promise<void> {
    await this.kill();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

function isOfNow({ at }: FilledShop): boolean {
  const day = (time: number) => new Date(time).toDateString();
  return Date.now() - at < MAX_SHOP_AGE_MS && day(at) === day(Date.now());
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    const timer = setTimeout(
      () => failed(new Error(`dispatch did not start in time:\n${output}`)),
      START_TIMEOUT_MS,
    );
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      settle();
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      // The log has other addresses, for instance a story provider's.
      const address = /is ready at http:\/\/(127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (address !== undefined) finish(() => found(address));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', (error) => finish(() => failed(error)));
    child.once('exit', (code) => finish(() => failed(new Error(`dispatch ended with ${code}:\n${output}`))));
  });
}
