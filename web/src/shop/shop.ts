// The shop's settings that the server writes into the page, available before anything is fetched.

export interface Shop {
  brandName: string;
  /** IANA name; every time on screen is in it, wherever the reader sits. */
  timeZone: string;
  /** The address for 'Contact support'; empty: the mail program asks. */
  supportEmail: string;
  /** The name of the OpenID Connect provider that users may sign in with; null: there is none. */
  signInWith: string | null;
  /** Whether the test page of user documents is enabled. */
  testPage: boolean;
  /** Whether nobody can sign in yet: the first owner is made by a link that the server printed. */
  awaitsSetUp: boolean;
}

export function readShop(document: Document): Shop {
  const parsed = parseShop(
    document.querySelector('meta[name="dispatch-shop"]')?.getAttribute('content') ?? '',
  );
  return {
    brandName: nonEmptyString(parsed.brandName) ?? 'the product',
    timeZone: validTimeZone(parsed.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    supportEmail: nonEmptyString(parsed.supportEmail) ?? '',
    signInWith: nonEmptyString(parsed.signInWith),
    testPage: parsed.testPage === true,
    awaitsSetUp: parsed.awaitsSetUp === true,
  };
}

function parseShop(json: string): Record<string, unknown> {
  if (json.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function validTimeZone(value: unknown): string | null {
  const name = nonEmptyString(value);
  if (name === null) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    // This browser does not know the zone: its own zone is better than a blank screen.
    return null;
  }
}

export const shop: Shop = readShop(document);
