// A mail server of the test's own: what is sent to it can be read.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const MAIL_WITHIN_MS = 60_000;

export class MailServer {
  private readonly server: SMTPServer;
  private readonly letters: Email[] = [];
  private heard: () => void = () => {};

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, taken) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', async () => {
          this.letters.push(await PostalMime.parse(Buffer.concat(pieces)));
          this.heard();
          taken();
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

  /** The next letter to somebody, which is then taken out. */
  async letterTo(email: string): Promise<Email> {
    const patience = AbortSignal.timeout(MAIL_WITHIN_MS);
    for (;;) {
      const at = this.letters.findIndex((letter) => letter.to?.some((to) => to.address === email));
      const [letter] = at < 0 ? [] : this.letters.splice(at, 1);
      if (letter !== undefined) return letter;
      await new Promise<void>((next, failed) => {
        this.heard = next;
        patience.addEventListener('abort', () => failed(new Error(`No letter came to ${email}`)));
      });
    }
  }

  async stop(): Promise<void> {
    await new Promise<void>((stopped) => this.server.close(stopped));
  }
}

/** The letter's one link. */
export function linkOf(letter: Email): string {
  const link = /^https?:\/\/\S+$/m.exec(letter.text ?? '')?.[0];
  if (link === undefined) throw new Error(`No link in: ${letter.text}`);
  return link;
}
