import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './http.ts';
import { fetchUnsupportedFacts, type NextTurn, nextReply, saveStory } from './tech-stories.ts';

const turn: NextTurn = {
  roNumber: 7,
  jobNumber: 1,
  cause: 'Loose',
  briefTechNotes: 'Torqued',
  language: 'en',
  conversation: [],
};
const reply = {
  conversationId: 'c1',
  interviewer: { id: 'built-in', name: 'Built-in interviewer', model: null },
  type: 'question',
  question: 'Verified?',
  number: 1,
  of: 6,
};

const fetched = vi.fn<(request: Request) => Promise<Response>>();
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const stream = (...events: [string, unknown][]) =>
  new Response(
    events.map(([name, payload]) => `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`).join(''),
    {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
    },
  );

const partialTexts: string[] = [];
const next = (signal = new AbortController().signal) =>
  nextReply(turn, (text) => partialTexts.push(text), signal);

beforeEach(() => {
  partialTexts.length = 0;
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.useRealTimers());

test('the reply is streamed after its partial text', async () => {
  fetched.mockResolvedValue(
    stream(
      ['progress', { text: 'Ver' }],
      ['progress', { text: 'Verified?' }],
      ['reply', { ok: true, result: reply }],
    ),
  );
  expect(await next()).toEqual(reply);
  expect(partialTexts).toEqual(['Ver', 'Verified?']);
  const request = fetched.mock.calls[0]?.[0];
  expect(request?.headers.get('Accept')).toBe('text/event-stream');
  expect(await request?.json()).toEqual(turn);
});

test('the reply may come without a stream', async () => {
  fetched.mockResolvedValue(json(200, { ok: true, result: reply }));
  expect(await next()).toEqual(reply);
});

test.each([502, 503, 429, 500])('%i is not retried', async (status) => {
  const refused = { ok: false, error: 'No.', code: 'interviewer-unavailable', roNumber: null };
  fetched.mockResolvedValue(json(status, refused));
  await expect(next()).rejects.toMatchObject({ status, code: 'interviewer-unavailable', message: 'No.' });
  expect(fetched).toHaveBeenCalledOnce();
});

test('a refusal in the middle of the stream rejects', async () => {
  const refused = { ok: false, error: 'No.', code: 'unusable-reply', roNumber: null };
  fetched.mockResolvedValue(stream(['progress', { text: 'Ver' }], ['refused', refused]));
  await expect(next()).rejects.toMatchObject({ code: 'unusable-reply' });
});

test('a truncated answer counts as a network failure', async () => {
  fetched.mockResolvedValue(stream(['progress', { text: 'Ver' }]));
  await expect(next()).rejects.toMatchObject({ code: 'network' });
  fetched.mockRejectedValue(new TypeError('failed'));
  await expect(next()).rejects.toMatchObject({ code: 'network' });
});

test('an answer that is neither a question nor a story is not a reply', async () => {
  fetched.mockResolvedValue(json(200, { ok: true, result: { type: 'essay' } }));
  await expect(next()).rejects.toBeInstanceOf(ApiError);
});

test('a story is saved under the key of its caller, at every attempt', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const changed = { ok: true, roNumber: 7, rows: [], version: 2, seq: 9 };
  fetched.mockRejectedValueOnce(new TypeError('failed'));
  fetched.mockImplementation(async () => json(200, { ok: true, result: changed }));
  const body = { story: 'Complaint: ...', confirmed: [] };
  const saved = saveStory('c1', body, 'k1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await saved).toEqual(changed);
  const requests = fetched.mock.calls.map(([request]) => request);
  expect(requests.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['k1', 'k1']);
  expect(new URL(requests[0]?.url ?? '').pathname).toBe('/api/tech-stories/c1/save');
  expect(await requests[0]?.json()).toEqual(body);
});

test('only the refusal of an unconfirmed story names unsupported facts', () => {
  const facts = [{ kind: 'number' as const, text: '12', start: 0, end: 2 }];
  const refused = { ok: false, error: 'No.', code: 'unconfirmed' as const, roNumber: null };
  expect(
    fetchUnsupportedFacts(new ApiError(422, 'unconfirmed', 'No.', { ...refused, doubts: facts })),
  ).toEqual(facts);
  expect(fetchUnsupportedFacts(new ApiError(409, 'stale-version', 'No.'))).toBeNull();
  expect(fetchUnsupportedFacts(new Error('No.'))).toBeNull();
});
