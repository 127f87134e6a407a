// The mails of a server without an SMTP server: files in its data directory.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Dispatch } from './dispatch.ts';

const LINK = /https?:\/\/\S+#token=[\w.~-]+(?:&invitation=1)?/;

export class Mailbox {
  private readonly folder: string;
  /** By address, how many of its mails were read. */
  private readonly readCounts = new Map<string, number>();

  constructor({ dataDir }: Dispatch) {
    this.folder = join(dataDir, 'mail');
  }

  /** Waits for the next mail to this address, and returns the path and fragment of its link. */
  async nextLink(email: string): Promise<string> {
    const before = this.readCounts.get(email) ?? 0;
    await expect.poll(() => this.count(email), { message: `mails to ${email}` }).toBeGreaterThan(before);
    this.readCounts.set(email, before + 1);
    const mail = this.mailsTo(email)[before] ?? '';
    const link = LINK.exec(mail)?.[0];
    if (link === undefined) throw new Error(`no link in the mail to ${email}:\n${mail}`);
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  }

  /** The number of mails to this address. */
  count(email: string): number {
    return this.mailsTo(email).length;
  }

  /** The oldest first, as their names have it. */
  private mailsTo(email: string): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .map((name) => readFileSync(join(this.folder, name), 'utf8'))
      .filter((mail) => (/^To:.*$/im.exec(mail)?.[0] ?? '').toLowerCase().includes(email))
      .map(decoded);
  }
}

/** A long line is folded, and `=` is written `=3D`, where the mail is quoted-printable. */
function decoded(mail: string): string {
  if (!/^Content-Transfer-Encoding:\s*quoted-printable/im.test(mail)) return mail;
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
