// The only place that calls io(). It connects, authenticates, reconnects and dispatches messages. Socket.IO's
// connection state recovery replays missed events: the client sends the offset of the last message it handled. A
// listener that throws would leave that offset behind, hence `callSafely`. WebSocket is tried first; where a proxy
// forbids it, the same messages come by long-polling.
import { io, type Socket } from 'socket.io-client';
import type { components } from './schema.ts';
import { noteServerStatus } from './server-status.ts';
import { noteServerTime } from './server-time.ts';
import {
  callSafely,
  currentSocket,
  notifyMessageListeners,
  notifyStaffListeners,
  plainMessages,
  type RoModified,
  type RoPresence,
  type Scope,
  type SocketListener,
  type SocketMessages,
  type SocketTokens,
  setCurrentSocket,
} from './socket.ts';
import type { StreamState } from './stream-state.ts';

type Schemas = components['schemas'];

const MAX_RECONNECT_DELAY_MS = 5_000;
/** The random part of the delay, so that not all pages reconnect to a restarted server at once. */
const RECONNECT_SPREAD = 0.4;
/** How long a connection may take to open, over either transport. */
const OPEN_TIMEOUT_MS = 10_000;

/** Returns a function that closes the connection for good. */
export function connectSocket(
  listener: SocketListener,
  tokens: SocketTokens,
  scope: Scope = null,
): () => void {
  const socket = newSocket(tokens, scope);
  setCurrentSocket(socket);
  const comeBack = reconnecting(socket, tokens);
  dispatchMessages(socket, listener, comeBack.connected);
  socket.on('connect_error', ({ message }) => {
    // The connection neither opened nor was refused: a proxy may swallow this transport, so the other one goes first.
    if (message === 'timeout') socket.io.opts.transports = socket.io.opts.transports?.toReversed();
    // `active`: the transport failed and socket.io-client tries again itself.
    if (!socket.active) comeBack.withNewToken();
  });
  socket.on('disconnect', (reason) => {
    callSafely(() => listener.closed());
    if (reason === 'io server disconnect') comeBack.withNewToken();
  });
  return () => {
    comeBack.stop();
    socket.disconnect();
    if (currentSocket() === socket) setCurrentSocket(null);
  };
}

function newSocket(tokens: SocketTokens, scope: Scope): Socket {
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
  return socket;
}

/** Comes back with a new token after the server refused or ended the session: socket.io-client does not by itself. */
function reconnecting(socket: Socket, tokens: SocketTokens) {
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let renewAtOnce = true;
  const withNewToken = () => {
    if (isOver) return;
    const delay = renewAtOnce ? 0 : MAX_RECONNECT_DELAY_MS;
    renewAtOnce = false;
    clearTimeout(again);
    again = setTimeout(() => {
      tokens.renew().then(
        // Null: the session is over, and the route guard redirects to the login screen.
        (token) => {
          if (token !== null && !isOver) socket.connect();
        },
        withNewToken,
      );
    }, delay);
  };
  return {
    withNewToken,
    connected: () => {
      renewAtOnce = true;
    },
    stop: () => {
      isOver = true;
      clearTimeout(again);
    },
  };
}

function dispatchMessages(socket: Socket, listener: SocketListener, connected: () => void): void {
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
    connected();
    noteServerStatus(pulse);
    noteServerTime(pulse.now);
    listener.hello(pulse, socket.recovered);
    notifyStaffListeners();
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
    notifyStaffListeners();
  });
  onMessage<RoPresence>('RO_PRESENCE', (presence) => listener.presence(presence));
  onMessage<Schemas['RoPresences']>('RO_PRESENCES', ({ orders }) => {
    for (const presence of orders) listener.presence(presence);
  });
}
