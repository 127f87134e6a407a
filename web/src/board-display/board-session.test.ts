import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BoardSession } from './board-session.ts';
import type { BoardPicture } from './board-state.ts';
import { BoardApiError, beginPairing, fetchPicture, fetchVerdict } from './http.ts';
import { openStream, type StreamListener } from './socket.ts';
import { storeBoard, storedBoard } from './stored-board.ts';

// Minutes pass here, which nobody waits for in a browser.
vi.mock('./http.ts', async (original) => ({
  ...(await original<typeof import('./http.ts')>()),
  beginPairing: vi.fn(),
  fetchVerdict: vi.fn(),
  fetchPicture: vi.fn(),
}));
vi.mock('./socket.ts');
vi.mock('./page-reload.ts', () => ({
  noteBuild: () => undefined,
  ownBuild: () => 'a',
  reloadPage: () => undefined,
  reloadToCorrect: () => false,
}));

const board = { token: 'db_1', boardId: 'b', name: 'Lane' };
const picture: BoardPicture = {
  seq: 7,
  board: {
    boardId: 'b',
    name: 'Lane',
    layout: 'queue',
    settings: {
      categories: [],
      technicians: [],
      columns: null,
      textSize: 'normal',
      pageSeconds: 15,
      theme: 'dark',
      dimFrom: null,
      dimUntil: null,
      language: null,
    },
  },
  now: '2026-03-02T14:00:00Z',
  offsets: [{ from: '1970-01-01T00:00:00Z', seconds: 0 }],
  version: 'a',
  cards: [],
  technicians: [],
  checksum: '00000000',
};
const pulse = { seq: 7, now: picture.now, version: 'a' };

let session: BoardSession;
let stream: StreamListener;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.mocked(openStream).mockImplementation((_, listener) => {
    stream = listener;
    return { close: () => undefined, connect: () => undefined, reconnect: () => undefined };
  });
  vi.mocked(beginPairing).mockReturnValue(new Promise(() => undefined));
  vi.mocked(fetchPicture).mockReset().mockResolvedValue(picture);
  vi.mocked(fetchVerdict).mockReset().mockResolvedValue({ same: true, seq: 7, checksum: '00000000' });
  storeBoard(board);
  session = new BoardSession(() => undefined);
  await session.begin();
  stream.hello(pulse);
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  storeBoard(null);
  vi.useRealTimers();
});

const tick = async (seq = pulse.seq) => {
  await vi.advanceTimersByTimeAsync(5_000);
  stream.tick({ ...pulse, seq });
  await vi.advanceTimersByTimeAsync(0);
};

test('a server that does not know the board does not clear it, and the board recovers by itself', async () => {
  expect(session.trust.kind).toBe('live');
  vi.mocked(fetchPicture).mockRejectedValue(new BoardApiError(401, 'unauthorized'));
  stream.closed();
  stream.refused();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.shop).toBeNull();
  expect(session.pairer).not.toBeNull();
  expect(storedBoard()).toEqual(board);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(session.pairer).not.toBeNull();
  vi.mocked(fetchPicture).mockResolvedValue(picture);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(session.pairer).toBeNull();
  stream.hello(pulse);
  await vi.advanceTimersByTimeAsync(0);
  expect(session.trust.kind).toBe('live');
});

test('a board that was revoked is forgotten', async () => {
  vi.mocked(fetchPicture).mockRejectedValue(new BoardApiError(401, 'board-revoked'));
  stream.refused();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.pairer).not.toBeNull();
  expect(storedBoard()).toBeNull();
});

test('a board that was found wrong is not live until a check confirms it, and shows since when', async () => {
  vi.mocked(fetchVerdict).mockResolvedValue({ same: false, seq: 7, checksum: '11111111' });
  await tick();
  expect(session.trust.kind).toBe('live');
  await tick();
  for (let ticks = 0; ticks < 30; ticks++) {
    await tick();
    expect(session.trust.kind).not.toBe('live');
  }
  const { trust } = session;
  expect(trust.kind === 'gone' && performance.now() - trust.since).toBeGreaterThan(120_000);
  vi.mocked(fetchVerdict).mockResolvedValue({ same: true, seq: 7, checksum: '00000000' });
  for (let ticks = 0; ticks < 13; ticks++) await tick();
  expect(session.trust.kind).toBe('live');
});

test('identifying a board twice shows its name for as long as the second request says', async () => {
  stream.identify('Lane');
  await vi.advanceTimersByTimeAsync(6_000);
  stream.identify('Lane');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(session.identified).toBe('Lane');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(session.identified).toBeNull();
});

test('a picture that is older than the received events is loaded again', async () => {
  stream.card({ seq: 9, key: 'x', card: null, at: picture.now });
  stream.settings();
  await vi.advanceTimersByTimeAsync(0);
  for (let ticks = 0; ticks < 3; ticks++) await tick(9);
  expect(session.trust.kind).not.toBe('live');
  vi.mocked(fetchPicture).mockResolvedValue({ ...picture, seq: 9 });
  await tick(9);
  expect(session.trust.kind).toBe('live');
});

test('a board is not live while the server cannot read its database', async () => {
  await tick();
  stream.tick({ ...pulse, notReadSince: '2026-03-02T13:59:30Z' });
  const { trust } = session;
  expect(trust.kind === 'gone' && performance.now() - trust.since).toBe(30_000);
  await tick();
  expect(session.trust.kind).toBe('live');
});

test('a board shows that the server cannot save, and stays live', async () => {
  stream.tick({ ...pulse, notSavingSince: '2026-03-02T13:59:30Z' });
  expect(session.notSavingSince).toBe(Date.parse('2026-03-02T13:59:30Z'));
  expect(session.trust.kind).toBe('live');
  await tick();
  expect(session.notSavingSince).toBeNull();
});

test.each(['hello', 'tick'] as const)(
  'nothing of a shop that was restored is left after the %s that says so',
  async (kind) => {
    stream.tick({ ...pulse, generation: 'g1' });
    let answerCheck: (verdict: Awaited<ReturnType<typeof fetchVerdict>>) => void = () => undefined;
    vi.mocked(fetchVerdict).mockReturnValueOnce(new Promise((resolve) => (answerCheck = resolve)));
    await vi.advanceTimersByTimeAsync(60_000);
    stream.tick({ ...pulse, generation: 'g1' });
    let answerPicture: (late: BoardPicture) => void = () => undefined;
    vi.mocked(fetchPicture).mockReturnValueOnce(new Promise((resolve) => (answerPicture = resolve)));
    stream.settings();
    vi.mocked(fetchPicture).mockResolvedValue({ ...picture, seq: 3 });

    stream[kind]({ ...pulse, seq: 3, generation: 'g2' });
    expect(session.shop).toBeNull();
    answerPicture({ ...picture, seq: 9 });
    answerCheck({ same: false, seq: 7, checksum: '11111111' });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.shop?.seq).toBe(3);
    expect(session.trust.kind).toBe('live');
  },
);

test('a server that starts naming its event log is not a restore', () => {
  const { shop } = session;
  stream.hello({ ...pulse, generation: 'g1' });
  expect(session.shop).toBe(shop);
});
