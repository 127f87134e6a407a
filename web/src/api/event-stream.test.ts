import { expect, test } from 'vitest';
import { readServerEvents, type ServerEvent } from './event-stream.ts';

/** The answer in the pieces in which it arrives. */
function streamOf(...pieces: string[]): Response {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of bytes) controller.enqueue(piece);
        controller.close();
      },
    }),
  );
}

async function readAll(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readServerEvents(response)) events.push(event);
  return events;
}

test('events are read wherever the network splits the stream', async () => {
  const text = 'event: progress\ndata: {"text":"Hä"}\n\nevent: reply\r\ndata: {"ok":true}\r\n\r\n';
  const expected = [
    { name: 'progress', text: '{"text":"Hä"}' },
    { name: 'reply', text: '{"ok":true}' },
  ];
  expect(await readAll(streamOf(text))).toEqual(expected);
  expect(await readAll(streamOf(...text))).toEqual(expected);
});

test('comments and incomplete events are not events', async () => {
  expect(
    await readAll(streamOf(': still there\n\n', 'data: one\ndata: two\n\n', 'event: reply\ndata: cut')),
  ).toEqual([{ name: 'message', text: 'one\ntwo' }]);
});
