// A board's session: pairing, loading the board's picture, applying events, and how far the display can be trusted. A
// board that was found wrong is live again only after a check confirms it. Only a revocation makes it forget which
// board it is: a server that does not know its token may run on another database. It knows nothing of rendering; it
// calls back when there is something to draw.
import type { StreamState } from '../api/stream-state.ts';
import { type BoardPicture, BoardState, type CardChange, type ClockChange } from './board-state.ts';
import { checksum } from './checksum.ts';
import { type BoardFreshness, boardFreshness } from './freshness.ts';
import {
  BoardApiError,
  fetchPicture,
  fetchVerdict,
  type PairedBoard,
  redeemLink,
  screenSize,
} from './http.ts';
import { noteBuild, ownBuild, reloadPage, reloadToCorrect } from './page-reload.ts';
import { PairingFlow } from './pairing-flow.ts';
import { noteServerTime, serverNow, serverTimeOf } from './server-clock.ts';
import { openStream, type Stream } from './socket.ts';
import { linkSecret, storeBoard, storedBoard } from './stored-board.ts';

const RETRY_INTERVAL_MS = 3_000;
const RELOAD_DELAY_MS = 500;
const CHECK_INTERVAL_MS = 60_000;
const IDENTIFY_MS = 8_000;
const UNKNOWN_RETRY_MS = 60_000;
/** The error code for a token that was valid once. */
const REVOKED = 'board-revoked';

export interface DisplayedPage {
  orders: number;
  pages: number;
  page: number;
}

export class BoardSession {
  shop: BoardState | null = null;
  /** Null while it is a board. */
  pairer: PairingFlow | null = null;
  /** It was opened by an invalid link, and is not paired otherwise. */
  linkSpent = false;
  /** The board's name, shown while somebody identifies it. */
  identified: string | null = null;
  /** What the board shows, as the renderer reports it. */
  shows: DisplayedPage = { orders: 0, pages: 0, page: 0 };
  /** Since when the server cannot save changes (ms, its clock); null while it can. */
  notSavingSince: number | null = null;
  /** The event log that the displayed state belongs to; null where the server names none. */
  private generation: string | null = null;
  private notRead = false;
  private paired: PairedBoard | null = null;
  private stream: Stream | null = null;
  private connected = false;
  /** Everything the server announced has arrived. */
  private isComplete = false;
  /** The displayed state was found to differ from the server's. */
  private wrong = false;
  private rightAt = performance.now();
  /** Never yet: the first tick triggers the first check. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking = false;
  /** A check differed once; an event in transit may be the reason. */
  private suspectedWrong = false;
  private loading = false;
  private loads = 0;
  /** The newest announced event; a picture from another process may be older. */
  private newestSeq = 0;
  /** The messages that arrived while the picture was loading. */
  private queuedMessages: (CardChange | ClockChange)[] = [];
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private readonly draw: () => void;

  constructor(draw: () => void) {
    this.draw = draw;
  }

