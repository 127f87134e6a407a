// A board's life: pairing, the picture, what is heard since, and how far that can be believed. Knows nothing of how it
// looks; whoever draws it is told when there is something to draw.
import { check, fetchPicture, type Paired, Refusal, redeem, screenSize } from './calls.ts';
import { checksum } from './checksum.ts';
import { keepBoard, keptBoard } from './kept.ts';
import { Pairer } from './pairer.ts';
import { type CardNews, type ClockNews, type Picture, Shop } from './picture.ts';
import { noteBuild, ownBuild, reload, reloadToBeRight } from './reloading.ts';
import { noteServerTime } from './server-clock.ts';
import { openStream, type Pulse, type Stream } from './stream.ts';
import { type Trust, trust } from './trust.ts';

const TRY_AGAIN_MS = 3_000;
const SOON_MS = 500;
const CHECK_EVERY_MS = 60_000;
const IDENTIFIED_MS = 8_000;

export interface Shows {
  orders: number;
  pages: number;
  page: number;
}

export class Life {
  shop: Shop | null = null;
  /** Null while it is a board. */
  pairer: Pairer | null = null;
  /** Its name, for as long as somebody looks for it. */
  identified: string | null = null;
  /** What it shows, as whoever draws it says. */
  shows: Shows = { orders: 0, pages: 0, page: 0 };
  private paired: Paired | null = null;
  private stream: Stream | null = null;
  private connected = false;
  private whole = false;
  private rightAt = performance.now();
  /** Never: the first tick is the first time that it says what it shows. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking = false;
  /** It was found to be wrong; what is on its way at that moment may be all that is missing. */
  private doubted = false;
  private loading = false;
  private loads = 0;
  /** The newest event that the server told of; a picture from another process may be older. */
  private top = 0;
  /** What came while the picture was on its way. */
  private meanwhile: (CardNews | ClockNews)[] = [];
  private readonly draw: () => void;

  constructor(draw: () => void) {
    this.draw = draw;
  }

