// Pairs a screen: shows a code until a user with permission has typed it at the desk.
import { beginPairing, type PairedBoard, type Pairing, pairingState } from './http.ts';

const POLL_INTERVAL_MS = 2_000;
/** The delay after a failure: the server may be busy or limit this screen's requests. */
const RETRY_INTERVAL_MS = 10_000;

export class PairingFlow {
  pairing: Pairing | null = null;
  /** The last request got no answer. */
  failed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;
  private readonly build: string;
  private readonly paired: (paired: PairedBoard) => void;
  private readonly draw: () => void;

  constructor(build: string, paired: (paired: PairedBoard) => void, draw: () => void) {
    this.build = build;
    this.paired = paired;
    this.draw = draw;
    void this.step();
  }

  end(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private async step(): Promise<void> {
    let wait = POLL_INTERVAL_MS;
    try {
      wait = await this.poll();
      this.failed = false;
    } catch {
      this.failed = true;
      wait = this.pairing === null ? RETRY_INTERVAL_MS : POLL_INTERVAL_MS;
    }
    if (this.over) return;
    this.draw();
    this.timer = setTimeout(() => void this.step(), wait);
  }

  /** The delay before the next poll. */
  private async poll(): Promise<number> {
    if (this.pairing === null) {
      this.pairing = await beginPairing(this.build);
      return POLL_INTERVAL_MS;
    }
    const state = await pairingState(this.pairing.pairingId);
    if (this.over || state.state === 'waiting') return POLL_INTERVAL_MS;
    this.pairing = null;
    if (state.state === 'expired') return 0;
    const { token, boardId, name } = state;
    this.paired({ token, boardId, name });
    return POLL_INTERVAL_MS;
  }
}
