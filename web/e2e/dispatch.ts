// A running `dispatch serve` with the demo shop, on a data directory of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A debug build fills the demo shop slowly on a busy machine. */
const START_TIMEOUT_MS = 240_000;

const running = new Set<ChildProcess>();
// However the test run ends, no server outlives it.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Dispatch {
  /** What the sample shop does when the server is started the next time. */
  demo: 'still' | 'moving' = 'still';
  readonly dataDir = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
  private readonly binary: string;
  private readonly options: readonly string[];
  private child: ChildProcess | null = null;
  private address = '127.0.0.1:0';

  /** `binary`: a path relative to web/. `options`: further options besides the data directory. */
  constructor(binary: string, options: readonly string[] = []) {
    this.options = options;
    this.binary = resolve(import.meta.dirname, '..', binary);
  }

  /** The page's address. The same one after a restart. */
  get url(): string {
    return `http://${this.address}`;
  }

  async start(): Promise<void> {
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
  async kill(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await exit;
    running.delete(child);
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
