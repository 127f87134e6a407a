// The shop's settings that the server writes into the page, available before anything is fetched.
import { pageFile } from '../api/http.ts';

export interface Shop {
  brandName: string;
  /** IANA name; every time on screen is in it, wherever the reader sits. */
  timeZone: string;
  /** The address for 'Contact support'; empty: there is none, and owners help. */
  supportEmail: string;
  /** The name of the OpenID Connect provider that users may sign in with; null: there is none. */
  signInWith: string | null;
  /** Whether the test page of user documents is enabled. */
  testPage: boolean;
  /** Whether nobody can sign in yet: the first owner is made by a link that the server printed. */
  awaitsSetUp: boolean;
}

const SETTINGS = 'meta[name="dispatch-shop"]';

export function readShop(document: Document): Shop {
  const parsed = parseShop(document.querySelector(SETTINGS)?.getAttribute('content') ?? '');
  return {
    brandName: nonEmptyString(parsed.brandName) ?? 'the product',
    timeZone: validTimeZone(parsed.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    supportEmail: nonEmptyString(parsed.supportEmail) ?? '',
    signInWith: nonEmptyString(parsed.signInWith),
    testPage: parsed.testPage === true,
    awaitsSetUp: parsed.awaitsSetUp === true,
  };
}

/** As the server has them now. */
export async function fetchShop(signal?: AbortSignal): Promise<Shop> {
  const page = new DOMParser().parseFromString(await pageFile('/', signal), 'text/html');
  if (page.querySelector(SETTINGS) === null) throw new Error('Something else answered for the server.');
  return readShop(page);
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
