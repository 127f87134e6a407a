// One user's deeds on their way to the server: one at a time, in the order in which they were done, whichever tab
// they were done in. What is here is in the database, too, so that it survives the page; the tabs tell each other.
// The server carries out a key once: whatever is sent again, by whichever tab, is not done twice.
import { ApiError } from '../api/http.ts';
import { sentence } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { type Deed, database, type Entry } from './database.ts';
import { deliver, type Verdict } from './delivery.ts';
import type { Outbox } from './outbox.ts';

/** What whoever did it is told. `queued`: the connection is not there; it is kept, and sent later. */
type Outcome = { kind: 'answered'; answer: unknown } | { kind: 'queued' };

/** Whoever did it looks on for this long; then it goes on by itself. */
const LOOKS_ON_MS = 4_000;
const AGAIN_AFTER_MS = { first: 2_000, factor: 2, most: 30_000 };
/** The server fails at some deeds each time: they must not keep the rest for ever. */
const FAILURES_BORNE = 5;
/** The server knows a key for a day; what is sent after that might be done twice. */
const TOO_OLD_MS = 23 * 3_600_000;
const FORGOTTEN_AFTER_MS = 7 * 86_400_000;

type Told =
  | { kind: 'waits'; entry: Entry }
  | { kind: 'refused'; entry: Entry }
  | { kind: 'done'; key: string; answer: unknown }
  | { kind: 'gone'; key: string };

interface Onlooker {
  told(outcome: Outcome): void;
  refused(error: ApiError): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Surroundings {
  /** Whether it is not worth waiting for an answer now. */
  seemsAway(): boolean;
  /** Whether this user is still the one who is signed in here. */
  isOurs(): boolean;
  changed(): void;
}

export class Queue {
  private readonly uid: string;
  private readonly around: Surroundings;
  private readonly otherTabs: BroadcastChannel | null;
  private readonly entries = new Map<string, Entry>();
  /** Heard of as gone: what the database still gave just before that must not come back. */
  private readonly gone = new Set<string>();
  /** Those who wait for the answer to what they did in this tab. */
  private readonly onlookers = new Map<string, Onlooker>();
  /** What is being written; false: it could not be, and is here alone. */
  private readonly writing = new Map<string, Promise<boolean>>();
  private readonly loaded: Promise<void>;
  private sending = false;
  private again = false;
  private closed = false;
  private failures = 0;
  private readonly failuresOf = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(uid: string, around: Surroundings) {
    this.uid = uid;
    this.around = around;
    this.otherTabs =
      typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`dispatch-outbox-${uid}`);
    if (this.otherTabs !== null) {
      this.otherTabs.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
    }
    this.loaded = this.load();
  }

  /** Rejects with what the server says when it refuses. */
  async submit(deed: Deed): Promise<Outcome> {
    await this.loaded;
    const entry: Entry = { key: deed.key, uid: this.uid, place: this.nextPlace(), doneAt: Date.now(), deed };
    const waitsBehind = this.contents().waiting.length > 0;
    this.entries.set(entry.key, entry);
    const outcome = new Promise<Outcome>((resolve, reject) => {
      this.onlookers.set(entry.key, { told: resolve, refused: reject, timer: undefined });
    });
    // Not awaited: the tap is on its way while it is written.
    this.keep(entry);
    if (waitsBehind || this.around.seemsAway()) this.lookAway(entry);
    else this.patience(entry);
    void this.send();
    return outcome;
  }

  contents(): Outbox {
    const all = this.inOrder();
    return {
      // What somebody still waits for here is not waiting yet, it is on its way.
      waiting: all
        .filter(({ key, refused }) => refused === undefined && !this.onlookers.has(key))
        .map(({ deed }) => deed),
      refused: all.flatMap(({ deed, refused }) => (refused === undefined ? [] : [{ deed, ...refused }])),
    };
  }

  /** What was refused has been read. */
  async dismiss(key: string): Promise<void> {
    if (this.entries.get(key)?.refused === undefined) return;
    this.tell({ kind: 'gone', key });
    await this.remove(key);
  }

