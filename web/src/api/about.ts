// What the product says of itself, and the notices of what it is made of.
import { http, pageFile, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type About = components['schemas']['About'];

/** Where the notices are, as a file that `make notices` writes. */
export const NOTICES_FILE = '/third-party-notices.txt';

export async function fetchAbout(signal?: AbortSignal): Promise<About> {
  return (await unwrapAnswer(http.GET('/api/about', { signal }))).result;
}

export function fetchNotices(signal?: AbortSignal): Promise<string> {
  return pageFile(NOTICES_FILE, signal);
}
