// A push service for tests, and the browser's side of it: a headless Chromium cannot subscribe, so the test makes the
// subscription and decrypts the messages (RFC 8291, aes128gcm).
import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';

const RECORD_HEADER = 21;

export class PushService {
  private readonly server: Server;
  private readonly keys: ECDH = createECDH('prime256v1');
  private readonly auth = randomBytes(16);
  private readonly pushed: string[] = [];
  private waiting: ((text: string) => void)[] = [];

  private constructor() {
    this.keys.generateKeys();
    this.server = createServer((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        answer.writeHead(201).end();
        const text = this.open(Buffer.concat(parts));
        const next = this.waiting.shift();
        if (next === undefined) this.pushed.push(text);
        else next(text);
      });
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((done) => service.server.listen(0, '127.0.0.1', done));
    return service;
  }

  get origin(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the push service is closed');
    return `http://127.0.0.1:${address.port}`;
  }

  /** As a browser would hand it to its page. */
  get subscription(): { endpoint: string; keys: { p256dh: string; auth: string } } {
    return {
      endpoint: `${this.origin}/push/one`,
      keys: {
        p256dh: this.keys.getPublicKey().toString('base64url'),
        auth: this.auth.toString('base64url'),
      },
    };
  }

  /** The next message about that order, as the browser hands it to the service worker. */
  async nextAbout(roNumber: number): Promise<string> {
    for (;;) {
      const text = await this.next();
      if (JSON.parse(text).roNumber === roNumber) return text;
    }
  }

  private next(): Promise<string> {
    const text = this.pushed.shift();
    if (text !== undefined) return Promise.resolve(text);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private open(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const idLength = body[20] ?? 0;
    const sender = body.subarray(RECORD_HEADER, RECORD_HEADER + idLength);
    const sealed = body.subarray(RECORD_HEADER + idLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.keys.getPublicKey(), sender]);
    const key = expand(extract(this.auth, this.keys.computeSecret(sender)), info, 32);
    const record = extract(salt, key);
    const decipher = createDecipheriv(
      'aes-128-gcm',
      expand(record, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
      expand(record, Buffer.from('Content-Encoding: nonce\0'), 12),
    );
    decipher.setAuthTag(sealed.subarray(-16));
    const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // The last record ends with 2, and zeros after it.
    return opened.subarray(0, opened.lastIndexOf(2)).toString();
  }
}

function extract(salt: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', salt).update(secret).digest();
}

function expand(key: Buffer, info: Buffer, length: number): Buffer {
  return createHmac('sha256', key)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);
}
