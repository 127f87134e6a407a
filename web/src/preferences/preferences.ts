// What a user has chosen and finds again on every screen they sign in at. The page shows this device's copy until the
// server has answered. A choice counts at once; it is sent until the server has it, after a reload and without a
// connection, too.
import { MutationObserver, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/http.ts';
import { changePreferences, fetchPreferences, type Preferences } from '../api/preferences.ts';
import { sessionState } from '../api/session.ts';
import { type Choices, currentPreferences, localCopy, readLocalCopy, writeLocalCopy } from './local-copy.ts';

/** For so long a page does not ask again. */
const STALE_TIME_MS = 12 * 3_600_000;
const MIN_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 60_000;

const preferencesKey = (uid: string) => ['preferences', uid] as const;

export function preferencesOf(uid: string) {
  return queryOptions({
    queryKey: preferencesKey(uid),
    queryFn: async ({ signal, client }) => {
      const saved = await fetchPreferences(signal);
      const copy = { ...localCopy(uid), saved };
      writeLocalCopy(uid, copy);
      sendUnsent(client, uid);
      return currentPreferences(copy);
    },
    initialData: (): Preferences | undefined => {
      const copy = readLocalCopy(uid);
      return copy === null ? undefined : currentPreferences(copy);
    },
    // This device's copy is shown, and the server asked.
    initialDataUpdatedAt: 0,
    staleTime: STALE_TIME_MS,
  });
}

/** An answer that is still on its way changes nothing any more: somebody works with what is on screen. */
export function stopLoadingPreferences(client: QueryClient, uid: string): void {
  const queryKey = preferencesKey(uid);
  if (client.getQueryState(queryKey)?.fetchStatus !== 'fetching') return;
  void client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, currentPreferences(localCopy(uid)));
}

/** Keeps these choices beside the others. */
export function keepPreferences(client: QueryClient, uid: string, choices: Choices): void {
  const { saved, unsent } = localCopy(uid);
  writeLocalCopy(uid, { saved, unsent: { ...unsent, ...choices } });
  const queryKey = preferencesKey(uid);
  const shown = client.getQueryData<Preferences>(queryKey);
  void client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, { ...shown, ...choices });
  sendUnsent(client, uid);
}

function sendUnsent(client: QueryClient, uid: string): void {
  if (Object.keys(localCopy(uid).unsent).length === 0) return;
  const sending = new MutationObserver(client, {
    mutationKey: preferencesKey(uid),
    // One after the other: the next sends what was chosen meanwhile, if anything.
    scope: { id: preferencesKey(uid).join(' ') },
    mutationFn: () => send(uid),
    retry: (_, failure) => isTemporary(failure),
    retryDelay: (count) => Math.min(MIN_RETRY_DELAY_MS * 2 ** count, MAX_RETRY_DELAY_MS),
  });
  sending.mutate().catch((failure: unknown) => {
    console.warn('The preferences are kept on this device, and sent when the page is opened again.', failure);
  });
}

/** Until the server has everything. Choices of other screens are kept, unless they are about the same. */
async function send(uid: string): Promise<void> {
  for (;;) {
    const { saved, unsent } = localCopy(uid);
    if (!isSignedIn(uid) || Object.keys(unsent).length === 0) return;
    const answer = await changePreferences(saved.version, { ...saved.value, ...unsent });
    if (!isSignedIn(uid)) return;
    if (answer === null) {
      const saved = await fetchPreferences();
      if (!writeLocalCopy(uid, { ...localCopy(uid), saved })) return;
    } else {
      // A choice made while this was on its way is still to be sent.
      const rest = Object.entries(localCopy(uid).unsent).filter(([name, value]) => value !== unsent[name]);
      if (!writeLocalCopy(uid, { saved: answer, unsent: Object.fromEntries(rest) })) return;
    }
  }
}

/** Another user's session must not carry these choices. */
function isSignedIn(uid: string): boolean {
  const session = sessionState();
  return session.status === 'signed-in' && session.user.uid === uid;
}

function isTemporary(failure: unknown): boolean {
  return (
    failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 500)
  );
}