  async begin(): Promise<void> {
    const link = /[#&]link=([\w-]+)/.exec(location.hash)?.[1];
    const stored = storedBoard();
    // A link decides which board this screen becomes, whatever it was before.
    const paired = (link === undefined ? null : await redeemed(link, stored !== null)) ?? stored;
    if (paired !== null) return this.become(paired);
    this.linkSpent = link !== undefined;
    this.pair();
  }

  get trust(): BoardFreshness {
    const { right: isComplete, notRead, rightAt } = this;
    return boardFreshness({ isComplete, notRead, rightAt }, performance.now());
  }

  private get right(): boolean {
    return this.isComplete && !this.wrong && !this.notRead;
  }

  private pair(): void {
    this.pairer?.end();
    this.pairer = new PairingFlow(
      ownBuild(),
      (paired) => this.become(paired),
      () => this.draw(),
    );
    this.draw();
  }

  private become(paired: PairedBoard): void {
    this.pairer?.end();
    this.pairer = null;
    this.linkSpent = false;
    this.paired = paired;
    storeBoard(paired);
    this.wrong = false;
    this.rightAt = performance.now();
    this.stream?.close();
    this.stream = openStream(paired, {
      hello: (pulse) => this.hello(pulse),
      tick: (pulse) => this.tick(pulse),
      card: (message) => this.card(message),
      clock: (message) => this.clock(message),
      settings: () => void this.load(),
      reload: reloadPage,
      identify: (name) => this.identify(name),
      closed: () => {
        this.connected = false;
        this.isComplete = false;
        this.draw();
      },
      refused: () => void this.askForRefusal(),
    });
    this.draw();
  }

  private hello(pulse: StreamState): void {
    this.connected = true;
    this.newestSeq = pulse.seq;
    this.pulse(pulse);
    void this.load();
  }

  private tick(pulse: StreamState): void {
    if (this.pulse(pulse)) {
      this.newestSeq = pulse.seq;
      void this.load();
    }
    this.newestSeq = Math.max(this.newestSeq, pulse.seq);
    // `hello` follows the missed events; if its number is ahead, something is missing.
    if (this.isComplete && this.shop !== null && pulse.seq >= this.shop.seq) {
      this.shop.seq = pulse.seq;
      if (this.right) this.rightAt = performance.now();
      void this.checkPeriodically();
    }
    this.draw();
  }

  /**
   * Whether the state belonged to another log: the shop's data was restored from a backup, and the state is dropped.
   */
  private pulse({ now, version, generation, notSavingSince, notReadSince }: StreamState): boolean {
    noteServerTime(now);
    noteBuild(version);
    this.notSavingSince = timeOf(notSavingSince);
    const notRead = timeOf(notReadSince);
    this.notRead = notRead !== null;
    if (notRead !== null) this.rightAt = Math.min(this.rightAt, serverTimeOf(notRead));
    const isAnother = this.generation !== null && generation != null && this.generation !== generation;
    this.generation = generation ?? this.generation;
    if (isAnother) this.reset();
    return isAnother;
  }

  private reset(): void {
    this.shop = null;
    this.isComplete = false;
    this.wrong = false;
    this.suspectedWrong = false;
    this.checkedAt = Number.NEGATIVE_INFINITY;
    this.draw();
  }

  private card(message: CardChange): void {
    if (this.loading) this.queuedMessages.push(message);
    this.newestSeq = Math.max(this.newestSeq, message.seq);
    const unknown = this.shop?.applyCard(message, performance.now()) ?? false;
    if (this.right) this.rightAt = performance.now();
    if (unknown) void this.load();
    this.draw();
  }

  private clock(message: ClockChange): void {
    if (this.loading) this.queuedMessages.push(message);
    this.shop?.clock(message);
    this.draw();
  }

  /** The screen was off, and missed the events. */
  handleWake(): void {
    this.stream?.reconnect();
  }

  /** Loads the whole picture again, with changes that have no event. */
  private async load(): Promise<void> {
    const { paired } = this;
    if (paired === null) return;
    const mine = ++this.loads;
    const newest = () => this.loads === mine && this.paired === paired;
    // Messages from now on are applied to the loaded picture.
    const { newestSeq: top } = this;
    this.loading = true;
    this.queuedMessages = [];
    try {
      const picture = await fetchPicture(paired.token);
      if (!newest()) return;
      this.land(picture, top);
      if (picture.seq < top) setTimeout(() => newest() && void this.load(), RELOAD_DELAY_MS);
    } catch (failure) {
      if (!newest()) return;
      if (failure instanceof BoardApiError && failure.status === 401) return this.blank(paired, failure);
      setTimeout(() => {
        if (newest() && this.connected) void this.load();
      }, RETRY_INTERVAL_MS);
    }
  }

  /** `top`: the newest announced event; an older picture is incomplete. */
  private land(picture: BoardPicture, top: number): void {
    this.loading = false;
    const now = performance.now();
    if (this.shop === null) this.shop = new BoardState(picture);
    else this.shop.replace(picture, now);
    for (const message of this.queuedMessages) {
      if (!('card' in message)) this.shop.clock(message);
      else if (message.seq >= picture.seq) this.shop.applyCard(message, now);
    }
    this.queuedMessages = [];
    noteServerTime(picture.now);
    noteBuild(picture.version);
    this.isComplete = this.connected && picture.seq >= top;
    if (this.right) this.rightAt = performance.now();
    this.draw();
  }

  private async checkPeriodically(): Promise<void> {
    const { paired, shop } = this;
    if (paired === null || shop === null || this.checking) return;
    if (performance.now() - this.checkedAt < CHECK_INTERVAL_MS) return;
    this.checking = true;
    try {
      const report = {
        seq: shop.seq,
        checksum: checksum(shop.cards.values(), shop.technicians.values()),
        shows: this.shows,
        version: ownBuild(),
        screen: screenSize(),
      };
      const { same } = await fetchVerdict(paired.token, report);
      if (this.paired !== paired || this.shop !== shop) return;
      // Null: one side has newer events; checked again after the next tick.
      if (same === true) this.confirmRight();
      if (same === false && this.suspectedWrong) this.handleWrong();
      if (same !== null) this.suspectedWrong = !same;
    } catch (failure) {
      if (!(failure instanceof BoardApiError)) throw failure;
      if (failure.status === 401 && this.paired === paired) this.blank(paired, failure);
    } finally {
      this.checking = false;
    }
  }

  private confirmRight(): void {
    this.checkedAt = performance.now();
    this.wrong = false;
    if (this.right) this.rightAt = performance.now();
    this.draw();
  }

  private handleWrong(): void {
    this.checkedAt = performance.now();
    this.wrong = true;
    this.draw();
    // Reloading the page did not help a moment ago; a new picture may, and the next check tells.
    if (!reloadToCorrect()) void this.load();
  }

  private identify(name: string): void {
    this.identified = name;
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => {
      this.identified = null;
      this.draw();
    }, IDENTIFY_MS);
    this.draw();
  }

