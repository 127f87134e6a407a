// Sends one user's mutations to the server: one at a time, in the order in which they were made, whichever tab made
// them. The queue is kept in IndexedDB, too, so that it survives the page; the tabs tell each other of changes.
// The server executes an idempotency key once: a mutation that is sent again, by whichever tab, has no second effect.
import { ApiError } from '../api/http.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '../api/server-timing.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { database, type Mutation, type QueuedMutation, toQueuedMutation } from './database.ts';
import { type DeliveryResult, sendMutation } from './delivery.ts';
import type { Outbox } from './outbox.ts';

/** What the caller gets. `queued`: there is no connection; the mutation is kept and sent later. */
type Outcome = { kind: 'answered'; answer: unknown } | { kind: 'queued' };

/** How long a caller waits for the answer. After that the mutation counts as queued and is sent in the background. */
const ANSWER_WAIT_MS = 4_000;
const RETRY_DELAY_MS = { first: 2_000, factor: 2, most: 30_000 };
/** A mutation at which the server fails this often is given up, so that it does not block those behind it. */
const MAX_FAILURES = 5;
/** A mutation sent after its key's time might be executed twice; clocks and networks are given an hour. */
const MAX_AGE_MS = IDEMPOTENCY_KEY_TTL_MS - 3_600_000;
/** A browser's database that does not open holds no tap up for longer (ms). */
const DATABASE_WAIT_MS = 2_000;
const RETENTION_MS = 7 * 86_400_000;

type TabMessage =
  | { kind: 'waits'; entry: QueuedMutation }
  | { kind: 'refused'; entry: QueuedMutation }
  | { kind: 'done'; key: string; answer: unknown }
  | { kind: 'gone'; key: string };

interface PendingAnswer {
  resolve(outcome: Outcome): void;
  reject(error: ApiError): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface QueueHost {
  /** Whether the server has not been heard of lately, so that waiting for an answer is pointless. */
  isServerUnresponsive(): boolean;
  /** Whether this user is still the one who is signed in in this tab. */
  isSignedIn(): boolean;
  onChange(): void;
  /** A mutation was executed whose caller waits no longer. */
  onLateAnswer(mutation: Mutation, answer: unknown): void;
}

export class MutationQueue {
  private readonly uid: string;
  private readonly host: QueueHost;
  private readonly otherTabs: BroadcastChannel | null;
  private readonly entries = new Map<string, QueuedMutation>();
  /** Keys that another tab reported as removed: a read of the database begun before that must not bring them back. */
  private readonly removedKeys = new Set<string>();
  /** Callers in this tab that still wait for their answer. */
  private readonly pendingAnswers = new Map<string, PendingAnswer>();
  /** Writes to the database, by key. False: the write failed, and only this page has the mutation. */
  private readonly writing = new Map<string, Promise<boolean>>();
  private readonly loaded: Promise<void>;
  private sending = false;
  private sendAgain = false;
  private closed = false;
  private failures = 0;
  private readonly failuresOf = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(uid: string, host: QueueHost) {
    this.uid = uid;
    this.host = host;
    // Not the name that earlier builds used: their messages have another shape.
    this.otherTabs =
      typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`dispatch-mutations-${uid}`);
    if (this.otherTabs !== null) {
      this.otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => this.handleTabMessage(data);
    }
    const loading = this.load();
    // What is in a database that opens later is sent then.
    this.loaded = withinWait(loading, () => void loading.then(() => this.send()));
  }