  /** The connection is there, or may be. */
  async send(): Promise<void> {
    await this.loaded;
    if (this.closed) return;
    if (this.sending) {
      this.again = true;
      return;
    }
    if (this.next() === undefined) return;
    this.sending = true;
    this.again = false;
    clearTimeout(this.timer);
    try {
      await this.alone(() => this.sendAll());
    } finally {
      this.sending = false;
    }
    // Something came when the last had just gone.
    if (this.again) void this.send();
  }

  /** It is sent no more from here; what waits is kept. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const entry of this.inOrder()) this.lookAway(entry);
    this.otherTabs?.close();
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const entry = this.next();
      if (entry === undefined || this.closed || !this.around.isOurs()) return;
      // Another tab may have sent it while this one waited for its turn.
      if (!this.onlookers.has(entry.key) && !(await this.isKept(entry.key))) {
        this.forget(entry.key);
        continue;
      }
      this.again = false;
      const verdict = await this.verdict(entry);
      if (await this.settle(entry, verdict)) continue;
      // Whoever looks on need not wait for the next try.
      for (const other of this.inOrder()) this.lookAway(other);
      // While it was under way the connection came back.
      if (this.again) continue;
      this.sendLater();
      return;
    }
  }

  private async verdict(entry: Entry): Promise<Verdict> {
    if (Date.now() - entry.doneAt > TOO_OLD_MS) {
      return { kind: 'refused', error: new ApiError(0, 'too-late', 'It waited for more than a day.') };
    }
    const verdict = await deliver(entry.deed);
    if (verdict.kind !== 'unknown' || verdict.error === undefined) return verdict;
    const failures = (this.failuresOf.get(entry.key) ?? 0) + 1;
    this.failuresOf.set(entry.key, failures);
    return failures < FAILURES_BORNE ? verdict : { kind: 'refused', error: verdict.error };
  }

  /** Whether the next one may go. */
  private async settle(entry: Entry, verdict: Verdict): Promise<boolean> {
    const { key } = entry;
    if (verdict.kind === 'unknown') return false;
    // Nobody is here to read it; whoever comes next is told the same.
    if (this.closed && verdict.kind === 'refused') return true;
    this.failures = 0;
    this.failuresOf.delete(key);
    const onlooker = this.leave(key);
    if (verdict.kind === 'done') {
      onlooker?.told({ kind: 'answered', answer: verdict.answer });
      this.tell({ kind: 'done', key, answer: verdict.answer });
      await this.remove(key);
    } else if (onlooker !== undefined) {
      onlooker.refused(verdict.error);
      this.tell({ kind: 'gone', key });
      await this.remove(key);
    } else {
      const { error } = verdict;
      const said = { sentence: sentence(error, i18n.t), code: error.code };
      const refused: Entry = { ...entry, refused: said };
      this.put(refused);
      await this.keep(refused);
      this.tell({ kind: 'refused', entry: refused });
    }
    return true;
  }

  private sendLater(): void {
    const { first, factor, most } = AGAIN_AFTER_MS;
    const delay = Math.min(first * factor ** this.failures, most);
    this.failures++;
    this.timer = setTimeout(() => void this.send(), delay);
  }

  private patience({ key }: Entry): void {
    const onlooker = this.onlookers.get(key);
    if (onlooker === undefined) return;
    onlooker.timer = setTimeout(() => {
      const entry = this.entries.get(key);
      if (entry !== undefined) this.lookAway(entry);
    }, LOOKS_ON_MS);
  }

  /** It waits from now on, and is shown as waiting. */
  private lookAway(entry: Entry): void {
    const onlooker = this.leave(entry.key);
    if (onlooker === undefined) return;
    onlooker.told({ kind: 'queued' });
    this.around.changed();
    // The others look for it in the database.
    void this.writing.get(entry.key)?.then((kept) => {
      if (kept && this.entries.get(entry.key) === entry) this.tell({ kind: 'waits', entry });
    });
  }

  private leave(key: string): Onlooker | undefined {
    const onlooker = this.onlookers.get(key);
    clearTimeout(onlooker?.timer);
    this.onlookers.delete(key);
    return onlooker;
  }

