import { beforeEach, describe, expect, test, vi } from 'vitest';
import { onSocketMessage, onStaffChange, openSocket, type SocketListener } from './socket.ts';
import { connectSocket } from './socket-connection.ts';

type Auth = (send: (auth: object) => void) => void;
interface Options {
  transports: string[];
  reconnectionDelay: number;
  reconnectionDelayMax: number;
  auth: Auth;
}

/** What the connection uses of socket.io-client, with its connections in the test's hand. */
const client = vi.hoisted(() => ({
  listeners: new Map<string, (argument: unknown) => void>(),
  active: true,
  io: { engine: {}, opts: {} as Options },
  connect: vi.fn(),
  disconnect: vi.fn(),
  on(event: string, listener: (argument: unknown) => void) {
    this.listeners.set(event, listener);
  },
}));
vi.mock('socket.io-client', () => ({
  io: (options: Options) => {
    client.io.opts = options;
    return client;
  },
}));

const listener = {
  hello: vi.fn(),
  tick: vi.fn(),
  modified: vi.fn(),
  presence: vi.fn(),
  staffChanged: vi.fn(),
  onMessage: vi.fn(),
  closed: vi.fn(),
} satisfies SocketListener;
const tokens = { freshToken: vi.fn(), renew: vi.fn() };
const receive = (event: string, argument?: unknown) => client.listeners.get(event)?.(argument);
const settled = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  client.active = true;
  client.io.engine = {};
  for (const mock of [client.connect, ...Object.values(listener), ...Object.values(tokens)]) mock.mockReset();
  tokens.freshToken.mockResolvedValue('token');
  connectSocket(listener, tokens);
});

test('a connection that neither opens nor is refused is retried with the other transport first', () => {
  expect(client.io.opts.transports).toEqual(['websocket', 'polling']);
  receive('connect_error', new Error('websocket error'));
  expect(client.io.opts.transports).toEqual(['websocket', 'polling']);
  receive('connect_error', new Error('timeout'));
  expect(client.io.opts.transports).toEqual(['polling', 'websocket']);
  receive('connect_error', new Error('timeout'));
  expect(client.io.opts.transports).toEqual(['websocket', 'polling']);
  expect(client.connect).not.toHaveBeenCalled();
});

test('pages reconnect within five seconds, each after a random delay', () => {
  const delays = Array.from({ length: 20 }, () => {
    connectSocket(listener, tokens);
    const { reconnectionDelay, reconnectionDelayMax } = client.io.opts;
    // A delay above the maximum would be cut to it, and be the same for all.
    expect(reconnectionDelay).toBe(reconnectionDelayMax);
    return reconnectionDelay;
  });
  expect(Math.max(...delays)).toBeLessThanOrEqual(5_000);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(3_000);
  expect(new Set(delays).size).toBeGreaterThan(10);
});

describe('the token', () => {
  test('is sent without other fields, so that the client can add its recovery data', async () => {
    const send = vi.fn();
    client.io.opts.auth(send);
    await settled();
    expect(send.mock.calls).toEqual([[{ token: 'token' }]]);
  });

  test('that arrives after its connection is gone is not sent on the next one', async () => {
    const first = vi.fn();
    const second = vi.fn();
    client.io.opts.auth(first);
    client.io.engine = {};
    client.io.opts.auth(second);
    await settled();
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['connect_error', new Error('The token is not valid')],
    ['disconnect', 'io server disconnect'],
  ])('is renewed when the server refuses it (%s), and the connection tried again', async (event, reason) => {
    tokens.renew.mockResolvedValue('another');
    client.active = false;
    receive(event, reason);
    await vi.waitFor(() => expect(client.connect).toHaveBeenCalledTimes(1));
  });

  test('that cannot be renewed because the session is over ends the reconnecting', async () => {
    tokens.renew.mockResolvedValue(null);
    client.active = false;
    receive('connect_error', new Error('The session is over'));
    await vi.waitFor(() => expect(tokens.renew).toHaveBeenCalledTimes(1));
    await settled();
    expect(client.connect).not.toHaveBeenCalled();
  });
});

