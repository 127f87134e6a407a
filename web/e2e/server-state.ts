// Rewrites the server's state in each `hello` and `tick` on its way to a page: as if the server could not save or
// read, or had been restored from a backup.
import type { Page, WebSocketRoute } from '@playwright/test';

export interface ServerState {
  generation?: string;
  notSavingSince?: string;
  notReadSince?: string;
}

export class ServerStateMock {
  private state: ServerState;
  private isRestored = false;
  private lastTick: string | null = null;
  private toPage: WebSocketRoute | null = null;
  /** The generation that each answered list was given. */
  readonly lists: (string | undefined)[] = [];

  private constructor(state: ServerState) {
    this.state = state;
  }

  /** Must be called before the page is opened. */
  static async to(page: Page, state: ServerState = {}): Promise<ServerStateMock> {
    const mock = new ServerStateMock(state);
    await page.routeWebSocket(/\/ws\//, (socket) => {
      mock.toPage = socket;
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(mock.connecting(message.toString())));
      server.onMessage((message) => {
        const text = message.toString();
        if (text.startsWith('42["tick"')) mock.lastTick = text;
        socket.send(mock.rewritten(text));
      });
    });
    // A page that waits long for its WebSocket would poll, bypassing this.
    await page.route(/\/ws\/\?.*transport=polling/, (route) => route.abort());
    await page.route(/\/api\/(repair-orders|technicians\/\d+)$/, async (route) => {
      const { generation } = mock.state;
      const answer = await route.fetch();
      mock.lists.push(generation);
      if (!answer.ok()) return route.fulfill({ response: answer });
      await route.fulfill({ response: answer, json: { ...(await answer.json()), generation } });
    });
    return mock;
  }

  /** Sets the state, and sends it at once, as the server does when a state begins or ends. */
  announce(state: ServerState): void {
    this.state = state;
    if (this.lastTick !== null) this.toPage?.send(this.rewritten(this.lastTick));
  }

  /** Cuts the connection, which reconnects by itself; to another generation without recovery. */
  async reconnect(state: ServerState): Promise<void> {
    this.isRestored = state.generation !== this.state.generation;
    this.state = state;
    this.lastTick = null;
    await this.toPage?.close();
  }

  /** A restored log cannot recover an earlier connection. */
  private connecting(text: string): string {
    if (!this.isRestored || !text.startsWith('40{')) return text;
    const { pid: _, offset: __, ...auth } = JSON.parse(text.slice(2));
    return `40${JSON.stringify(auth)}`;
  }

  private rewritten(text: string): string {
    if (!/^42\["(hello|tick)"/.test(text)) return text;
    const [event, pulse, ...offset] = JSON.parse(text.slice(2));
    return `42${JSON.stringify([event, { ...pulse, ...this.state }, ...offset])}`;
  }
}
