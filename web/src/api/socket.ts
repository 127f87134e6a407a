// The only place that calls io(). Connects, authenticates, comes back by itself, and hands messages on.
// What was missed while away is replayed by Socket.IO's connection state recovery: the client sends the offset
// of the last message it handled. A listener that throws would leave that offset behind, hence `guarded`.
// WebSocket comes first; where something on the way forbids it, the same messages come by long-polling.
import { io, type Socket } from 'socket.io-client';
import type { components } from './schema.ts';
import { noteServerStatus } from './server-status.ts';
import { noteServerTime } from './server-time.ts';
import type { StreamState } from './stream-state.ts';

type Schemas = components['schemas'];
/** The server's own messages are whole; one that another client sent is a hint without rows. */
export type RoModified = Pick<Schemas['RoModified'], 'roNumber'> & Partial<Schemas['RoModified']>;
type RoPresence = Schemas['RoPresence'];
/** What is said to the others of a change made here. */
export type ChangeNotice = Schemas['RoNotice'];

/** The messages that whoever shows their matter listens to, by their names on the wire. */
export interface SocketMessages {
  /** As it arrives: nothing is gathered, and the rows are not in the picture yet. */
  RO_MODIFIED: RoModified;
  CLOCK_CHANGED: Schemas['ClockChanged'];
  ASSIGNMENT_RECEIPT: Schemas['AssignmentReceiptNews'];
  TECHNICIANS_CHANGED: Schemas['TechniciansChanged'];
  BOARDS_CHANGED: Schemas['BoardsChanged'];
  SERVER_STATUS_CHANGED: Schemas['ServerStatusChanged'];
}
type MomentListener<Name extends keyof SocketMessages> = (message: SocketMessages[Name] | null) => void;

const RECONNECT_MS = 5_000;
/** The part of it that differs from page to page, lest all come back to a restarted server at once. */
const RECONNECT_SPREAD = 0.4;
/** For a connection to open, by one transport or after it the other. */
const OPEN_WITHIN_MS = 10_000;
/** For the server to acknowledge what was sent. */
const ACKNOWLEDGED_WITHIN_MS = 5_000;

export interface SocketListener {
  /** First message of a new connection; of a recovered one, what follows the last missed event. */
  hello(pulse: StreamState, recovered?: boolean): void;
  /** Every 5 s, queued behind the events. */
  tick(pulse: StreamState): void;
  modified(message: RoModified): void;
  /** Who has an order open, from now on. */
  presence(presence: RoPresence): void;
  /** Some staff record: it is not said whose. Not replayed after a connection was lost. */
  staffChanged(): void;
  /** Any message at all arrived: the connection is alive. */
  onMessage(): void;
  closed(): void;
}

export interface SocketTokens {
  freshToken(): Promise<string | null>;
  renew(): Promise<string | null>;
}

let current: Socket | null = null;

const staffListeners = new Set<() => void>();

/**
 * Whoever shows staff records is told when they may be others: at each change, and at each new connection, since a
 * change while none was up is not replayed. The answer ends it.
 */
export function onStaffChange(listener: () => void): () => void {
  staffListeners.add(listener);
  return () => staffListeners.delete(listener);
}

function staffChanged(): void {
  for (const listener of staffListeners) listener();
}

const momentListeners: { [Name in keyof SocketMessages]: Set<MomentListener<Name>> } = {
  RO_MODIFIED: new Set(),
  CLOCK_CHANGED: new Set(),
  ASSIGNMENT_RECEIPT: new Set(),
  TECHNICIANS_CHANGED: new Set(),
  BOARDS_CHANGED: new Set(),
  SERVER_STATUS_CHANGED: new Set(),
};

/**
 * Told of each such message in the moment it arrives, and with null at each new connection: what happened while none
 * was up may not be replayed, so ask again. The answer ends it.
 */
