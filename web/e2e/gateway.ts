// A proxy between the desks and the server that can forbid WebSockets, drop connections, and lose, hold or rewrite
// traffic.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Selects requests. */
type RequestFilter = (method: string, path: string) => boolean;

/** How requests for a WebSocket are handled. */
export type Upgrades = 'passed' | 'refused';

/** Rewrites a text. */
type Rewrite = (path: string, text: string) => string;

export class Gateway {
  private readonly server: Server;
  private readonly open = new Set<Duplex>();
  private readonly streams = new Set<Duplex>();
  /** Each request has a connection of its own: the server may close an idle one just when it is used again. */
  private readonly agent = new Agent({ keepAlive: false });
  private disconnected = false;
  private lost: RequestFilter | null = null;
  private unanswered: RequestFilter | null = null;
  private rewritten: Rewrite | null = null;
  private heldRequests: { which: RequestFilter; waiting: (() => void)[] } | null = null;
  private streamCut = false;
  private silent = false;
  /** The number of WebSockets that were passed on. */
  upgraded = 0;
  /** The number of long-polling answers. */
  polled = 0;

  private constructor(target: URL, upgrades: Upgrades) {
    const to = { host: target.hostname, port: Number(target.port) };
    this.server = createServer((incoming, answer) => {
      const { method = '', url: path = '', headers } = incoming;
      // What is compressed cannot be rewritten.
      if (this.rewritten !== null) delete headers['accept-encoding'];
      if (this.lost?.(method, path) || (this.streamCut && path.startsWith('/ws'))) {
        incoming.socket.destroy();
        return;
      }
      if (this.heldRequests?.which(method, path)) {
        this.heldRequests.waiting.push(() => this.server.emit('request', incoming, answer));
        return;
      }
      const passed = request({ ...to, method, path, headers, agent: this.agent }, (received) => {
        if (this.unanswered?.(method, path)) {
          incoming.socket.destroy();
          return;
        }
        if (this.rewritten === null || path.startsWith('/api/')) {
          answer.writeHead(received.statusCode ?? 502, received.headers);
          received.pipe(answer);
        } else {
          void rewrite(received, answer, path, this.rewritten);
        }
        if (path.includes('transport=polling')) this.polled++;
      });
      passed.on('socket', (socket: Socket) => this.remember(socket));
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      incoming.pipe(passed);
    });
    this.server.on('connection', (socket: Socket) => {
      if (this.disconnected) socket.destroy();
      else this.remember(socket);
    });
    this.server.on('upgrade', (incoming, client, first) => {
      if (this.streamCut) {
        client.destroy();
        return;
      }
      if (upgrades === 'refused') {
        client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      this.upgraded++;
      const server = connect(to, () => {
        const head = [`GET ${incoming.url} HTTP/1.1`];
        for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
          head.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
        }
        server.write(`${head.join('\r\n')}\r\n\r\n`);
        server.write(first);
        server.on('data', (bytes: Buffer) => {
          if (!this.silent) client.write(bytes);
        });
        client.on('data', (bytes: Buffer) => {
          if (!this.silent) server.write(bytes);
        });
        server.on('end', () => client.end());
        client.on('end', () => server.end());
      });
      this.streams.add(client);
      client.on('close', () => this.streams.delete(client));
      this.remember(server);
      server.on('close', () => client.destroy());
      client.on('close', () => server.destroy());
    });
  }

  /** Starts a gateway in front of the server at that address. */
  static async before(address: string, upgrades: Upgrades): Promise<Gateway> {
    const gateway = new Gateway(new URL(address), upgrades);
    await new Promise<void>((done) => gateway.server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the gateway is closed');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Breaks all connections, and lets none through. */
  disconnect(): void {
    this.disconnected = true;
    for (const socket of this.open) socket.destroy();
  }

  reconnect(): void {
    this.disconnected = false;
  }

  /** Breaks the live stream for good; calls still pass. */
  cutStream(): void {
    this.streamCut = true;
    for (const stream of this.streams) stream.destroy();
  }

  restoreStream(): void {
    this.streamCut = false;
  }

  /** Keeps the streams open but silent. */
  silenceStream(): void {
    this.silent = true;
  }

  /** Lets the streams send again; lost messages stay lost. */
  unsilenceStream(): void {
    this.silent = false;
  }

  /** Drops matching requests. */
  lose(which: RequestFilter): void {
    this.lost = which;
  }

  /** Passes matching requests and drops their answers. */
  loseAnswers(which: RequestFilter): void {
    this.unanswered = which;
  }

  deliverAll(): void {
    this.lost = null;
    this.unanswered = null;
  }

  /** Holds matching requests until `release`. */
  hold(which: RequestFilter): void {
    this.heldRequests = { which, waiting: [] };
  }

  release(): void {
    const waiting = this.heldRequests?.waiting ?? [];
    this.heldRequests = null;
    for (const pass of waiting) pass();
  }

  /** Rewrites pages and scripts, as if another build had been deployed. */
  rewrite(rewriting: Rewrite): void {
    this.rewritten = rewriting;
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.disconnect();
    this.agent.destroy();
    await closed;
  }

  private remember(socket: Socket): void {
    if (this.open.has(socket)) return;
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket));
    // Broken connections are expected here.
    socket.on('error', () => socket.destroy());
  }
}

async function rewrite(
  received: IncomingMessage,
  answer: ServerResponse,
  path: string,
  rewriting: Rewrite,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of received) parts.push(part);
  const body = Buffer.concat(parts);
  const { 'content-length': _, ...headers } = received.headers;
  const isText = /html|javascript/.test(headers['content-type'] ?? '');
  answer.writeHead(received.statusCode ?? 502, headers);
  answer.end(isText ? rewriting(path, body.toString()) : body);
}