  async begin(): Promise<void> {
    const link = /[#&]link=([\w-]+)/.exec(location.hash)?.[1];
    if (link !== undefined) {
      // A link says which board this is to be, whatever it was.
      const paired = await redeemed(link);
      if (paired !== null) return this.become(paired);
    }
    const kept = keptBoard();
    if (kept === null) this.pair();
    else this.become(kept);
  }

  get trust(): Trust {
    return trust({ whole: this.whole, rightAt: this.rightAt }, performance.now());
  }

  private pair(): void {
    this.pairer?.end();
    this.pairer = new Pairer(
      ownBuild(),
      (paired) => this.become(paired),
      () => this.draw(),
    );
    this.draw();
  }

  private become(paired: Paired): void {
    this.pairer?.end();
    this.pairer = null;
    this.paired = paired;
    keepBoard(paired);
    this.rightAt = performance.now();
    this.stream?.close();
    this.stream = openStream(paired, {
      hello: (pulse) => this.hello(pulse),
      tick: (pulse) => this.tick(pulse),
      card: (news) => this.card(news),
      clock: (news) => this.clock(news),
      settings: () => void this.load(),
      reload,
      identify: (name) => this.identify(name),
      closed: () => {
        this.connected = false;
        this.whole = false;
        this.draw();
      },
      refused: () => void this.askWhy(),
    });
    this.draw();
  }

  private hello(pulse: Pulse): void {
    this.connected = true;
    this.top = pulse.seq;
    this.pulse(pulse);
    void this.load();
  }

  private tick(pulse: Pulse): void {
    this.pulse(pulse);
    this.top = Math.max(this.top, pulse.seq);
    // Everything up to it has arrived; if not, something is missing.
    if (this.whole && this.shop !== null && pulse.seq >= this.shop.seq) {
      this.shop.seq = pulse.seq;
      this.rightAt = performance.now();
      void this.checkNowAndThen();
    }
    this.draw();
  }

  private pulse({ now, version }: Pulse): void {
    noteServerTime(now);
    noteBuild(version);
  }

  private card(news: CardNews): void {
    if (this.loading) this.meanwhile.push(news);
    const unknown = this.shop?.hear(news, performance.now()) ?? false;
    if (this.whole) this.rightAt = performance.now();
    if (unknown) void this.load();
    this.draw();
  }

  private clock(news: ClockNews): void {
    if (this.loading) this.meanwhile.push(news);
    this.shop?.clock(news);
    this.draw();
  }

  /** The screen was off, and what came meanwhile went nowhere. */
  woke(): void {
    this.stream?.reconnect();
  }

  /** The picture anew: all that it shows, and what changed without an event. */
  private async load(): Promise<void> {
    const { paired } = this;
    if (paired === null) return;
    const mine = ++this.loads;
    const newest = () => this.loads === mine && this.paired === paired;
    this.loading = true;
    this.meanwhile = [];
    try {
      const picture = await fetchPicture(paired.token);
      if (!newest()) return;
      this.land(picture);
      if (picture.seq < this.top) setTimeout(() => newest() && void this.load(), SOON_MS);
    } catch (failure) {
      if (!newest()) return;
      if (failure instanceof Refusal && failure.status === 401) return this.forget();
      setTimeout(() => {
        if (newest() && this.connected) void this.load();
      }, TRY_AGAIN_MS);
    }
  }

  private land(picture: Picture): void {
    this.loading = false;
    const now = performance.now();
    if (this.shop === null) this.shop = new Shop(picture);
    else this.shop.replace(picture, now);
    for (const news of this.meanwhile) {
      if (!('card' in news)) this.shop.clock(news);
      else if (news.seq >= picture.seq) this.shop.hear(news, now);
    }
    this.meanwhile = [];
    noteServerTime(picture.now);
    noteBuild(picture.version);
    this.whole = this.connected && picture.seq >= this.top;
    if (this.whole) this.rightAt = performance.now();
    this.draw();
  }

  private async checkNowAndThen(): Promise<void> {
    const { paired, shop } = this;
    if (paired === null || shop === null || this.checking) return;
    if (performance.now() - this.checkedAt < CHECK_EVERY_MS) return;
    this.checking = true;
    try {
      const says = {
        seq: shop.seq,
        checksum: checksum(shop.cards.values(), shop.technicians.values()),
        shows: this.shows,
        version: ownBuild(),
        screen: screenSize(),
      };
      const { same } = await check(paired.token, says);
      // Null: one of the two has heard of more; asked again after the next tick.
      if (same === true) this.checkedAt = performance.now();
      if (same === false && this.doubted) this.isWrong();
      if (same !== null) this.doubted = !same;
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      if (failure.status === 401 && this.paired === paired) this.forget();
    } finally {
      this.checking = false;
    }
  }

  private isWrong(): void {
    this.whole = false;
    this.draw();
    // Where a new page did not help a moment ago, a new picture may.
    if (!reloadToBeRight()) setTimeout(() => this.connected && void this.load(), CHECK_EVERY_MS);
  }

  private identify(name: string): void {
    this.identified = name;
    setTimeout(() => {
      this.identified = null;
      this.draw();
    }, IDENTIFIED_MS);
    this.draw();
  }

  /** The server closed the stream: it may be over for this board, or for that connection only. */
  private async askWhy(): Promise<void> {
    const { paired, stream } = this;
    if (paired === null) return;
    try {
      await fetchPicture(paired.token);
    } catch (failure) {
      if (failure instanceof Refusal && failure.status === 401 && this.paired === paired)
        return this.forget();
    }
    setTimeout(() => {
      if (this.stream === stream) stream?.connect();
    }, TRY_AGAIN_MS);
  }

  /** Not a board any more: nothing of the shop is left on it. */
  private forget(): void {
    this.stream?.close();
    this.stream = null;
    this.paired = null;
    this.shop = null;
    this.whole = false;
    this.connected = false;
    this.loading = false;
    this.meanwhile = [];
    this.identified = null;
    keepBoard(null);
    this.pair();
  }
}

/** Asked until there is an answer; null where the link is no good. */
async function redeemed(link: string): Promise<Paired | null> {
  for (;;) {
    try {
      return await redeem(link, ownBuild());
    } catch (failure) {
      if (
        failure instanceof Refusal &&
        failure.status >= 400 &&
        failure.status < 500 &&
        failure.status !== 429
      ) {
        return null;
      }
      await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
    }
  }
}
