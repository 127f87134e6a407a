// Keeps the repair orders in the query cache live while a signed-in screen is open: lands the socket's messages, and
// loads the list again when the event numbers show that something was missed.
import { CancelledError, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { ApiError, EVENT_LOG_RESET } from '../api/http.ts';
import { fetchRows } from '../api/repair-orders.ts';
import { toServerStatus } from '../api/server-status.ts';
import { freshToken, refreshPermissions, renewToken } from '../api/session.ts';
import { onSocketMessage, openSocket, type RoModified, type SocketListener } from '../api/socket.ts';
import type { StreamState } from '../api/stream-state.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { i18n } from '../i18n/i18n.ts';
import { screenDrawn } from '../ui/part.ts';
import { showToast } from '../ui/toaster.ts';
import type { Batcher } from './batching.ts';
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
  announce,
  announcedSeq,
  batchLandings,
  cachedOrders,
  landRo,
  loadAnew,
  loadList,
  NAMES_HOLD_MS,
  nameGeneration,
  openOrders,
  watchLoads,
  watchTechnician,
} from './live-orders.ts';
import { type Author, isAnotherGeneration, type Landing } from './order-cache.ts';
import { pollList, pollNewOrders } from './polling.ts';
import { clearPresence, resetPresence, setPresence } from './presence.ts';
import { createNameCheck, type NameCheck } from './technician-names.ts';

/**
 * Keeps the socket open while the signed-in screens are mounted. `technician`: subscribe to their orders alone.
 */
export function useLiveOrders(technician: number | null = null): void {
  const client = useQueryClient();
  useEffect(() => {
    const connection = new LiveConnection(client, technician);
    return () => connection.close();
  }, [client, technician]);
}

/** Successive loads: one that began too early, one that was cancelled, one that is right. */
const MAX_LOADS = 3;

/** How long the stream waits at most for the first list, whose rows it brings up to date. */
const MAX_STREAM_DELAY_MS = 3_000;

class LiveConnection {
  private readonly client: QueryClient;
  private readonly technician: number | null;
  private readonly messages: Batcher<Landing>;
  private readonly hints: ReturnType<typeof followHints>;
  private readonly names: NameCheck;
  /** What ends the connection, in this order. */
  private readonly stops: (() => void)[];
  private stream: EventTracker = newEventTracker;
  private catchingUp = false;
  private wasClosed = false;

  constructor(client: QueryClient, technician: number | null) {
    this.client = client;
    this.technician = technician;
    watchTechnician(client, technician);
    this.messages = batchLandings(client, ({ seq }) => {
      // Only what has landed counts as heard.
      this.stream = withEvent(this.stream, seq);
    });
    this.hints = followHints((roNumber) => this.fetchHinted(roNumber));
    this.names = createNameCheck(client);
    const stopStartOvers = onEventLogReset(() => {
      this.stream = newEventTracker;
    });
    noteSocketStart();
    const stopWatching = watchLoads(client, {
      loaded: () => {
        this.stream = withList(this.stream, cachedOrders(client).listSeq);
        noteListLoaded(isBehind(this.stream));
      },
      failed: noteListFailed,
    });
    const stopPolling = this.poll();
    const scope = technician === null ? null : { technician };
    const tokens = { freshToken, renew: renewToken };
    const closeSocket = openSocket(this.listener(), tokens, scope, this.firstLoad());
    // A new connection is in `handleHello`.
    const stopRenames = onSocketMessage('TECHNICIANS_CHANGED', (message) => {
      if (message !== null) this.checkNames(Date.now());
    });
    const { messages, hints, names } = this;
    const stopMessages = [messages.stop, hints.stop, names.stop, stopRenames];
    this.stops = [closeSocket, stopPolling, ...stopMessages, stopStartOvers, stopWatching];
  }

  close(): void {
    for (const stop of this.stops) stop();
    noteConnectionLost();
  }

  /** Settles once the first list is on screen, if its load is under way, or when that takes too long to wait for. */
  private firstLoad(): Promise<unknown> {
    const load = this.client.getQueryCache().find({ queryKey: openOrders.queryKey });
    if (load?.state.fetchStatus !== 'fetching') return Promise.resolve();
    const late = delay(MAX_STREAM_DELAY_MS);
    // A failure of it is shown by those who asked for it.
    const drawn = Promise.resolve(load.promise)
      .catch(() => undefined)
      .then(screenDrawn);
    return Promise.race([drawn, late]);
  }

