// The only place that calls io(). Connects, authenticates, comes back by itself, and hands messages on.
// What was missed while away is replayed by Socket.IO's connection state recovery: the client sends the offset
// of the last message it handled. A listener that throws would leave that offset behind, hence `guarded`.
import { io, type Socket } from 'socket.io-client';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
/** `seq`: the highest event number the server had committed. `now`: its clock. */
type Pulse = Schemas['Hello'];
/** The server's own messages are whole; one that another client sent is a hint without rows. */
export type RoModified = Pick<Schemas['RoModified'], 'roNumber'> & Partial<Schemas['RoModified']>;

const RECONNECT_MS = 5_000;

export interface SocketListener {
  /** First message of a connection, or the last of a replay. */
  hello(pulse: Pulse): void;
  /** Every 5 s, queued behind the events. */
  tick(pulse: Pulse): void;
  modified(message: RoModified): void;
  /** Any message at all arrived: the connection is alive. */
  heard(): void;
  closed(): void;
}

export interface SocketTokens {
  freshToken(): Promise<string | null>;
  renew(): Promise<string | null>;
}

/** Opens the session's socket; the answer closes it for good. */
export function openSocket(listener: SocketListener, tokens: SocketTokens): () => void {
  let done = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let renewAtOnce = true;

  const socket: Socket = io({
    path: '/ws',
    transports: ['websocket'],
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: RECONNECT_MS,
    randomizationFactor: 0.2,
    auth: (send) => {
      tokens.freshToken().then(
        (token) => send({ token }),
        // Without a token the server refuses, and that path asks for a new one.
        () => send({ token: '' }),
      );
    },
  });

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
        listener.heard();
        handle(message);
      });
    });
  };
  onMessage<Pulse>('hello', (pulse) => {
    renewAtOnce = true;
    listener.hello(pulse);
  });
  onMessage<Pulse>('tick', (pulse) => listener.tick(pulse));
  onMessage<RoModified>('RO_MODIFIED', (message) => listener.modified(message));

  socket.on('connect_error', () => {
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
  };
}

function guarded(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    console.error('A live message could not be handled.', failure);
  }
}