  /** Rejects with the server's ApiError when it refuses the mutation. */
  async submit(mutation: Mutation): Promise<Outcome> {
    await this.loaded;
    const entry: QueuedMutation = {
      key: mutation.key,
      uid: this.uid,
      place: this.nextPlace(),
      doneAt: Date.now(),
      mutation,
    };
    const waitsBehind = this.contents().waiting.length > 0;
    this.entries.set(entry.key, entry);
    const outcome = new Promise<Outcome>((resolve, reject) => {
      this.pendingAnswers.set(entry.key, { resolve, reject, timer: undefined });
    });
    // Not awaited: the request goes out while the mutation is being written.
    this.persist(entry);
    if (waitsBehind || this.host.isServerUnresponsive()) {
      this.markQueued(entry);
    } else {
      this.startAnswerTimer(entry);
      this.host.onChange();
    }
    void this.send();
    return outcome;
  }

  contents(): Outbox {
    const all = this.inOrder();
    return {
      // A mutation whose caller still waits counts as being sent, not as waiting.
      waiting: all
        .filter(({ key, refused }) => refused === undefined && !this.pendingAnswers.has(key))
        .map(({ mutation }) => mutation),
      underWay: this.pendingAnswers.size,
      refused: all.flatMap(({ mutation, refused }) =>
        refused === undefined ? [] : [{ mutation, ...refused }],
      ),
    };
  }

  /** The user has read why a mutation was refused. */
  async dismiss(key: string): Promise<void> {
    if (this.entries.get(key)?.refused === undefined) return;
    this.notifyTabs({ kind: 'gone', key });
    await this.remove(key);
  }

  /** Sends the queue: the connection is there, or may be. */
  async send(): Promise<void> {
    await this.loaded;
    if (this.closed) return;
    if (this.sending) {
      this.sendAgain = true;
      return;
    }
    if (this.next() === undefined) return;
    this.sending = true;
    this.sendAgain = false;
    clearTimeout(this.timer);
    try {
      await this.withSendLock(() => this.sendAll());
    } finally {
      this.sending = false;
    }
    // A mutation was added just after the last one was sent.
    if (this.sendAgain) void this.send();
  }

  /** Stops sending from this tab. Waiting mutations stay in the database. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const entry of this.inOrder()) this.markQueued(entry);
    this.otherTabs?.close();
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const entry = this.next();
      if (entry === undefined) return;
      // Another tab may have sent it while this one waited for the lock.
      const isUnsent = this.pendingAnswers.has(entry.key) || (await this.isPersisted(entry.key));
      // The user may have signed out meanwhile.
      if (this.closed || !this.host.isSignedIn()) return;
      if (!isUnsent) this.dropEntry(entry.key);
      if (this.entries.get(entry.key) !== entry) continue;
      this.sendAgain = false;
      const deliverEntry = await this.verdict(entry);
      if (await this.applyResult(entry, deliverEntry)) continue;
      // Callers need not wait for the next attempt.
      for (const other of this.inOrder()) this.markQueued(other);
      // The connection came back during this attempt.
      if (this.sendAgain) continue;
      this.sendLater();
      return;
    }
  }

  private async verdict(entry: QueuedMutation): Promise<DeliveryResult> {
    if (Date.now() - entry.doneAt > MAX_AGE_MS) {
      return { kind: 'refused', error: new ApiError(0, 'too-late', 'It waited for more than a day.') };
    }
    const verdict = await sendMutation(entry.mutation);
    if (verdict.kind !== 'unknown' || verdict.error === undefined) return verdict;
    const failures = (this.failuresOf.get(entry.key) ?? 0) + 1;
    this.failuresOf.set(entry.key, failures);
    return failures < MAX_FAILURES ? verdict : { kind: 'refused', error: verdict.error };
  }

  /** Whether the next mutation may be sent. */
  private async applyResult(entry: QueuedMutation, verdict: DeliveryResult): Promise<boolean> {
    const { key } = entry;
    if (verdict.kind === 'unknown') return false;
    // Nobody is here to read the refusal. The next page sends it again and gets the same one.
    if (this.closed && verdict.kind === 'refused') return true;
    this.failures = 0;
    this.failuresOf.delete(key);
    if (verdict.kind === 'refused') {
      await this.refuse(entry, verdict.error);
      return true;
    }
    const caller = this.removePending(key);
    if (caller !== undefined) caller.resolve({ kind: 'answered', answer: verdict.answer });
    else this.host.onLateAnswer(entry.mutation, verdict.answer);
    this.notifyTabs({ kind: 'done', key, answer: verdict.answer });
    await this.remove(key);
    return true;
  }

