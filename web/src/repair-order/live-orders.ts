// Keeps the repair orders in the query cache live: loads the list, lands the socket's messages, and loads again when
// the event numbers show that something was missed. `landRo` is the only way in for rows.
import {
  CancelledError,
  hashKey,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { noteEventLogReset, onEventLogReset } from '../api/event-log-reset.ts';
import { ApiError, EVENT_LOG_RESET } from '../api/http.ts';
import { fetchRows, fetchTechnicianRows, listRepairOrders, type Row } from '../api/repair-orders.ts';
import { toServerStatus } from '../api/server-status.ts';
import { freshToken, refreshPermissions, renewToken } from '../api/session.ts';
import { openSocket, type RoModified } from '../api/socket.ts';
import type { StreamState } from '../api/stream-state.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toaster.ts';
import { type Batcher, createBatcher } from './batching.ts';
import { followHints } from './change-hints.ts';
import {
  type EventTracker,
  isBehind,
  newEventTracker,
  withEvent,
  withList,
  withServerSeq,
} from './event-tracker.ts';
import {
  currentFreshness,
  listFailure,
  noteConnectionLost,
  noteListFailed,
  noteListLoaded,
  noteMessage,
  noteSocketStart,
  noteStreamState,
} from './freshness.ts';
import {
  type Author,
  emptyOrderCache,
  isAnotherGeneration,
  type Landing,
  landList,
  landOrders,
  type OrderCache,
  type OrderList,
} from './order-cache.ts';
import { pollList, pollNewOrders } from './polling.ts';
import { clearPresence, resetPresence, setPresence } from './presence.ts';

const QUERY_KEY = ['repair-orders'];

/**
 * Whose orders the cache holds: everybody's (null), or those of one technician, assigned by the desk or the DMS.
 */
const watched = new WeakMap<QueryClient, number | null>();

/**
 * The last event number the server announced, and its log; `generation` null: not announced on this connection.
 */
const announced = new WeakMap<QueryClient, { seq: number; generation: string | null }>();

function watchedTechnician(client: QueryClient): number | null {
  return watched.get(client) ?? null;
}

/** All open repair orders in scope. Loaded once; from then on the socket keeps them current. */
export const openOrders = queryOptions({
  queryKey: QUERY_KEY,
  queryFn: async ({ client, signal }) => {
    const technician = watchedTechnician(client);
    const list =
      technician === null ? await listRepairOrders(signal) : await listOf(client, technician, signal);
    // An answer that was requested for another scope does not land in this one.
    if (watchedTechnician(client) !== technician) throw new CancelledError();
    signal.throwIfAborted();
    const current = announced.get(client)?.generation;
    if (isAnotherGeneration(list.generation, current)) throw new CancelledError();
    const generation = list.generation ?? current ?? null;
    if (isAnotherGeneration(generation, cachedOrders(client).generation)) {
      // No connection has announced it yet; an earlier announcement belongs to another log.
      announced.delete(client);
      resetOrders(client, generation, true);
    }
    return landList(cachedOrders(client), { ...list, generation }, Date.now());
  },
  // A message may land before the first list does; the list is still wanted then.
  staleTime: ({ state }) =>
    state.data !== undefined && state.data.listSeq >= 0 ? Number.POSITIVE_INFINITY : 0,
  gcTime: Number.POSITIVE_INFINITY,
  // Unchanged orders keep their identity already; comparing maps deeply would be for nothing.
  structuralSharing: false,
});

/** The technician that a list of one technician's orders names. */
export interface Technician {
  fullName: string;
  specialty: string;
}

/** The query key of the technician. Null: there is no such technician. */
export const technicianKey = (technician: number) => ['technician', technician];

/** The first parts of the query keys that each list fills: the next list replaces their data. */
const LIST_QUERY_KEYS: readonly unknown[] = [QUERY_KEY[0], 'technician'];

/** The orders of one technician; the same answer says who the technician is. */
async function listOf(client: QueryClient, technician: number, signal: AbortSignal): Promise<OrderList> {
  try {
    const { rows, seq, generation, ...profile } = await fetchTechnicianRows(technician, signal);
    client.setQueryData<Technician>(technicianKey(technician), profile);
    return { rows, seq, generation };
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'unknown-technician') throw failure;
    // An unknown technician is an answer, too: an empty list up to the announced event.
    client.setQueryData<null>(technicianKey(technician), null);
    return { rows: [], seq: announced.get(client)?.seq ?? -1 };
  }
}

/** Resets the cache when its scope changes. */
export function watchTechnician(client: QueryClient, technician: number | null): void {
  if (watchedTechnician(client) === technician) return;
  watched.set(client, technician);
  void client.cancelQueries({ queryKey: QUERY_KEY });
  if (client.getQueryData(QUERY_KEY) === undefined) return;
  client.setQueryData(QUERY_KEY, { ...emptyOrderCache, generation: cachedOrders(client).generation });
  void client.prefetchQuery(openOrders);
}

