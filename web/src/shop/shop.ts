// What the server says about the shop in the page itself, before anything is fetched.

export interface Shop {
  brandName: string;
  /** IANA name; every time on screen is in it, wherever the reader sits. */
  timeZone: string;
  /** Whom 'Contact support' writes to; empty: the mail program asks. */
  supportEmail: string;
  /** The name of the OpenID Connect provider that users may sign in with; null: there is none. */
  signInWith: string | null;
  /** The debug page of user documents is there. */
  testPage: boolean;
}

export function readShop(document: Document): Shop {
  const parsed = parse(document.querySelector('meta[name="dispatch-shop"]')?.getAttribute('content') ?? '');
  return {
    brandName: text(parsed.brandName) ?? 'the product',
    timeZone: zone(parsed.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    supportEmail: text(parsed.supportEmail) ?? '',
    signInWith: text(parsed.signInWith),
    testPage: parsed.testPage === true,
  };
}

function parse(json: string): Record<string, unknown> {
  if (json.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function zone(value: unknown): string | null {
  const name = text(value);
  if (name === null) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    // A zone this browser does not know: its own is nearer the truth than a blank screen.
    return null;
  }
}

export const shop: Shop = readShop(document);