  private async refuse(entry: QueuedMutation, error: ApiError): Promise<void> {
    const { key } = entry;
    // Begun first: a page that is closed meanwhile must not leave the undo behind alone.
    const undoRemoved = this.dropUndoOf(key);
    const caller = this.removePending(key);
    if (caller !== undefined) {
      caller.reject(error);
      this.notifyTabs({ kind: 'gone', key });
      await this.remove(key);
    } else {
      const refusal = { sentence: errorMessage(error, i18n.t), code: error.code };
      const refused: QueuedMutation = { ...entry, refused: refusal };
      this.setEntry(refused);
      await withinWait(this.persist(refused), () => false);
      this.notifyTabs({ kind: 'refused', entry: refused });
    }
    await undoRemoved;
  }

  /** Of what was refused there is nothing to take back: the server would take back the change before it. */
  private async dropUndoOf(key: string): Promise<void> {
    const undo = this.inOrder().find(({ refused, mutation }) => !refused && mutation.undoes === key);
    if (undo === undefined) return;
    this.removePending(undo.key)?.resolve({ kind: 'answered', answer: null });
    this.notifyTabs({ kind: 'gone', key: undo.key });
    await this.remove(undo.key);
  }

  private sendLater(): void {
    const { first, factor, most } = RETRY_DELAY_MS;
    const delay = Math.min(first * factor ** this.failures, most);
    this.failures++;
    this.timer = setTimeout(() => void this.send(), delay);
  }

  private startAnswerTimer({ key }: QueuedMutation): void {
    const caller = this.pendingAnswers.get(key);
    if (caller === undefined) return;
    caller.timer = setTimeout(() => {
      const entry = this.entries.get(key);
      if (entry !== undefined) this.markQueued(entry);
    }, ANSWER_WAIT_MS);
  }

  /** The caller waits no longer; the mutation is shown as waiting. */
  private markQueued(entry: QueuedMutation): void {
    const caller = this.removePending(entry.key);
    if (caller === undefined) return;
    caller.resolve({ kind: 'queued' });
    this.host.onChange();
    // Other tabs read it from the database, so they are told once it is there.
    void this.writing.get(entry.key)?.then((isStored) => {
      if (isStored && this.entries.get(entry.key) === entry) this.notifyTabs({ kind: 'waits', entry });
    });
  }

  /** Told together with what becomes of the entry. */
  private removePending(key: string): PendingAnswer | undefined {
    const caller = this.pendingAnswers.get(key);
    clearTimeout(caller?.timer);
    this.pendingAnswers.delete(key);
    return caller;
  }

  private handleTabMessage(message: TabMessage): void {
    switch (message.kind) {
      case 'waits':
        if (!this.removedKeys.has(message.entry.key)) this.setEntry(message.entry);
        // The tab that made it may be closed before it could send it.
        if (!this.host.isServerUnresponsive()) void this.send();
        return;
      case 'refused': {
        const { sentence: reason = '', code = 'unexpected-answer' } = message.entry.refused ?? {};
        const caller = this.removePending(message.entry.key);
        if (caller === undefined) {
          this.setEntry(message.entry);
        } else {
          caller.reject(new ApiError(0, code, reason));
          this.notifyTabs({ kind: 'gone', key: message.entry.key });
          void this.remove(message.entry.key);
        }
        return;
      }
      case 'done':
        this.removePending(message.key)?.resolve({ kind: 'answered', answer: message.answer });
        this.dropEntry(message.key);
        return;
      case 'gone':
        // An undo whose change was refused: another tab sent that.
        this.removePending(message.key)?.resolve({ kind: 'answered', answer: null });
        this.dropEntry(message.key);
    }
  }

