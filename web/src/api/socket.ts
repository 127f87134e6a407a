// The only place that calls io(). It connects, authenticates, reconnects and dispatches messages. Socket.IO's
// connection state recovery replays missed events: the client sends the offset of the last message it handled. A
// listener that throws would leave that offset behind, hence `callSafely`. WebSocket is tried first; where a proxy
// forbids it, the same messages come by long-polling.
import { io, type Socket } from 'socket.io-client';
import { createListeners } from './listeners.ts';
import type { components } from './schema.ts';
import { noteServerStatus } from './server-status.ts';
import { noteServerTime } from './server-time.ts';
import type { StreamState } from './stream-state.ts';

type Schemas = components['schemas'];
/** The server's own messages contain the rows; a message that another client sent is a hint without rows. */
export type RoModified = Pick<Schemas['RoModified'], 'roNumber'> & Partial<Schemas['RoModified']>;
type RoPresence = Schemas['RoPresence'];
/** The notice that this page sends to the others about its own change. */
export type ChangeNotice = Schemas['RoNotice'];

/** The messages a screen can listen to, by their names on the wire. */
export interface SocketMessages {
  /** Called when the message arrives, before it is batched and before its rows are in the cache. */
  RO_MODIFIED: RoModified;
  CLOCK_CHANGED: Schemas['ClockChanged'];
  ASSIGNMENT_RECEIPT: Schemas['AssignmentReceiptNews'];
  TECHNICIANS_CHANGED: Schemas['TechniciansChanged'];
  BOARDS_CHANGED: Schemas['BoardsChanged'];
  SERVER_STATUS_CHANGED: Schemas['ServerStatusChanged'];
}
type MessageListener<Name extends keyof SocketMessages> = (message: SocketMessages[Name] | null) => void;

const MAX_RECONNECT_DELAY_MS = 5_000;
/** The random part of the delay, so that not all pages reconnect to a restarted server at once. */
const RECONNECT_SPREAD = 0.4;
/** How long a connection may take to open, over either transport. */
const OPEN_TIMEOUT_MS = 10_000;
/** How long the server may take to acknowledge a message. */
const ACK_TIMEOUT_MS = 5_000;

