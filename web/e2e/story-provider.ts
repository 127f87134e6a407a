// A model provider for tests, in the wire format of Gemini or of OpenAI, streaming on request, with every kind of
// failure.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type ProviderFormat = 'gemini' | 'openai';

/** How the provider handles a request. */
export type ProviderBehaviour =
  /** The model replies with this text. */
  | { kind: 'says'; text: string }
  /** The reply is truncated, and marked as having reached its limit. */
  | { kind: 'is cut short'; text: string }
  | { kind: 'refuses'; status: number; message: string; headers?: Record<string, string> }
  /** The connection stays open without an answer. */
  | { kind: 'hangs' }
  /** The connection breaks in the middle of the reply. */
  | { kind: 'breaks off'; text: string };

/** A received request. */
export interface ModelRequest {
  path: string;
  key: string;
  streamed: boolean;
  /** All texts of the prompt. */
  prompt: string;
}

export const question = (content: string): ProviderBehaviour => modelReply({ type: 'question', content });
export const techStory = (content: string): ProviderBehaviour => modelReply({ type: 'techStory', content });
export const modelReply = (modelReply: object | string): ProviderBehaviour => ({
  kind: 'says',
  text: typeof modelReply === 'string' ? modelReply : JSON.stringify(modelReply),
});

export const PROVIDER_KEY = 'AIza-a-key-that-nobody-may-see';

export class StoryProvider {
  readonly requests: ModelRequest[] = [];
  private readonly format: ProviderFormat;
  private readonly server: Server;
  /** One for each coming request; the last one is kept. */
  private behaviours: ProviderBehaviour[] = [{ kind: 'refuses', status: 500, message: 'Nothing was told.' }];

  private constructor(format: ProviderFormat) {
    this.format = format;
    this.server = createServer((request, answer) => void this.handle(request, answer));
  }

  static async start(format: ProviderFormat): Promise<StoryProvider> {
    const provider = new StoryProvider(format);
    await new Promise<void>((done) => provider.server.listen(0, '127.0.0.1', done));
    return provider;
  }

  /** The base URL for the server's configuration. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the provider is closed');
    return `http://127.0.0.1:${address.port}${this.format === 'openai' ? '/v1' : ''}`;
  }

  /** Sets the behaviours from the next request on. */
  behave(...behaviours: ProviderBehaviour[]): void {
    this.behaviours = behaviours;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body: unknown = JSON.parse(Buffer.concat(parts).toString() || 'null');
    const path = request.url ?? '';
    const parsed =
      this.format === 'gemini' ? parseGeminiRequest(path, request) : parseOpenAiRequest(path, request, body);
    this.requests.push({ ...parsed, prompt: textsIn(body).join('\n') });
    const [behaviour, ...later] = this.behaviours;
    if (later.length > 0) this.behaviours = later;
    if (behaviour !== undefined) this.answer(behaviour, parsed.streamed, answer);
  }

  private answer(behaviour: ProviderBehaviour, streamed: boolean, answer: ServerResponse): void {
    switch (behaviour.kind) {
      case 'hangs':
        return;
      case 'refuses': {
        const { status, message, headers } = behaviour;
        answer.writeHead(status, { 'content-type': 'application/json', ...headers });
        answer.end(JSON.stringify(this.errorBody(status, message)));
        return;
      }
      case 'breaks off': {
        answer.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
        const beginning = streamed
          ? this.chunk(behaviour.text, false)
          : JSON.stringify(this.completion(behaviour.text)).slice(0, 60);
        // Ends the connection without a proper close.
        answer.write(beginning, () => answer.destroy());
        return;
      }
      case 'is cut short':
      case 'says': {
        const isShort = behaviour.kind === 'is cut short';
        if (!streamed) {
          answer.writeHead(200, { 'content-type': 'application/json' });
          answer.end(JSON.stringify(this.completion(behaviour.text, isShort)));
          return;
        }
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        const pieces = behaviour.text.match(/[\s\S]{1,24}/g) ?? [];
        for (const [place, piece] of pieces.entries()) {
          answer.write(this.chunk(piece, place === pieces.length - 1, isShort));
        }
        answer.end(this.format === 'openai' ? 'data: [DONE]\n\n' : '');
      }
    }
  }

  private completion(text: string, isShort = false): object {
    return this.format === 'gemini'
      ? gemini(text, isShort ? 'MAX_TOKENS' : 'STOP')
      : {
          id: 'chatcmpl-1',
          object: 'chat.completion',
          model: 'local-model',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: text },
              finish_reason: isShort ? 'length' : 'stop',
            },
          ],
        };
  }

  private chunk(text: string, isLast: boolean, isShort = false): string {
    const body =
      this.format === 'gemini'
        ? gemini(text, isLast ? (isShort ? 'MAX_TOKENS' : 'STOP') : null)
        : {
            id: 'chatcmpl-1',
            object: 'chat.completion.chunk',
            model: 'local-model',
            choices: [
              {
                index: 0,
                delta: { content: text },
                finish_reason: isLast ? (isShort ? 'length' : 'stop') : null,
              },
            ],
          };
    // The two formats use different line ends.
    return `data: ${JSON.stringify(body)}${this.format === 'gemini' ? '\r\n\r\n' : '\n\n'}`;
  }

  private errorBody(status: number, message: string): object {
    return this.format === 'gemini'
      ? { error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } }
      : { error: { message, type: 'error', param: null, code: null } };
  }
}

/** `end`: the reason why the text ends. */
function gemini(text: string, end: 'STOP' | 'MAX_TOKENS' | null): object {
  return {
    candidates: [
      {
        content: { parts: [{ text }], role: 'model' },
        index: 0,
        ...(end === null ? {} : { finishReason: end }),
      },
    ],
    modelVersion: 'gemini-2.5-flash',
  };
}

type RequestTarget = Omit<ModelRequest, 'prompt'>;

function parseGeminiRequest(path: string, { headers }: IncomingMessage): RequestTarget {
  return { path, key: String(headers['x-goog-api-key']), streamed: path.includes(':streamGenerateContent') };
}

function parseOpenAiRequest(path: string, { headers }: IncomingMessage, body: unknown): RequestTarget {
  const streamed = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  return { path, key: String(headers.authorization).replace('Bearer ', ''), streamed };
}

/** Every string in a body, at any depth. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body];
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body).flatMap(textsIn);
}