  private notifyTabs(message: TabMessage): void {
    if (!this.closed) this.otherTabs?.postMessage(message);
  }

  private inOrder(): QueuedMutation[] {
    return [...this.entries.values()].toSorted((a, b) => a.place - b.place);
  }

  private next(): QueuedMutation | undefined {
    return this.inOrder().find(({ refused }) => refused === undefined);
  }

  private nextPlace(): number {
    const last = Math.max(0, ...[...this.entries.values()].map(({ place }) => place));
    return Math.max(last + 1, Date.now());
  }

  private setEntry(entry: QueuedMutation): void {
    this.entries.set(entry.key, entry);
    this.host.onChange();
  }

  private dropEntry(key: string): void {
    this.removedKeys.add(key);
    if (this.entries.delete(key)) this.host.onChange();
  }

  private async load(): Promise<void> {
    try {
      const db = await database();
      await deleteExpiredMutations();
      for (const stored of await db.getAllFromIndex('outbox', 'uid', this.uid)) {
        const entry = toQueuedMutation(stored);
        if (!this.removedKeys.has(entry.key) && !this.entries.has(entry.key))
          this.entries.set(entry.key, entry);
      }
    } catch (failure) {
      console.warn('What waits to be sent is kept by this page alone.', failure);
    }
    if (this.entries.size > 0) this.host.onChange();
  }

  private persist(entry: QueuedMutation): Promise<boolean> {
    const written = write(entry);
    this.writing.set(entry.key, written);
    return written;
  }

  private async isPersisted(key: string): Promise<boolean> {
    const asked = async () => {
      if ((await this.writing.get(key)) === false) return true;
      return (await (await database()).getKey('outbox', key)) !== undefined;
    };
    // Where the database says nothing, it may be here alone. Sent twice it is executed once.
    return withinWait(
      asked().catch(() => true),
      () => true,
    );
  }

  private async remove(key: string): Promise<void> {
    this.dropEntry(key);
    const removed = async () => {
      // The write may end after the answer; the entry is deleted after it is written.
      if ((await this.writing.get(key)) === false) return;
      this.writing.delete(key);
      await (await database()).delete('outbox', key);
    };
    const tried = removed().catch((failure: unknown) => {
      console.warn('It may be sent once more.', failure);
    });
    await withinWait(tried, () => undefined);
  }

  private async withSendLock(work: () => Promise<void>): Promise<void> {
    // Web Locks exist on HTTPS and localhost only. Without them two tabs may send the same key, which the server executes once.
    if ('locks' in navigator) await navigator.locks.request(`dispatch-outbox-${this.uid}`, work);
    else await work();
  }
}

/** What the work with the browser's database comes to, or `late()` where that takes too long. The work goes on. */
async function withinWait<T>(work: Promise<T>, late: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), DATABASE_WAIT_MS);
  });
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearTimeout(timer);
  }
}

/** Deletes everything that this user has queued, sent or not. */
export async function deleteQueuedMutations(uid: string): Promise<void> {
  const { store, done } = (await database()).transaction('outbox', 'readwrite');
  for (const key of await store.index('uid').getAllKeys(uid)) await store.delete(key);
  await done;
}

/** Deletes the mutations of users who have not come back for a week. */
async function deleteExpiredMutations(): Promise<void> {
  const { store, done } = (await database()).transaction('outbox', 'readwrite');
  for (const { key, doneAt } of await store.getAll()) {
    if (Date.now() - doneAt > RETENTION_MS) await store.delete(key);
  }
  await done;
}

/** Whether the entry is in the database now. */
async function write(entry: QueuedMutation): Promise<boolean> {
  try {
    await (await database()).put('outbox', entry);
    return true;
  } catch (failure) {
    console.warn('It is kept by this page alone.', failure);
    return false;
  }
}
