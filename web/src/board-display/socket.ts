// The only place of the board that calls io(). It reconnects by itself, and Socket.IO's connection state recovery
// replays missed events. Where WebSockets are refused or swallowed, it polls.
import { io } from 'socket.io-client';
import type { components } from '../api/schema.ts';
import type { StreamState } from '../api/stream-state.ts';
import type { CardChange, ClockChange } from './board-state.ts';
import type { PairedBoard } from './http.ts';

type Schemas = components['schemas'];

const MAX_RECONNECT_DELAY_MS = 4_000;
/** The random part of the delay, so that not all boards reconnect to a restarted server at once. */
const RECONNECT_SPREAD = 0.5;
const OPEN_TIMEOUT_MS = 10_000;

export interface StreamListener {
  /** First message of a connection; of a recovered one, what follows the last missed event. */
  hello(pulse: StreamState): void;
  /** Every 5 s, behind the events. */
  tick(pulse: StreamState): void;
  card(message: CardChange): void;
  clock(message: ClockChange): void;
  settings(): void;
  reload(): void;
  identify(name: string): void;
  closed(): void;
  /**
   * The server refuses this board, or has ended its session. socket.io-client does not reconnect by itself after
   * that.
   */
  refused(): void;
}

export interface Stream {
  connect(): void;
  /** Reconnects, and recovers missed events. */
  reconnect(): void;
  close(): void;
}

export function openStream({ token, boardId }: PairedBoard, listener: StreamListener): Stream {
  const pause = MAX_RECONNECT_DELAY_MS * (1 - RECONNECT_SPREAD * Math.random());
  const socket = io({
    path: '/ws',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: OPEN_TIMEOUT_MS,
    reconnectionDelay: pause,
    reconnectionDelayMax: pause,
    auth: { token, scope: { board: boardId } },
  });
  const on = <T>(event: string, handle: (message: T) => void) =>
    socket.on(event, (message: T) => {
      // A listener that throws would leave behind the offset that the board resumes from.
      try {
        handle(message);
      } catch (failure) {
        console.error('A message could not be handled.', failure);
      }
    });
  on<StreamState>('hello', (pulse) => listener.hello(pulse));
  on<StreamState>('tick', (pulse) => listener.tick(pulse));
  on<CardChange>('BOARD_CARD', (message) => listener.card(message));
  on<ClockChange>('BOARD_CLOCK', (message) => listener.clock(message));
  on('BOARD_SETTINGS', () => listener.settings());
  on('BOARD_RELOAD', () => listener.reload());
  on<Schemas['BoardIdentify']>('BOARD_IDENTIFY', ({ name }) => listener.identify(name));
  socket.on('connect_error', ({ message }) => {
    // The connection neither opened nor was refused: a proxy may swallow this transport, so the other one goes first.
    if (message === 'timeout') socket.io.opts.transports = socket.io.opts.transports?.slice().reverse();
    // `active`: the transport failed and socket.io-client tries again itself.
    if (!socket.active) listener.refused();
  });
  socket.on('disconnect', (reason) => {
    listener.closed();
    if (reason === 'io server disconnect') listener.refused();
  });
  return {
    connect: () => void socket.connect(),
    reconnect: () => void socket.disconnect().connect(),
    close: () => {
      socket.off();
      socket.disconnect();
    },
  };
}