test('a listener that throws does not keep the client from recording the offset', () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  listener.modified.mockImplementation(() => {
    throw new Error('no such row');
  });
  expect(() => receive('RO_MODIFIED', { roNumber: 1 })).not.toThrow();
  expect(complaint).toHaveBeenCalledTimes(1);
});

test('staff listeners are called at each change, and at a new connection, before which changes may have been missed', () => {
  const changed = vi.fn();
  const stop = onStaffChange(changed);
  receive('STAFF_CHANGED', { type: 'STAFF_CHANGED', timestamp: '2026-11-21T10:00:00Z' });
  expect(changed).toHaveBeenCalledTimes(1);
  expect(listener.onMessage).toHaveBeenCalledTimes(1);
  receive('hello', { seq: 1, now: '2026-11-21T10:00:00Z' });
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  receive('STAFF_CHANGED', { type: 'STAFF_CHANGED', timestamp: '2026-11-21T10:00:01Z' });
  expect(changed).toHaveBeenCalledTimes(2);
});

test('a change of staff records is announced whatever payload it has', () => {
  receive('STAFF_CHANGED', { type: 'STAFF_CHANGED', timestamp: '2026-03-02T14:00:00Z' });
  expect(listener.staffChanged).toHaveBeenCalledExactlyOnceWith();
  expect(listener.onMessage).toHaveBeenCalledTimes(1);
});

describe('a socket message', () => {
  const clockChanged = { technicianId: 7, running: null, timestamp: '2026-11-21T10:00:00Z' };

  test('reaches its listener unchanged, and a new connection reaches it as null', () => {
    const clocks = vi.fn();
    const stop = onSocketMessage('CLOCK_CHANGED', clocks);
    receive('CLOCK_CHANGED', clockChanged);
    receive('TECHNICIANS_CHANGED', { timestamp: '2026-11-21T10:00:00Z' });
    expect(clocks.mock.calls).toEqual([[clockChanged]]);
    expect(listener.onMessage).toHaveBeenCalledTimes(2);
    receive('hello', { seq: 1, now: '2026-11-21T10:00:00Z' });
    expect(clocks.mock.calls).toEqual([[clockChanged], [null]]);
    stop();
    receive('CLOCK_CHANGED', clockChanged);
    expect(clocks).toHaveBeenCalledTimes(2);
  });

  test('of an order reaches its listener before the rows land in the cache', () => {
    const order: string[] = [];
    listener.modified.mockImplementation(() => order.push('picture'));
    const stop = onSocketMessage('RO_MODIFIED', () => order.push('moment'));
    receive('RO_MODIFIED', { roNumber: 1 });
    stop();
    expect(order).toEqual(['moment', 'picture']);
  });

  test('reaches the other listeners when one throws', () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const other = vi.fn();
    const stops = [
      onSocketMessage('ASSIGNMENT_RECEIPT', () => {
        throw new Error('no such receipt');
      }),
      onSocketMessage('ASSIGNMENT_RECEIPT', other),
    ];
    receive('ASSIGNMENT_RECEIPT', { receipt: {}, timestamp: '2026-11-21T10:00:00Z' });
    for (const stop of stops) stop();
    expect(other).toHaveBeenCalledTimes(1);
    expect(complaint).toHaveBeenCalledTimes(1);
    complaint.mockRestore();
  });
});

describe('the code of the connection', () => {
  test('is loaded when what goes before it has settled, whether it failed or not', async () => {
    let fail: (failure: Error) => void = () => undefined;
    const before = new Promise((_, reject) => {
      fail = reject;
    });
    client.io.opts = {} as Options;
    openSocket(listener, tokens, null, before);
    await settled();
    expect(client.io.opts.transports).toBeUndefined();
    fail(new Error('no list'));
    await vi.waitFor(() => expect(client.io.opts.transports).toEqual(['websocket', 'polling']));
  });

  test('opens nothing after the socket was closed', async () => {
    client.io.opts = {} as Options;
    openSocket(listener, tokens)();
    await settled();
    await import('./socket-connection.ts');
    await settled();
    expect(client.io.opts.transports).toBeUndefined();
  });
});
