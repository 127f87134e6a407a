// The server's data to compare with a desk, fetched with a session of its own.
import { type APIRequestContext, request } from '@playwright/test';
import { PASSWORD } from './desk.ts';

export interface ApiRow {
  repairOrderNumber: number;
  /** The dealer system's text, where it is not just the number. */
  displayNumber?: string | null;
  priorityName: string;
  customerStatus: string;
  appCustomerStatus: string | null;
  regularIdTechnician: number | null;
  regularTechFullName: string | null;
  ETLIdTechnician: number | null;
  ETLTechFullName: string | null;
}

export interface ApiTechnician {
  idTechnician: number;
  displayName: string;
  specialty: string;
}

interface ApiReceipt {
  roNumber: number;
  technicianId: number;
  seenAt: string | null;
  acceptedAt: string | null;
  reason: string | null;
}

interface ApiJob {
  jobNumber: number;
  cause: string;
  briefTechNotes: string;
}

export class Api {
  private readonly context: APIRequestContext;

  private constructor(context: APIRequestContext) {
    this.context = context;
  }

  static async signIn(url: string, email: string): Promise<Api> {
    const loginContext = await request.newContext();
    const data = { email, password: PASSWORD };
    const answer = await (await loginContext.post(`${url}/api/auth/sign-in`, { data })).json();
    await loginContext.dispose();
    const extraHTTPHeaders = {
      authorization: `Bearer ${answer.result.idToken}`,
      // A connection that was kept may be closed by the server at the moment when the next request takes it.
      connection: 'close',
    };
    return new Api(await request.newContext({ baseURL: url, extraHTTPHeaders }));
  }

  /** Of each open order its rows: one a technician. */
  async orders(): Promise<ApiRow[][]> {
    const orders = new Map<number, ApiRow[]>();
    for (const row of await this.get<ApiRow[]>('/api/repair-orders')) {
      const existing = orders.get(row.repairOrderNumber);
      if (existing === undefined) orders.set(row.repairOrderNumber, [row]);
      else existing.push(row);
    }
    return [...orders.values()];
  }

  technicians(): Promise<ApiTechnician[]> {
    return this.get('/api/repair-orders/technicians');
  }

  /** The ranked technicians for an order. */
  candidates(roNumber: string): Promise<ApiTechnician[]> {
    return this.get(`/api/repair-orders/candidates?roNumbers=${roNumber}`);
  }

  /** The number of the skill of that name. */
  async skill(name: string): Promise<number> {
    const skills = await this.get<{ idSkill: number; skillName: string }[]>('/api/repair-orders/skills');
    const found = skills.find(({ skillName }) => skillName === name);
    if (found === undefined) throw new Error(`there is no skill ${name}`);
    return found.idSkill;
  }

  /** The newest receipt of that technician and order. */
  async receipt(idTechnician: number, roNumber: number): Promise<ApiReceipt | undefined> {
    const { receipts } = await this.get<{ receipts: ApiReceipt[] }>('/api/assignments');
    return receipts.find((one) => one.technicianId === idTechnician && one.roNumber === roNumber);
  }

  /** A technician's open orders, as the server sorts them. */
  async ordersOf(idTechnician: number): Promise<number[]> {
    const { assignments } = await this.get<{ assignments: ApiRow[] }>(`/api/technicians/${idTechnician}`);
    return assignments.map((row) => row.repairOrderNumber);
  }

  /** A job's cause and notes. */
  async jobText(roNumber: number, jobNumber: number): Promise<string[]> {
    const { jobs } = await this.get<{ jobs: ApiJob[] }>(`/api/repair-orders/${roNumber}`);
    const job = jobs.find((one) => one.jobNumber === jobNumber);
    return [job?.cause ?? '', job?.briefTechNotes ?? ''];
  }

  post(path: string, data: object): Promise<void> {
    return this.send('POST', path, data);
  }

  async send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, data?: object): Promise<void> {
    const answer = await this.context.fetch(path, { method, data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  }

  /** The answer to a POST that reads data. */
  async ask<T>(path: string, data: object): Promise<T> {
    const answer = await this.context.post(path, { data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()).result;
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.context.get(path);
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()).result;
  }
}

/** A file for `importFile('*.json', ...)`. Missing fields get default values. */
export function orderFile(...orders: ({ repairOrderNumber: number } & Record<string, unknown>)[]): string {
  const any = {
    vehicleVIN: '1HGCM82633A004352',
    vehicle: '2003 Honda Accord EX',
    customer: 'LOVELACE,ADA',
    advisor: 'Dana Whitfield',
    createDateTime: new Date().toISOString(),
    customerStatus: 'Drop',
    jobs: [],
  };
  return JSON.stringify(orders.map((order) => ({ ...any, ...order })));
}
