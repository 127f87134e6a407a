// Keeps the picture of the repair orders in the query cache live: loads the list, lands what the socket brings,
// and loads again when the event numbers show that something was missed. `landRo` is the one way in for rows.
import {
  CancelledError,
  hashKey,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/http.ts';
import { fetchRows, listRepairOrders } from '../api/repair-orders.ts';
import { freshToken, renew, staffChanged } from '../api/session.ts';
import { openSocket, type RoModified } from '../api/socket.ts';
import { i18n } from '../i18n/i18n.ts';
import { sentence } from '../i18n/sentence.ts';
import { showToast } from '../ui/toaster.ts';
import {
  connectionLost,
  listFailed,
  listFailure,
  listLoaded,
  messageHeard,
  pulseHeard,
  socketStarted,
} from './freshness.ts';
import { type Gathering, gather } from './gathering.ts';
import { followHints } from './hints.ts';
import { type Author, emptyPicture, type Landing, landList, landOrders, type Picture } from './picture.ts';
import { pollNewOrders } from './polling.ts';
import { presenceBegins, presenceHeard, presenceUnknown } from './presence.ts';
import { heard, isAnotherLog, isBehind, listed, newStream, pulsed, type Stream } from './stream.ts';

const KEY = ['repair-orders'];

/** All open repair orders. Loaded once; from then on the socket keeps them. */
export const openOrders = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client, signal }) => {
    const list = await listRepairOrders(signal);
    return landList(pictureOf(client), list, Date.now());
  },
  // A message may land before the first list does; the list is still wanted then.
  staleTime: ({ state }) =>
    state.data !== undefined && state.data.listSeq >= 0 ? Number.POSITIVE_INFINITY : 0,
  gcTime: Number.POSITIVE_INFINITY,
  // Unchanged orders keep their identity already; comparing maps deeply would be for nothing.
  structuralSharing: false,
});

export function pictureOf(client: QueryClient): Picture {
  return client.getQueryData<Picture>(KEY) ?? emptyPicture;
}

/** Live messages on their way into the picture. */
const gatherings = new WeakMap<QueryClient, Gathering<Landing>>();

/** The one landing for what is said about an order, whatever brought it: a message, an answer, a fetch. */
export function landRo(client: QueryClient, landing: Landing): void {
  // What was heard before this comes first.
  gatherings.get(client)?.flush();
  land(client, [landing]);
}

function land(client: QueryClient, landings: readonly Landing[]): void {
  const before = pictureOf(client);
  const after = landOrders(before, landings, Date.now());
  if (after !== before) client.setQueryData(KEY, after);
}

/** Loads the list, or waits for the load that is under way. */
function loadList(client: QueryClient): Promise<Picture> {
  return client.fetchQuery({ ...openOrders, staleTime: 0 });
}

/** Opens the socket for as long as the signed-in screens are up. */
export function useLiveOrders(): void {
  const client = useQueryClient();
  useEffect(() => keepLive(client), [client]);
}

function keepLive(client: QueryClient): () => void {
  let stream: Stream = newStream;
  let catchingUp = false;
  let wasClosed = false;
  // Only what has landed counts as heard.
  const messages = gather<Landing>((landings) => {
    land(client, landings);
    for (const { seq } of landings) stream = heard(stream, seq);
  });
  gatherings.set(client, messages);

  /** Loads the list until it reaches the gap. A failed load is tried again at the next tick. */
  const catchUp = async () => {
    if (catchingUp) return;
    catchingUp = true;
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        if (!isBehind(stream) && listFailure() === null) return;
        // A load under way began before the gap was known: wait for it, then see whether it reached far enough.
        await loadList(client);
      }
    } catch (failure) {
      // `watchLoads` took note of it, and the screen shows it.
      console.warn('The list could not be loaded.', failure);
    } finally {
      catchingUp = false;
    }
  };

  const pulse = (seq: number) => {
    // It follows the messages, and speaks of them.
    messages.flush();
    stream = pulsed(listed(stream, pictureOf(client).listSeq), seq);
    pulseHeard(isBehind(stream));
    void catchUp();
  };

  socketStarted();
  const stopWatching = watchLoads(client, {
    loaded: () => {
      stream = listed(stream, pictureOf(client).listSeq);
      listLoaded(isBehind(stream));
    },
    failed: listFailed,
  });
  const hints = followHints((roNumber) =>
    // Not counted as heard: should the fetch of a numbered message fail, the next tick finds the gap.
    fetchOrder(client, roNumber).catch((failure: unknown) => {
      console.error(`Repair order ${roNumber} could not be fetched.`, failure);
      const text = i18n.t('toast.updateFailed');
      showToast({ tone: 'destructive', text, detail: sentence(failure, i18n.t) });
    }),
  );
  const stopPolling = pollNewOrders({
    picture: () => pictureOf(client),
    land: (roNumber, rows, seq) => landRo(client, { roNumber, rows, version: 0, seq }),
    loadAll: () => loadList(client),
  });
  const close = openSocket(
    {
      hello: ({ seq }) => {
        messages.flush();
        if (isAnotherLog(stream, seq)) {
          // Neither versions nor numbers of before mean anything there.
          client.setQueryData(KEY, emptyPicture);
          stream = newStream;
        }
        presenceBegins();
        pulse(seq);
        // What happened to staff records in the meantime is not replayed.
        if (wasClosed) staffChanged();
        wasClosed = false;
      },
      tick: ({ seq }) => pulse(seq),
      modified: (message) => {
        if (isWhole(message)) {
          messages.add({ ...message, by: authorOf(message) });
          hints.landed(message.roNumber);
        } else {
          hints.hinted(message.roNumber);
        }
      },
      presence: ({ roNumber, people }) => presenceHeard(roNumber, people),
      staffChanged,
      heard: messageHeard,
      closed: () => {
        wasClosed = true;
        connectionLost();
        presenceUnknown();
      },
    },
    { freshToken, renew },
  );
  return () => {
    close();
    stopPolling();
    messages.stop();
    gatherings.delete(client);
    hints.stop();
    stopWatching();
    connectionLost();
  };
}

/**
 * Tells of every load of the list, whoever asked for it: the first drawing, the catching up, the retry button.
 * The query's own error will not do: each row that lands wipes it, while the gap is still open.
 */
function watchLoads(
  client: QueryClient,
  told: { loaded(): void; failed(failure: unknown): void },
): () => void {
  const hash = hashKey(KEY);
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryHash !== hash) return;
    const { action } = event;
    if (action.type === 'success' && action.manual !== true) told.loaded();
    if (action.type === 'error' && !(action.error instanceof CancelledError)) told.failed(action.error);
  });
}

function isWhole(message: RoModified): message is Required<RoModified> {
  return message.rows !== undefined && message.version !== undefined && message.seq !== undefined;
}

function authorOf({ by, timestamp, version, rows }: Required<RoModified>): Author | undefined {
  // The rows of a replay are newer than the message: somebody else may have made them what they are.
  const isOfRows = rows.every((row) => row.version === version);
  return isOfRows ? { person: by, at: Date.parse(timestamp) } : undefined;
}

/** For a message that came without rows. */
async function fetchOrder(client: QueryClient, roNumber: number): Promise<void> {
  try {
    const { rows, seq } = await fetchRows(roNumber);
    landRo(client, { roNumber, rows, version: 0, seq });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'unknown-repair-order') throw failure;
    // Gone, and nobody said at which version: the list knows.
    if (pictureOf(client).open.has(roNumber)) await loadList(client);
  }
}
