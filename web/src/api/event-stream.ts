// Server-sent events in the answer to any request: EventSource knows nothing but GET, and no token.

export interface ServerEvent {
  name: string;
  text: string;
}

/** The events as they arrive, until the answer ends. */
export async function* readServerEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      // A line may end either way, and what ends it may come in two pieces.
      unread += value;
      const blocks = unread.split(/\r\n\r\n|\n\n/);
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    // A caller that stops reading cancels the stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** Null: a comment, sent so that the connection is not taken for dead. */
function eventOf(block: string): ServerEvent | null {
  let name = 'message';
  const lines: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') lines.push(value);
  }
  return lines.length === 0 ? null : { name, text: lines.join('\n') };
}
