// An SMTP server for tests, whose mail can be read.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const MAIL_TIMEOUT_MS = 60_000;

export class MailServer {
  private readonly server: SMTPServer;
  private readonly messages: Email[] = [];
  private waiters: () => void = () => {};

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          this.messages.push(await PostalMime.parse(Buffer.concat(chunks)));
          this.waiters();
          done();
        });
      },
    });
  }

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    await new Promise<void>((ready) => mail.server.listen(0, '127.0.0.1', ready));
    return mail;
  }

  /** As `--smtp-url` takes it. */
  get url(): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  /** Waits for the next message to this address, and removes it. */
  async messageTo(email: string): Promise<Email> {
    const timeout = AbortSignal.timeout(MAIL_TIMEOUT_MS);
    for (;;) {
      const at = this.messages.findIndex((message) => message.to?.some((to) => to.address === email));
      const [message] = at < 0 ? [] : this.messages.splice(at, 1);
      if (message !== undefined) return message;
      await new Promise<void>((next, failed) => {
        this.waiters = next;
        timeout.addEventListener('abort', () => failed(new Error(`No letter came to ${email}`)));
      });
    }
  }

  async stop(): Promise<void> {
    await new Promise<void>((stopped) => this.server.close(stopped));
  }
}

/** The only link in the message. */
export function linkIn(message: Email): string {
  const link = /^https?:\/\/\S+$/m.exec(message.text ?? '')?.[0];
  if (link === undefined) throw new Error(`No link in: ${message.text}`);
  return link;
}
