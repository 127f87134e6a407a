// The session's socket as the page sees it: who listens to its messages, and what is sent. The connection itself and
// socket.io-client are loaded after the first rows (socket-connection.ts).
import type { Socket } from 'socket.io-client';
import { createListeners, type Listeners } from './listeners.ts';
import type { components } from './schema.ts';
import type { StreamState } from './stream-state.ts';

type Schemas = components['schemas'];
/** The server's own messages contain the rows; a message that another client sent is a hint without rows. */
export type RoModified = Pick<Schemas['RoModified'], 'roNumber'> & Partial<Schemas['RoModified']>;
export type RoPresence = Schemas['RoPresence'];
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
  STAGES_CHANGED: Schemas['StagesChanged'];
}
type MessageListener<Name extends keyof SocketMessages> = (message: SocketMessages[Name] | null) => void;

/** How long after its code could not be loaded the connection is tried again. */
const LOAD_RETRY_MS = 5_000;
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

/** The connection that messages are sent on from now on; null: there is none. */
export function setCurrentSocket(socket: Socket | null): void {
  current = socket;
}

export function currentSocket(): Socket | null {
  return current;
}

const staffListeners = createListeners();

/**
 * Calls the listener at each change of staff records, and at each new connection, because changes during an outage
 * are not replayed.
 */
export const onStaffChange = staffListeners.subscribe;
export const notifyStaffListeners = staffListeners.notify;

const messageListeners: {
  [Name in keyof SocketMessages]: Listeners<[message: SocketMessages[Name] | null]>;
} = {
  RO_MODIFIED: createListeners(),
  CLOCK_CHANGED: createListeners(),
  ASSIGNMENT_RECEIPT: createListeners(),
  TECHNICIANS_CHANGED: createListeners(),
  BOARDS_CHANGED: createListeners(),
  SERVER_STATUS_CHANGED: createListeners(),
  STAGES_CHANGED: createListeners(),
};

/**
 * Calls the listener with each message as it arrives, and with null at each new connection: events of the outage may
 * not be replayed, so the listener loads its data again. Returns a function that stops listening.
 */
export function onSocketMessage<Name extends keyof SocketMessages>(
  name: Name,
  listener: MessageListener<Name>,
): () => void {
  const { subscribe }: Listeners<[message: SocketMessages[Name] | null]> = messageListeners[name];
  // A listener that throws must not keep the message from the others.
  return subscribe((message) => callSafely(() => listener(message)));
}

/** Messages that only their listeners handle. */
export const plainMessages = [
  'CLOCK_CHANGED',
  'ASSIGNMENT_RECEIPT',
  'TECHNICIANS_CHANGED',
  'BOARDS_CHANGED',
  'SERVER_STATUS_CHANGED',
  'STAGES_CHANGED',
] as const;

export function notifyMessageListeners<Name extends keyof SocketMessages>(
  name: Name,
  message: SocketMessages[Name] | null,
): void {
  const { notify }: Listeners<[message: SocketMessages[Name] | null]> = messageListeners[name];
  notify(message);
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

/**
 * Opens the session's socket. Its code is loaded once `before` has settled: the first rows do not wait for the stream.
 * Returns a function that closes it for good.
 */
export function openSocket(
  listener: SocketListener,
  tokens: SocketTokens,
  scope: Scope = null,
  before: Promise<unknown> = Promise.resolve(),
): () => void {
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let close: (() => void) | null = null;
  const open = async () => {
    const { connectSocket } = await import('./socket-connection.ts');
    if (!isOver) close = connectSocket(listener, tokens, scope);
  };
  const openInTime = () => {
    open().catch((failure: unknown) => {
      console.warn('The code of the live connection could not be loaded.', failure);
      if (!isOver) again = setTimeout(openInTime, LOAD_RETRY_MS);
    });
  };
  void before.then(openInTime, openInTime);
  return () => {
    isOver = true;
    clearTimeout(again);
    close?.();
  };
}

/** A listener that throws would keep the client from recording the message's offset. */
export function callSafely(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    console.error('A live message could not be handled.', failure);
  }
}