export interface SocketListener {
  /** First message of a new connection; of a recovered one, what follows the last missed event. */
  hello(pulse: StreamState, recovered?: boolean): void;
  /** Every 5 s, queued behind the events. */
  tick(pulse: StreamState): void;
  modified(message: RoModified): void;
  /** Who has an order open from now on. */
  presence(presence: RoPresence): void;
  /**
   * A staff record changed; the message does not say whose. It is not replayed after a connection was lost.
   */
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

const staffListeners = createListeners();

/**
 * Calls the listener at each change of staff records, and at each new connection, because changes during an outage
 * are not replayed.
 */
export const onStaffChange = staffListeners.subscribe;

const messageListeners: { [Name in keyof SocketMessages]: Set<MessageListener<Name>> } = {
  RO_MODIFIED: new Set(),
  CLOCK_CHANGED: new Set(),
  ASSIGNMENT_RECEIPT: new Set(),
  TECHNICIANS_CHANGED: new Set(),
  BOARDS_CHANGED: new Set(),
  SERVER_STATUS_CHANGED: new Set(),
};

/**
 * Calls the listener with each message as it arrives, and with null at each new connection: events of the outage may
 * not be replayed, so the listener loads its data again. Returns a function that stops listening.
 */
export function onSocketMessage<Name extends keyof SocketMessages>(
  name: Name,
  listener: MessageListener<Name>,
): () => void {
  const listeners: Set<MessageListener<Name>> = messageListeners[name];
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Messages that only their listeners handle. */
const plainMessages = [
  'CLOCK_CHANGED',
  'ASSIGNMENT_RECEIPT',
  'TECHNICIANS_CHANGED',
  'BOARDS_CHANGED',
  'SERVER_STATUS_CHANGED',
] as const;

function notifyMessageListeners<Name extends keyof SocketMessages>(
  name: Name,
  message: SocketMessages[Name] | null,
): void {
  // A listener that throws must not keep the message from the others.
  for (const listener of messageListeners[name]) callSafely(() => listener(message));
}

/**
 * Whether a message can be sent now. Socket.IO would buffer one that is sent while disconnected, and deliver it too
 * late.
 */
export function isConnected(): boolean {
  return current?.connected === true;
}

/** Rejects when it is not acknowledged in time, or refused. */
export async function sendNotice(notice: ChangeNotice): Promise<void> {
  await acknowledged('RO_MODIFIED', { type: 'RO_MODIFIED', ...notice, timestamp: new Date().toISOString() });
}

/** Tells the others whether this user has an order open. */
export async function sendPresence(event: 'RO_OPEN' | 'RO_LEAVE', roNumber: number): Promise<void> {
  await acknowledged(event, { roNumber });
}

async function acknowledged(event: string, message: object): Promise<void> {
  if (current === null) throw new Error('No socket is open.');
  const answer: { ok?: boolean; message?: string } = await current
    .timeout(ACK_TIMEOUT_MS)
    .emitWithAck(event, message);
  if (answer.ok !== true) throw new Error(answer.message ?? 'The server refused it.');
}

/** What the socket subscribes to: everything, or the events of one technician's orders. */
export type Scope = { technician: number } | null;

/** Opens the session's socket. Returns a function that closes it for good. */
export function openSocket(listener: SocketListener, tokens: SocketTokens, scope: Scope = null): () => void {
  let done = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let renewAtOnce = true;

  // socket.io-client caps its own jitter at the maximum delay, which here is the delay itself: half of all pages
  // would reconnect in the same moment, and all of them after a failed attempt.
  const pause = MAX_RECONNECT_DELAY_MS * (1 - RECONNECT_SPREAD * Math.random());
  const socket: Socket = io({
    path: '/ws',
    transports: ['websocket', 'polling'],
    // A WebSocket that is refused is followed by polling in the same attempt.
    tryAllTransports: true,
    timeout: OPEN_TIMEOUT_MS,
    reconnectionDelay: pause,
    reconnectionDelayMax: pause,
    // A `pid` or `offset` in here would override those that the client resumes with.
    auth: (send) => {
      const { engine } = socket.io;
      // A token may arrive after its connection is gone; the next connection asks for its own.
      const sendInTime = (token: string | null) => {
        if (socket.io.engine === engine) send(scope === null ? { token } : { token, scope });
      };
      tokens.freshToken().then(
        sendInTime,
        // Without a token the server refuses the connection, and the refusal asks for a new token.
        () => sendInTime(''),
      );
    },
  });

  current = socket;

  /** The server refused or ended this session; socket.io-client does not reconnect by itself after that. */
  const comeBackWithNewToken = () => {
    if (done) return;
    const delay = renewAtOnce ? 0 : MAX_RECONNECT_DELAY_MS;
    renewAtOnce = false;
    clearTimeout(again);
    again = setTimeout(() => {
      tokens.renew().then(
        // Null: the session is over, and the route guard redirects to the login screen.
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
      callSafely(() => {
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
    staffListeners.notify();
    notifyMessageListeners('RO_MODIFIED', null);
    for (const name of plainMessages) notifyMessageListeners(name, null);
  });
  onMessage<StreamState>('tick', (pulse) => {
    noteServerStatus(pulse);
    noteServerTime(pulse.now);
    listener.tick(pulse);
  });
  onMessage<RoModified>('RO_MODIFIED', (message) => {
    notifyMessageListeners('RO_MODIFIED', message);
    listener.modified(message);
  });
  for (const name of plainMessages) {
    onMessage<SocketMessages[typeof name]>(name, (message) => notifyMessageListeners(name, message));
  }
  onMessage('STAFF_CHANGED', () => {
    listener.staffChanged();
    staffListeners.notify();
  });
  onMessage<RoPresence>('RO_PRESENCE', (presence) => listener.presence(presence));
  onMessage<Schemas['RoPresences']>('RO_PRESENCES', ({ orders }) => {
    for (const presence of orders) listener.presence(presence);
  });

  socket.on('connect_error', ({ message }) => {
    // The connection neither opened nor was refused: a proxy may swallow this transport, so the other one goes first.
    if (message === 'timeout') socket.io.opts.transports = socket.io.opts.transports?.toReversed();
    // `active`: the transport failed and socket.io-client tries again itself.
    if (!socket.active) comeBackWithNewToken();
  });
  socket.on('disconnect', (reason) => {
    callSafely(() => listener.closed());
    if (reason === 'io server disconnect') comeBackWithNewToken();
  });

  return () => {
    done = true;
    clearTimeout(again);
    socket.disconnect();
    if (current === socket) current = null;
  };
}

function callSafely(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    console.error('A live message could not be handled.', failure);
  }
}