  private listener(): SocketListener {
    return {
      hello: (state, recovered) => this.handleHello(state, recovered === true),
      tick: (state) => {
        this.confirm(state.seq);
        this.handleStreamState(state);
      },
      modified: (message) => this.handleModified(message),
      presence: ({ roNumber, people }) => setPresence(roNumber, people),
      staffChanged: () => {
        refreshPermissions();
        this.checkNames(Date.now());
      },
      onMessage: noteMessage,
      closed: () => {
        this.wasClosed = true;
        announce(this.client, announcedSeq(this.client), null);
        noteConnectionLost();
        clearPresence();
      },
    };
  }

  private handleHello(state: StreamState, recovered: boolean): void {
    this.messages.flush();
    if (recovered) this.confirm(state.seq);
    else if (this.wasClosed) this.startOverUnrecovered(state);
    resetPresence();
    this.handleStreamState(state);
    // What happened to staff records in the meantime is not replayed.
    if (this.wasClosed) refreshPermissions();
    this.wasClosed = false;
    this.checkNames(Date.now() - NAMES_HOLD_MS);
  }

  /** A portal loads its own short list when technicians change, and when the connection is back. */
  private checkNames(changedAt: number): void {
    if (this.technician === null) this.names.ask(changedAt);
  }

  private handleModified(message: RoModified): void {
    if (!isWhole(message)) {
      this.hints.add(message.roNumber);
      return;
    }
    this.messages.add({ ...message, by: authorOf(message) });
    // An order that is unassigned leaves the technician's list in the same moment.
    if (message.action === 'TECH_UNASSIGNED' && message.techId === this.technician) this.messages.flush();
    this.hints.landed(message.roNumber);
  }

  private handleStreamState(state: StreamState): void {
    const { client } = this;
    const { seq } = state;
    const { generation, notReadSince } = toServerStatus(state);
    announce(client, seq, generation);
    // The pulse follows the messages it refers to.
    this.messages.flush();
    if (isAnotherGeneration(generation, cachedOrders(client).generation)) loadAnew(client, generation, true);
    else if (generation !== null) nameGeneration(client, generation);
    this.stream = withServerSeq(withList(this.stream, cachedOrders(client).listSeq), seq);
    noteStreamState(isBehind(this.stream), notReadSince);
    void this.catchUp();
  }

  /**
   * The event numbers of one technician are not consecutive. But every event of theirs up to this pulse has arrived:
   * it is queued behind them, and a resumed connection has replayed what it missed.
   */
  private confirm(seq: number): void {
    if (this.technician !== null) this.stream = withEvent(this.stream, seq);
  }

  /**
   * The server did not find the last received event in its log: a higher version may be one that it never had.
   */
  private startOverUnrecovered(state: StreamState): void {
    const before = cachedOrders(this.client).generation;
    const generation = state.generation ?? before;
    const wentBack = state.seq < announcedSeq(this.client);
    loadAnew(this.client, generation, wentBack || isAnotherGeneration(generation, before));
  }

  /** Loads the list until it reaches the gap. A failed load is tried again at the next tick. */
  private async catchUp(): Promise<void> {
    if (this.catchingUp) return;
    this.catchingUp = true;
    try {
      for (let attempt = 0; attempt < MAX_LOADS; attempt++) {
        if (!isBehind(this.stream) && listFailure() === null) return;
        // A load under way began before the gap was known: wait for it, then see whether it reached far enough.
        await loadList(this.client).catch(unlessCancelled);
      }
    } catch (failure) {
      // `watchLoads` took note of it, and the screen shows it.
      console.warn('The list could not be loaded.', failure);
    } finally {
      this.catchingUp = false;
    }
  }

  private poll(): () => void {
    const { client } = this;
    const loadAll = () => loadList(client);
    // A technician's list is short: all of it, while nothing else brings news.
    if (this.technician !== null)
      return pollList({ isWanted: () => currentFreshness().kind !== 'live', load: loadAll });
    return pollNewOrders({
      cache: () => cachedOrders(client),
      land: (roNumber, rows, seq) => landRo(client, { roNumber, rows, version: 0, seq }),
      loadAll,
    });
  }

  /** Not counted as received: if the fetch of a numbered message fails, the next tick finds the gap. */
  private async fetchHinted(roNumber: number): Promise<void> {
    try {
      await fetchOrder(this.client, roNumber);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === EVENT_LOG_RESET) return;
      console.error(`Repair order ${roNumber} could not be fetched.`, failure);
      const text = i18n.t('toast.updateFailed');
      showToast({ tone: 'destructive', text, ...failureDetail(failure, i18n.t) });
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function unlessCancelled(failure: unknown): void {
  if (!(failure instanceof CancelledError)) throw failure;
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
