// The running server that is measured, and the load test's writers, which make changes from their own process.
import { spawn } from 'node:child_process';
import type { Row } from '../src/api/repair-orders.ts';
import { type RepairOrder, toRepairOrder } from '../src/repair-order/order.ts';

export class Shop {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  private readonly loadtest: string;

  private constructor(url: string, email: string, password: string, loadtest: string) {
    this.url = url;
    this.email = email;
    this.password = password;
    this.loadtest = loadtest;
  }

  static fromEnvironment(): Shop {
    return new Shop(
      requiredSetting('BENCH_URL'),
      requiredSetting('LOADTEST_EMAIL'),
      requiredSetting('LOADTEST_PASSWORD'),
      requiredSetting('BENCH_LOADTEST'),
    );
  }

  /** Changes status and priority of open orders, evenly paced. One reader beside the desk checks the stream. */
  async change(changes: number, rate: number): Promise<void> {
    const options = ['--readers', '1', '--writers', '8', '--changes', `${changes}`, '--rate', `${rate}`];
    const child = spawn(this.loadtest, ['fanout', '--url', this.url, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const code = await new Promise((ended, failed) => child.once('close', ended).once('error', failed));
    if (code !== 0) throw new Error(`loadtest fanout ended with ${code}:\n${output}`);
  }

  async turnStagesOn(): Promise<void> {
    await this.call('/api/stages', {
      method: 'PUT',
      headers: { ...(await this.authorised()), 'Content-Type': 'application/json' },
      body: JSON.stringify({ enabled: true }),
    });
  }

  /** The list as a desk displays it. */
  async orders(): Promise<RepairOrder[]> {
    const rows = await this.call<Row[]>('/api/repair-orders', { headers: await this.authorised() });
    const byOrder = new Map<number, [Row, ...Row[]]>();
    for (const row of rows) {
      const existing = byOrder.get(row.repairOrderNumber);
      if (existing === undefined) byOrder.set(row.repairOrderNumber, [row]);
      else existing.push(row);
    }
    return [...byOrder.values()].map(toRepairOrder);
  }

  private async authorised(): Promise<{ Authorization: string }> {
    const signedIn = await this.call<{ idToken: string }>('/api/auth/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: this.email, password: this.password }),
    });
    return { Authorization: `Bearer ${signedIn.idToken}` };
  }

  private async call<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(this.url + path, init);
    const body = (await response.json()) as { result: T };
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
    return body.result;
  }
}

export function requiredSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; make bench-desk sets it`);
  return value;
}
