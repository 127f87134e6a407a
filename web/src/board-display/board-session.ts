// A board's life: pairing, the picture, what is heard since, and how far that can be believed. What was found to be wrong
// is live again when a check says so, and not before. Which board it is goes with a revocation alone: a server that does
// not know its token may have been started on another database. Knows nothing of how it looks; whoever draws it is told
// when there is something to draw.
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
/** The refusal of a token that was good once. */
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
  /** It was opened by a link that is no good, and is no board by another way. */
  linkSpent = false;
  /** Its name, for as long as somebody looks for it. */
  identified: string | null = null;
  /** What it shows, as whoever draws it says. */
  shows: DisplayedPage = { orders: 0, pages: 0, page: 0 };
  /** Since when the server cannot save changes (ms, its clock); null while it can. */
  notSavingSince: number | null = null;
  /** The server's log of events that all that is here is of; null where it names none. */
  private generation: string | null = null;
  private notRead = false;
  private paired: PairedBoard | null = null;
  private stream: Stream | null = null;
  private connected = false;
  /** All that the server told of is here. */
  private whole = false;
  /** What is here was found to be something else than the server has. */
  private wrong = false;
  private rightAt = performance.now();
  /** Never: the first tick is the first time that it says what it shows. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking = false;
  /** It may be wrong; what is on its way at that moment may be all that is missing. */
  private suspectedWrong = false;
  private loading = false;
  private loads = 0;
  /** The newest event that the server told of; a picture from another process may be older. */
  private newestSeq = 0;
  /** What came while the picture was on its way. */
  private queuedMessages: (CardChange | ClockChange)[] = [];
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private readonly draw: () => void;

  constructor(draw: () => void) {
    this.draw = draw;
  }

  async begin(): Promise<void> {
    const link = /[#&]link=([\w-]+)/.exec(location.hash)?.[1];
    const stored = storedBoard();
    // A link says which board this is to be, whatever it was.
    const paired = (link === undefined ? null : await redeemed(link, stored !== null)) ?? stored;
    if (paired !== null) return this.become(paired);
    this.linkSpent = link !== undefined;
    this.pair();
  }

  get trust(): BoardFreshness {
    const { right: whole, notRead, rightAt } = this;
    return boardFreshness({ whole, notRead, rightAt }, performance.now());
  }

  private get right(): boolean {
    return this.whole && !this.wrong && !this.notRead;
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
      card: (news) => this.card(news),
      clock: (news) => this.clock(news),
      settings: () => void this.load(),
      reload: reloadPage,
      identify: (name) => this.identify(name),
      closed: () => {
        this.connected = false;
        this.whole = false;
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
    // Everything up to it has arrived; if not, something is missing.
    if (this.whole && this.shop !== null && pulse.seq >= this.shop.seq) {
      this.shop.seq = pulse.seq;
      if (this.right) this.rightAt = performance.now();
      void this.checkPeriodically();
    }
    this.draw();
  }

  /** Whether what was here is of another log: the shop's data was restored from a backup, and nothing of it is left. */
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
    this.whole = false;
    this.wrong = false;
    this.suspectedWrong = false;
    this.checkedAt = Number.NEGATIVE_INFINITY;
    this.draw();
  }

  private card(news: CardChange): void {
    if (this.loading) this.queuedMessages.push(news);
    this.newestSeq = Math.max(this.newestSeq, news.seq);
    const unknown = this.shop?.hear(news, performance.now()) ?? false;
    if (this.right) this.rightAt = performance.now();
    if (unknown) void this.load();
    this.draw();
  }

  private clock(news: ClockChange): void {
    if (this.loading) this.queuedMessages.push(news);
    this.shop?.clock(news);
    this.draw();
  }

  /** The screen was off, and what came meanwhile went nowhere. */
  handleWake(): void {
    this.stream?.reconnect();
  }

  /** The picture anew: all that it shows, and what changed without an event. */
  private async load(): Promise<void> {
    const { paired } = this;
    if (paired === null) return;
    const mine = ++this.loads;
    const newest = () => this.loads === mine && this.paired === paired;
    // What comes from now on is put upon the picture.
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

  /** `top`: what is older is not whole. */
  private land(picture: BoardPicture, top: number): void {
    this.loading = false;
    const now = performance.now();
    if (this.shop === null) this.shop = new BoardState(picture);
    else this.shop.replace(picture, now);
    for (const news of this.queuedMessages) {
      if (!('card' in news)) this.shop.clock(news);
      else if (news.seq >= picture.seq) this.shop.hear(news, now);
    }
    this.queuedMessages = [];
    noteServerTime(picture.now);
    noteBuild(picture.version);
    this.whole = this.connected && picture.seq >= top;
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
      // Null: one of the two has heard of more; asked again after the next tick.
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
    // Where a new page did not help a moment ago, a new picture may; the next check says whether it did.
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

  /** The server closed the stream: it may be over for this board, or for that connection only. */
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

  /** No board for now, or not any more: nothing of the shop is left on it. */
  private blank(paired: PairedBoard, { code }: BoardApiError): void {
    this.stream?.close();
    this.stream = null;
    this.paired = null;
    this.shop = null;
    this.whole = false;
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

/** ms; null where the server says nothing of it. A time that cannot be read is no reason to say that all is well. */
function timeOf(since: string | null | undefined): number | null {
  if (since == null) return null;
  const at = Date.parse(since);
  return Number.isNaN(at) ? serverNow() : at;
}

/** Asked until there is an answer; null where the link is no good, or too much was asked and the screen has a board. */
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