/** Resets the cache: the next list replaces it. `restored`: the shop's data was restored from a backup. */
function resetOrders(client: QueryClient, generation: string | null, restored: boolean): void {
  batchers.get(client)?.flush();
  noteEventLogReset(restored);
  if (client.getQueryData(QUERY_KEY) !== undefined)
    client.setQueryData(QUERY_KEY, { ...emptyOrderCache, generation });
  const others = {
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !LIST_QUERY_KEYS.includes(queryKey[0]),
  };
  client.removeQueries({ ...others, type: 'inactive' });
  void client.invalidateQueries(others);
}

export function cachedOrders(client: QueryClient): OrderCache {
  return client.getQueryData<OrderCache>(QUERY_KEY) ?? emptyOrderCache;
}

/** Live messages that wait for their batch to land. */
const batchers = new WeakMap<QueryClient, Batcher<Landing>>();

/** Lands what a message, an answer or a fetch says about an order. */
export function landRo(client: QueryClient, landing: Landing): void {
  // Messages that arrived before this land first.
  batchers.get(client)?.flush();
  land(client, [landing]);
}

function land(client: QueryClient, landings: readonly Landing[]): void {
  const before = cachedOrders(client);
  const technician = watchedTechnician(client);
  const fitting = technician === null ? landings : landings.map((landing) => asSeenBy(technician, landing));
  const after = landOrders(before, fitting, Date.now());
  if (after !== before) client.setQueryData(QUERY_KEY, after);
}

/** For a technician, an order they are not assigned to is gone, whichever message says so. */
function asSeenBy(technician: number, landing: Landing): Landing {
  const { rows, version } = landing;
  if (rows.some((row) => names(row, technician))) return landing;
  return { ...landing, rows: [], version: Math.max(version, ...rows.map((row) => row.version)) };
}

function names(row: Row, technician: number): boolean {
  return row.regularIdTechnician === technician || row.ETLIdTechnician === technician;
}

/** Successive loads: one that began too early, one that was cancelled, one that is right. */
const MAX_LOADS = 3;

function unlessCancelled(failure: unknown): void {
  if (!(failure instanceof CancelledError)) throw failure;
}

/** For a cache whose list did not name its log. */
function nameGeneration(client: QueryClient, generation: string): void {
  const cache = client.getQueryData<OrderCache>(QUERY_KEY);
  if (cache?.generation === null) client.setQueryData(QUERY_KEY, { ...cache, generation });
}

/** Loads the list, or waits for the load that is under way. */
function loadList(client: QueryClient): Promise<OrderCache> {
  return client.fetchQuery({ ...openOrders, staleTime: 0 });
}

/**
 * Keeps the socket open while the signed-in screens are mounted. `technician`: subscribe to their orders alone.
 */
export function useLiveOrders(technician: number | null = null): void {
  const client = useQueryClient();
  useEffect(() => keepLive(client, technician), [client, technician]);
}

