// The repair orders in the query cache: the list, and what lands in it. `landRo` is the only way in for rows.
import { CancelledError, hashKey, type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import { fetchTechnicianRows, listRepairOrders, type Row } from '../api/repair-orders.ts';
import { type Batcher, createBatcher } from './batching.ts';
import {
  emptyOrderCache,
  isAnotherGeneration,
  type Landing,
  landList,
  landOrders,
  type OrderCache,
  type OrderList,
} from './order-cache.ts';

const QUERY_KEY = ['repair-orders'];

/**
 * Whose orders the cache holds: everybody's (null), or those of one technician, assigned by the desk or the DMS.
 */
const watched = new WeakMap<QueryClient, number | null>();

/**
 * The last event number the server announced, and its log; `generation` null: not announced on this connection.
 */
const announced = new WeakMap<QueryClient, { seq: number; generation: string | null }>();

/** When the last list was asked for (ms). */
const listAskedAt = new WeakMap<QueryClient, number>();

/** A list that was asked for so long before a connection (ms) has the names of technicians as they are then. */
export const NAMES_HOLD_MS = 10_000;

export function wasListAskedFor(client: QueryClient, after: number): boolean {
  return (listAskedAt.get(client) ?? 0) > after;
}

/** `generation` null: not announced on this connection. */
export function announce(client: QueryClient, seq: number, generation: string | null): void {
  announced.set(client, { seq, generation });
}

export function announcedSeq(client: QueryClient): number {
  return announced.get(client)?.seq ?? -1;
}

function watchedTechnician(client: QueryClient): number | null {
  return watched.get(client) ?? null;
}

/** All open repair orders in scope. Loaded once; from then on the socket keeps them current. */
export const openOrders = queryOptions({
  queryKey: QUERY_KEY,
  queryFn: async ({ client, signal }) => {
    const technician = watchedTechnician(client);
    listAskedAt.set(client, Date.now());
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
    // Messages that arrived before the list land first: the list may have newer names of technicians.
    batchers.get(client)?.flush();
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
    return { rows: [], seq: announcedSeq(client) };
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
    predicate: ({ queryKey }: Pick<Query, 'queryKey'>) => !LIST_QUERY_KEYS.includes(queryKey[0]),
  };
  client.removeQueries({ ...others, type: 'inactive' });
  void client.invalidateQueries(others);
}

/** Resets the cache, and what is on its way into it. */
export function loadAnew(client: QueryClient, generation: string | null, restored: boolean): void {
  // Answers under way are from before the reset.
  void client.cancelQueries({ queryKey: QUERY_KEY });
  resetOrders(client, generation, restored);
}

export function cachedOrders(client: QueryClient): OrderCache {
  return client.getQueryData<OrderCache>(QUERY_KEY) ?? emptyOrderCache;
}

/** Live messages that wait for their batch to land. */
const batchers = new WeakMap<QueryClient, Batcher<Landing>>();

/** Collects messages of the stream and lands them together. `landed`: called with each of them after that. */
export function batchLandings(client: QueryClient, landed: (landing: Landing) => void): Batcher<Landing> {
  const messages = createBatcher<Landing>((landings) => {
    land(client, landings);
    for (const landing of landings) landed(landing);
  });
  batchers.set(client, messages);
  const stop = () => {
    messages.stop();
    batchers.delete(client);
  };
  return { ...messages, stop };
}

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

/** For a cache whose list did not name its log. */
export function nameGeneration(client: QueryClient, generation: string): void {
  const cache = client.getQueryData<OrderCache>(QUERY_KEY);
  if (cache?.generation === null) client.setQueryData(QUERY_KEY, { ...cache, generation });
}

/** Loads the list, or waits for the load that is under way. */
export function loadList(client: QueryClient): Promise<OrderCache> {
  return client.fetchQuery({ ...openOrders, staleTime: 0 });
}

/** Loads the list, and waits for no load that is under way: that one may have begun too early. */
export function reloadList(client: QueryClient): Promise<OrderCache> {
  void client.cancelQueries({ queryKey: QUERY_KEY });
  return loadList(client);
}

/**
 * Reports every load of the list, whoever started it: the first render, the catching up, the retry button. The
 * query's own error will not do: each landed row resets it while the gap is still open.
 */
export function watchLoads(
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