  private hear(told: Told): void {
    switch (told.kind) {
      case 'waits':
        if (!this.gone.has(told.entry.key)) this.put(told.entry);
        // Its own tab may be closed before it could send it.
        if (!this.around.seemsAway()) void this.send();
        return;
      case 'refused': {
        const { sentence: said = '', code = 'unexpected-answer' } = told.entry.refused ?? {};
        const onlooker = this.leave(told.entry.key);
        if (onlooker === undefined) {
          this.put(told.entry);
        } else {
          onlooker.refused(new ApiError(0, code, said));
          this.tell({ kind: 'gone', key: told.entry.key });
          void this.remove(told.entry.key);
        }
        return;
      }
      case 'done':
        this.leave(told.key)?.told({ kind: 'answered', answer: told.answer });
        this.forget(told.key);
        return;
      case 'gone':
        this.forget(told.key);
    }
  }

  private tell(told: Told): void {
    if (!this.closed) this.otherTabs?.postMessage(told);
  }

  private inOrder(): Entry[] {
    return [...this.entries.values()].toSorted((a, b) => a.place - b.place);
  }

  private next(): Entry | undefined {
    return this.inOrder().find(({ refused }) => refused === undefined);
  }

  private nextPlace(): number {
    const last = Math.max(0, ...[...this.entries.values()].map(({ place }) => place));
    return Math.max(last + 1, Date.now());
  }

  private put(entry: Entry): void {
    this.entries.set(entry.key, entry);
    this.around.changed();
  }

  private forget(key: string): void {
    this.gone.add(key);
    if (this.entries.delete(key)) this.around.changed();
  }

  private async load(): Promise<void> {
    try {
      const db = await database();
      await forgetOldDeeds();
      for (const entry of await db.getAllFromIndex('outbox', 'uid', this.uid)) {
        if (!this.gone.has(entry.key) && !this.entries.has(entry.key)) this.entries.set(entry.key, entry);
      }
    } catch (failure) {
      console.warn('What waits to be sent is kept by this page alone.', failure);
    }
    if (this.entries.size > 0) this.around.changed();
  }

  private keep(entry: Entry): Promise<boolean> {
    const written = write(entry);
    this.writing.set(entry.key, written);
    return written;
  }

  private async isKept(key: string): Promise<boolean> {
    if ((await this.writing.get(key)) === false) return true;
    return (await (await database()).getKey('outbox', key)) !== undefined;
  }

  private async remove(key: string): Promise<void> {
    this.forget(key);
    // However quick the answer was, it is written first.
    if ((await this.writing.get(key)) === false) return;
    this.writing.delete(key);
    await (await database()).delete('outbox', key).catch((failure: unknown) => {
      console.warn('It may be sent once more.', failure);
    });
  }

  private async alone(work: () => Promise<void>): Promise<void> {
    // Web Locks exist on HTTPS and localhost only; without them two tabs may send the same, which is done once.
    if ('locks' in navigator) await navigator.locks.request(`dispatch-outbox-${this.uid}`, work);
    else await work();
  }
}

/** Nothing that this user did is kept, sent or not. */
export async function forgetDeeds(uid: string): Promise<void> {
  const { store, done } = (await database()).transaction('outbox', 'readwrite');
  for (const key of await store.index('uid').getAllKeys(uid)) await store.delete(key);
  await done;
}

/** Whoever did not come back for so long does not come back for that; it is nobody else's to read. */
async function forgetOldDeeds(): Promise<void> {
  const { store, done } = (await database()).transaction('outbox', 'readwrite');
  for (const { key, doneAt } of await store.getAll()) {
    if (Date.now() - doneAt > FORGOTTEN_AFTER_MS) await store.delete(key);
  }
  await done;
}

/** Whether it is in the database now. */
async function write(entry: Entry): Promise<boolean> {
  try {
    await (await database()).put('outbox', entry);
    return true;
  } catch (failure) {
    console.warn('It is kept by this page alone.', failure);
    return false;
  }
}
