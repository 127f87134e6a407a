// The answers that a page's start waits for, asked for by a small script (start.ts) while the page's own is still on its
// way. Whoever needs one takes it, and asks the server where there is none.
import { sessionHttp } from './http.ts';
import { isSignOutPending, SESSION_CHANNEL, sendRenewal, withRenewalLock } from './renewal.ts';
import type { components } from './schema.ts';

type User = components['schemas']['UserView'];
type Renewal = ReturnType<typeof sendRenewal>;
type List = ReturnType<typeof fetchList>;

let renewal: Renewal | null = null;
let list: List | null = null;
let otherTabs: BroadcastChannel | null = null;
let arrival: Promise<unknown> = Promise.resolve();

/** Renews the session, and loads the list of orders for a user who wants it. */
export function askEarly(wantsList: (user: User) => boolean): void {
  if (isSignOutPending()) return;
  const asked = withRenewalLock(() => sendRenewal());
  renewal = asked;
  list = asked
    .then(({ data }) =>
      data !== undefined && wantsList(data.result.user) ? fetchList(data.result.idToken) : null,
    )
    // Whoever needs it asks again, and hears why there is none.
    .catch(() => null);
  // Without its value, which would be kept for as long as the page is open.
  arrival = list.then(() => undefined);
  // Somebody signs in or out in another tab: what was asked is about a session that is over.
  if (typeof BroadcastChannel === 'undefined') return;
  otherTabs = new BroadcastChannel(SESSION_CHANNEL);
  otherTabs.onmessage = forgetEarlyAnswers;
}

/** Resolves when everything that was asked for has come, or will not come. */
export function earlyAnswersArrived(): Promise<unknown> {
  return arrival;
}

export function forgetEarlyAnswers(): void {
  renewal = null;
  list = null;
  otherTabs?.close();
}

export function takeEarlyRenewal(): Renewal | null {
  const taken = renewal;
  renewal = null;
  return taken;
}

/** Null where it was not asked for, or did not come. */
export async function takeEarlyList(): List {
  const taken = list;
  list = null;
  return taken;
}

async function fetchList(token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return (await sessionHttp.GET('/api/repair-orders', { headers })).data ?? null;
}
