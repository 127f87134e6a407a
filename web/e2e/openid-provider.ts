// A certified OpenID Connect provider (server/tests/openid), on another site than the servers are.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const INSTALLED = resolve(CHECKOUT, 'target/openid');

export class OpenIdProvider {
  readonly issuer: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, issuer: string) {
    this.child = child;
    this.issuer = issuer;
  }

  static async start(): Promise<OpenIdProvider> {
    if (!existsSync(resolve(INSTALLED, 'node_modules'))) {
      throw new Error(`there is no OpenID Connect provider in ${INSTALLED}: run make tools`);
    }
    // To a browser, localhost and 127.0.0.1 are two sites.
    const child = spawn('node', [resolve(CHECKOUT, 'server/tests/openid/provider.mjs'), 'localhost'], {
      cwd: INSTALLED,
      // It ends when nobody can write to it any more, however the tests end.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const issuer = await new Promise<string>((found, failed) => {
      createInterface({ input: child.stdout }).once('line', found);
      child.once('error', failed);
      child.once('exit', (code) => failed(new Error(`the provider ended with ${code}`)));
    });
    const provider = new OpenIdProvider(child, issuer);
    await provider.configure({});
    return provider;
  }

  /** The server's options to trust this provider. */
  get options(): string[] {
    return [
      '--oidc-issuer',
      this.issuer,
      '--oidc-client-id',
      'dispatch',
      '--oidc-client-secret',
      'a secret with a / and a +',
      '--oidc-name',
      'Example Motors',
    ];
  }

  /** `accounts`: the names that may sign in, and what is claimed of each. */
  async serve(url: string, accounts: Record<string, object>): Promise<void> {
    await this.configure({ redirectUris: [`${url}/api/auth/oidc/callback`], accounts });
  }

  stop(): void {
    this.child.kill();
  }

  private async configure(settings: object): Promise<void> {
    const answer = await fetch(`${this.issuer}/test/configure`, {
      method: 'POST',
      body: JSON.stringify(settings),
    });
    if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
  }
}