export function onSocketMessage<Name extends keyof SocketMessages>(
  name: Name,
  listener: MomentListener<Name>,
): () => void {
  const listeners: Set<MomentListener<Name>> = momentListeners[name];
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Those that nothing but their listeners wants. */
const plainMoments = [
  'CLOCK_CHANGED',
  'ASSIGNMENT_RECEIPT',
  'TECHNICIANS_CHANGED',
  'BOARDS_CHANGED',
  'SERVER_STATUS_CHANGED',
] as const;

function momentCame<Name extends keyof SocketMessages>(
  name: Name,
  message: SocketMessages[Name] | null,
): void {
  // One that throws must not keep the others from it.
  for (const listener of momentListeners[name]) guarded(() => listener(message));
}

/** Whether something can be sent now. What is sent while nothing is connected would be kept and come too late. */
export function isConnected(): boolean {
  return current?.connected === true;
}

/** Rejects when it is not acknowledged in time, or refused. */
export async function sendNotice(notice: ChangeNotice): Promise<void> {
  await acknowledged('RO_MODIFIED', { type: 'RO_MODIFIED', ...notice, timestamp: new Date().toISOString() });
}

/** Tells the others that this user has an order open, or no longer. */
export async function sendPresence(event: 'RO_OPEN' | 'RO_LEAVE', roNumber: number): Promise<void> {
  await acknowledged(event, { roNumber });
}

async function acknowledged(event: string, message: object): Promise<void> {
  if (current === null) throw new Error('No socket is open.');
  const answer: { ok?: boolean; message?: string } = await current
    .timeout(ACKNOWLEDGED_WITHIN_MS)
    .emitWithAck(event, message);
  if (answer.ok !== true) throw new Error(answer.message ?? 'The server refused it.');
}

/** What is heard of: everything, or what concerns one technician's orders. */
export type Scope = { technician: number } | null;

/** Opens the session's socket; the answer closes it for good. */
export function openSocket(listener: SocketListener, tokens: SocketTokens, scope: Scope = null): () => void {
  let done = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let renewAtOnce = true;

  // The client's own jitter is cut off at the maximum, which here is the delay itself: half of all pages would
  // come back in the same moment, and after a failed attempt all of them.
  const pause = RECONNECT_MS * (1 - RECONNECT_SPREAD * Math.random());
  const socket: Socket = io({
    path: '/ws',
    transports: ['websocket', 'polling'],
    // A WebSocket that is refused is followed by polling in the same attempt.
    tryAllTransports: true,
    timeout: OPEN_WITHIN_MS,
    reconnectionDelay: pause,
    reconnectionDelayMax: pause,
    // A `pid` or `offset` in here would take the place of those the client resumes with.
    auth: (send) => {
      const { engine } = socket.io;
      // A token can take longer than its connection lasts, and the next one asks for its own.
      const sendInTime = (token: string | null) => {
        if (socket.io.engine === engine) send(scope === null ? { token } : { token, scope });
      };
      tokens.freshToken().then(
        sendInTime,
        // Without a token the server refuses, and that path asks for a new one.
        () => sendInTime(''),
      );
    },
  });

  current = socket;

  /** The server refused this sign-in or ended it; socket.io-client does not come back from that by itself. */
  const comeBackWithNewToken = () => {
    if (done) return;
    const delay = renewAtOnce ? 0 : RECONNECT_MS;
    renewAtOnce = false;
    clearTimeout(again);
    again = setTimeout(() => {
      tokens.renew().then(
        // Null: the session is over, and whoever watches it leaves for the login screen.
        (token) => {
          if (token !== null && !done) socket.connect();
        },
        comeBackWithNewToken,
      );
    }, delay);
  };

  const onMessage = <T>(event: string, handle: (message: T) => void) => {
    // The server appends the offset as a last argument to every event; socket.io-client keeps it.
    socket.on(event, (message: T) => {
      guarded(() => {
        listener.onMessage();
        handle(message);
      });
    });
  };
  onMessage<StreamState>('hello', (pulse) => {
    renewAtOnce = true;
    noteServerStatus(pulse);
    noteServerTime(pulse.now);
    listener.hello(pulse, socket.recovered);
    staffChanged();
    momentCame('RO_MODIFIED', null);
    for (const name of plainMoments) momentCame(name, null);
  });
  onMessage<StreamState>('tick', (pulse) => {
    noteServerStatus(pulse);
    noteServerTime(pulse.now);
    listener.tick(pulse);
  });
  onMessage<RoModified>('RO_MODIFIED', (message) => {
    momentCame('RO_MODIFIED', message);
    listener.modified(message);
  });
  for (const name of plainMoments) {
    onMessage<SocketMessages[typeof name]>(name, (message) => momentCame(name, message));
  }
  onMessage('STAFF_CHANGED', () => {
    listener.staffChanged();
    staffChanged();
  });
  onMessage<RoPresence>('RO_PRESENCE', (presence) => listener.presence(presence));
  onMessage<Schemas['RoPresences']>('RO_PRESENCES', ({ orders }) => {
    for (const presence of orders) listener.presence(presence);
  });

  socket.on('connect_error', ({ message }) => {
    // Neither opened nor refused: something on the way may swallow the one transport, so the other goes first.
    if (message === 'timeout') socket.io.opts.transports = socket.io.opts.transports?.toReversed();
    // `active`: the transport failed and socket.io-client tries again itself.
    if (!socket.active) comeBackWithNewToken();
  });
  socket.on('disconnect', (reason) => {
    guarded(() => listener.closed());
    if (reason === 'io server disconnect') comeBackWithNewToken();
  });

  return () => {
    done = true;
    clearTimeout(again);
    socket.disconnect();
    if (current === socket) current = null;
  };
}

function guarded(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    console.error('A live message could not be handled.', failure);
  }
}