function keepLive(client: QueryClient, technician: number | null): () => void {
  watchTechnician(client, technician);
  let stream: EventTracker = newEventTracker;
  let catchingUp = false;
  let wasClosed = false;
  // Only what has landed counts as heard.
  const messages = createBatcher<Landing>((landings) => {
    land(client, landings);
    for (const { seq } of landings) stream = withEvent(stream, seq);
  });
  batchers.set(client, messages);

  /** Loads the list until it reaches the gap. A failed load is tried again at the next tick. */
  const catchUp = async () => {
    if (catchingUp) return;
    catchingUp = true;
    try {
      for (let attempt = 0; attempt < MAX_LOADS; attempt++) {
        if (!isBehind(stream) && listFailure() === null) return;
        // A load under way began before the gap was known: wait for it, then see whether it reached far enough.
        await loadList(client).catch(unlessCancelled);
      }
    } catch (failure) {
      // `watchLoads` took note of it, and the screen shows it.
      console.warn('The list could not be loaded.', failure);
    } finally {
      catchingUp = false;
    }
  };

  /**
   * The event numbers of one technician are not consecutive. But every event of theirs up to this pulse has arrived:
   * it is queued behind them, and a resumed connection has replayed what it missed.
   */
  const withConfirmed = (now: EventTracker, seq: number): EventTracker =>
    technician === null ? now : withEvent(now, seq);

  const loadAnew = (generation: string | null, restored: boolean) => {
    // Answers under way are from before the reset.
    void client.cancelQueries({ queryKey: QUERY_KEY });
    resetOrders(client, generation, restored);
  };

  /**
   * The server did not find the last received event in its log: a higher version may be one that it never had.
   */
  const startOverUnrecovered = (state: StreamState) => {
    const before = cachedOrders(client).generation;
    const generation = state.generation ?? before;
    const wentBack = state.seq < (announced.get(client)?.seq ?? -1);
    loadAnew(generation, wentBack || isAnotherGeneration(generation, before));
  };

  const handleStreamState = (state: StreamState) => {
    const { seq } = state;
    const { generation, notReadSince } = toServerStatus(state);
    announced.set(client, { seq, generation });
    // The pulse follows the messages it refers to.
    messages.flush();
    if (isAnotherGeneration(generation, cachedOrders(client).generation)) loadAnew(generation, true);
    else if (generation !== null) nameGeneration(client, generation);
    stream = withServerSeq(withList(stream, cachedOrders(client).listSeq), seq);
    noteStreamState(isBehind(stream), notReadSince);
    void catchUp();
  };

  const stopStartOvers = onEventLogReset(() => {
    stream = newEventTracker;
  });

  noteSocketStart();
  const stopWatching = watchLoads(client, {
    loaded: () => {
      stream = withList(stream, cachedOrders(client).listSeq);
      noteListLoaded(isBehind(stream));
    },
    failed: noteListFailed,
  });
  const hints = followHints((roNumber) =>
    // Not counted as received: if the fetch of a numbered message fails, the next tick finds the gap.
    fetchOrder(client, roNumber).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.code === EVENT_LOG_RESET) return;
      console.error(`Repair order ${roNumber} could not be fetched.`, failure);
      const text = i18n.t('toast.updateFailed');
      showToast({ tone: 'destructive', text, detail: errorMessage(failure, i18n.t) });
    }),
  );
  const stopPolling =
    technician === null
      ? pollNewOrders({
          cache: () => cachedOrders(client),
          land: (roNumber, rows, seq) => landRo(client, { roNumber, rows, version: 0, seq }),
          loadAll: () => loadList(client),
        })
      : // Their list is short: all of it, while nothing else brings news.
        pollList({ isWanted: () => currentFreshness().kind !== 'live', load: () => loadList(client) });
  const close = openSocket(
    {
      hello: (state, recovered) => {
        messages.flush();
        if (recovered) stream = withConfirmed(stream, state.seq);
        else if (wasClosed) startOverUnrecovered(state);
        resetPresence();
        handleStreamState(state);
        // What happened to staff records in the meantime is not replayed.
        if (wasClosed) refreshPermissions();
        wasClosed = false;
      },
      tick: (state) => {
        stream = withConfirmed(stream, state.seq);
        handleStreamState(state);
      },
      modified: (message) => {
        if (isWhole(message)) {
          messages.add({ ...message, by: authorOf(message) });
          // An order that is unassigned leaves the technician's list in the same moment.
          if (message.action === 'TECH_UNASSIGNED' && message.techId === technician) messages.flush();
          hints.landed(message.roNumber);
        } else {
          hints.add(message.roNumber);
        }
      },
      presence: ({ roNumber, people }) => setPresence(roNumber, people),
      staffChanged: refreshPermissions,
      onMessage: noteMessage,
      closed: () => {
        wasClosed = true;
        announced.set(client, { seq: announced.get(client)?.seq ?? -1, generation: null });
        noteConnectionLost();
        clearPresence();
      },
    },
    { freshToken, renew: renewToken },
    technician === null ? null : { technician },
  );
  return () => {
    close();
    stopPolling();
    messages.stop();
    batchers.delete(client);
    hints.stop();
    stopStartOvers();
    stopWatching();
    noteConnectionLost();
  };
}

/**
 * Reports every load of the list, whoever started it: the first render, the catching up, the retry button. The
 * query's own error will not do: each landed row resets it while the gap is still open.
 */
function watchLoads(
  client: QueryClient,
  callbacks: { loaded(): void; failed(failure: unknown): void },
): () => void {
  const hash = hashKey(QUERY_KEY);
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryHash !== hash) return;
    const { action } = event;
    if (action.type === 'success' && action.manual !== true) callbacks.loaded();
    if (action.type === 'error' && !(action.error instanceof CancelledError)) callbacks.failed(action.error);
  });
}

function isWhole(message: RoModified): message is Required<RoModified> {
  return message.rows !== undefined && message.version !== undefined && message.seq !== undefined;
}

function authorOf({ by, timestamp, version, rows }: Required<RoModified>): Author | undefined {
  // The rows of a replay may be newer than the message, with another author.
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
    // The order is gone at an unknown version; the list knows.
    if (cachedOrders(client).open.has(roNumber)) await loadList(client);
  }
}