  /** The server closed the stream: the board may be revoked, or only this connection is over. */
  private async askForRefusal(): Promise<void> {
    const { paired, stream } = this;
    if (paired === null) return;
    try {
      await fetchPicture(paired.token);
    } catch (failure) {
      if (failure instanceof BoardApiError && failure.status === 401 && this.paired === paired)
        return this.blank(paired, failure);
    }
    setTimeout(() => {
      if (this.stream === stream) stream?.connect();
    }, RETRY_INTERVAL_MS);
  }

  /** Not a board for now, or not any more: all data of the shop leaves the screen. */
  private blank(paired: PairedBoard, { code }: BoardApiError): void {
    this.stream?.close();
    this.stream = null;
    this.paired = null;
    this.shop = null;
    this.isComplete = false;
    this.connected = false;
    this.loading = false;
    this.queuedMessages = [];
    this.identified = null;
    this.pair();
    if (code === REVOKED) storeBoard(null);
    else this.untilKnown(paired);
  }

  /** Becomes that board again when the server knows it again, unless the screen was paired meanwhile. */
  private untilKnown(paired: PairedBoard): void {
    const { pairer } = this;
    setTimeout(async () => {
      if (this.pairer !== pairer) return;
      const failure = await fetchPicture(paired.token).then(
        () => null,
        (failed: unknown) => failed,
      );
      if (this.pairer !== pairer) return;
      if (failure === null) this.become(paired);
      else if (failure instanceof BoardApiError && failure.code === REVOKED) storeBoard(null);
      else this.untilKnown(paired);
    }, UNKNOWN_RETRY_MS);
  }
}

/** ms; null where the server sends none. A time that cannot be parsed must not clear the warning. */
function timeOf(since: string | null | undefined): number | null {
  if (since == null) return null;
  const at = Date.parse(since);
  return Number.isNaN(at) ? serverNow() : at;
}

/**
 * Retries until there is an answer; null where the link is invalid, or the server limits requests and the screen is
 * paired.
 */
async function redeemed(link: string, hasBoard: boolean): Promise<PairedBoard | null> {
  const secret = linkSecret(link);
  for (;;) {
    try {
      return await redeemLink(link, secret, ownBuild());
    } catch (failure) {
      if (
        failure instanceof BoardApiError &&
        failure.status >= 400 &&
        failure.status < 500 &&
        (failure.status !== 429 || hasBoard)
      ) {
        return null;
      }
      await new Promise((done) => setTimeout(done, RETRY_INTERVAL_MS));
    }
  }
}
