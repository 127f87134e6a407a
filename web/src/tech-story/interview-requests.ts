// What an interview asks of the server, and the stage that each answer leads to. One request is under way at a time;
// the answers to earlier ones are ignored.
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError, idempotencyKey } from '../api/http.ts';
import type { ChangedResult } from '../api/repair-orders.ts';
import {
  endConversation,
  type FinishedStory,
  fetchOpenStory,
  fetchUnsupportedFacts,
  type JobRef,
  type NextTurn,
  nextReply,
  type OpenStory,
  type StoryReply,
  type StoryToSave,
  saveStory,
  type Turn,
  type UnsupportedFact,
} from '../api/tech-stories.ts';
import { languageOr } from '../i18n/i18n.ts';
import type { Entries, Failure, Interview, Stage } from './interview.ts';

export class InterviewRequests {
  readonly #job: JobRef;
  readonly #setStage: (stage: Stage) => void;
  readonly #saved: (changed: ChangedResult, entries: Entries) => void;
  readonly #notSaved: (failure: unknown) => void;
  #current: AbortController | null = null;
  /** The idempotency key of the last story that was sent. */
  #saveKey: { of: string; key: string } | null = null;
  /** The last question, for when the reply to its answer is not waited for. */
  #lastAsked: Extract<Stage, { at: 'asking' }> | null = null;

  /** `notSaved`: the story could not be saved, and the dialog that would say so is closed. */
  constructor(
    job: JobRef,
    setStage: (stage: Stage) => void,
    saved: (changed: ChangedResult, entries: Entries) => void,
    notSaved: (failure: unknown) => void,
  ) {
    this.#job = job;
    this.#setStage = setStage;
    this.#saved = saved;
    this.#notSaved = notSaved;
  }

  abort(): void {
    this.#current?.abort();
  }

  async ask(interview: Interview): Promise<void> {
    const signal = this.#begin();
    const showProgress = (progress: string) => this.#setStage({ at: 'generating', interview, progress });
    showProgress('');
    try {
      const reply = await nextReply(
        this.#request(interview),
        (progress) => {
          if (!signal.aborted) showProgress(progress);
        },
        signal,
      );
      if (!signal.aborted) this.#show(interview, reply);
    } catch (failure) {
      if (signal.aborted) return;
      console.warn('There is no reply.', failure);
      this.#setStage({ at: 'failed', interview, failure: failureOf(failure) });
    }
  }

  /**
   * Begins again, and gives the same answers but the last. Stops at a question that was not asked before: the order or
   * the server may have changed meanwhile.
   */
  goBack(interview: Interview): Promise<void> {
    const kept = interview.turns.slice(0, -1);
    return this.answerAgain({ ...interview, conversationId: null, turns: [] }, kept);
  }

  /** Goes on giving the answers `kept`, of which the interview has the first. */
  async answerAgain(interview: Interview, kept: readonly Turn[]): Promise<void> {
    const signal = this.#begin();
    this.#setStage({ at: 'generating', interview: { ...interview, turns: kept }, progress: '' });
    let repeated = interview;
    try {
      for (;;) {
        const reply = await nextReply(this.#request(repeated), () => undefined, signal);
        if (signal.aborted) return;
        const next = kept[repeated.turns.length];
        if (next === undefined || reply.type !== 'question' || reply.question !== next.question) {
          this.#show(repeated, reply);
          return;
        }
        const { conversationId, interviewer } = reply;
        this.#lastAsked = {
          at: 'asking',
          interview: { ...repeated, conversationId, interviewer },
          question: reply,
        };
        repeated = { ...repeated, conversationId, interviewer, turns: [...repeated.turns, next] };
      }
    } catch (failure) {
      if (signal.aborted) return;
      console.warn('There is no reply.', failure);
      this.#setStage({ at: 'failed', interview: repeated, failure: failureOf(failure), kept });
    }
  }

  async save(interview: Interview, story: FinishedStory, text: string, confirmed: string[]): Promise<void> {
    const signal = this.#begin();
    const sent = { ...story, story: text };
    this.#setStage({ at: 'saving', interview, story: sent });
    try {
      const body = { story: text, confirmed };
      const changed = await saveStory(story.conversationId, body, this.#keyFor(story.conversationId, body));
      // The story is saved even if the dialog is closed.
      this.#saved(changed, interview.entries);
      if (!signal.aborted) this.#setStage({ at: 'saved', interview, story: sent });
    } catch (failure) {
      if (isKeptRefusal(failure)) this.#saveKey = null;
      if (signal.aborted) {
        this.#notSaved(failure);
        return;
      }
      const facts = fetchUnsupportedFacts(failure);
      const problem = facts === null ? failure : null;
      // As it was written by the interviewer: the edits are a draft of it.
      const shown = { ...story, doubts: merged(story.doubts, facts ?? []) };
      this.#setStage({ at: 'reviewing', interview, story: shown, problem });
    }
  }

  /** The same for the same story: whoever saves it again, since the answer was lost, is answered as before. */
  #keyFor(...saved: [conversationId: string, body: StoryToSave]): string {
    const of = JSON.stringify(saved);
    if (this.#saveKey?.of !== of) this.#saveKey = { of, key: idempotencyKey() };
    return this.#saveKey.key;
  }

  readonly resume = (open: OpenStory): void => {
    const { conversationId, interviewer, cause, briefTechNotes, conversation, reply } = open;
    const interview: Interview = {
      conversationId,
      interviewer,
      language: languageOr(open.language),
      entries: { cause, briefTechNotes },
      turns: conversation,
    };
    this.#show(interview, reply);
  };

  /** Continues from the state of the other window. */
  async catchUp(interview: Interview): Promise<void> {
    const signal = this.#begin();
    this.#setStage({ at: 'generating', interview, progress: '' });
    try {
      const open = await fetchOpenStory(this.#job, signal);
      if (signal.aborted) return;
      if (open === null) this.#setStage({ at: 'failed', interview, failure: { kind: 'ended' } });
      else this.resume(open);
    } catch (failure) {
      if (!signal.aborted) this.#setStage({ at: 'failed', interview, failure: failureOf(failure) });
    }
  }

  /** Cancels the request under way: the question before it is asked again. Null: there is none. */
  stopAsking(): Stage | null {
    this.abort();
    return this.#lastAsked;
  }

  /** Ends the conversation. One that could not be ended expires on the server. */
  forget(conversationId: string | null): void {
    this.#lastAsked = null;
    if (conversationId === null) return;
    void endConversation(conversationId).catch((failure: unknown) => console.warn('It goes on.', failure));
  }

  #begin(): AbortSignal {
    this.abort();
    this.#current = new AbortController();
    return this.#current.signal;
  }

  #request({ conversationId, interviewer, language, entries, turns }: Interview): NextTurn {
    return {
      ...this.#job,
      ...(conversationId === null ? {} : { conversationId }),
      ...entries,
      language,
      ...(interviewer === null ? {} : { interviewer: interviewer.id }),
      conversation: [...turns],
    };
  }

  #show(interview: Interview, reply: StoryReply): void {
    const updated = { ...interview, conversationId: reply.conversationId, interviewer: reply.interviewer };
    if (reply.type === 'question') {
      this.#lastAsked = { at: 'asking', interview: updated, question: reply };
      this.#setStage(this.#lastAsked);
    } else {
      // A story is read before it is saved, whether anything is marked in it or not.
      this.#setStage({ at: 'reviewing', interview: updated, story: reply, problem: null });
    }
  }
}

const OVER: Readonly<Partial<Record<ErrorCode, Failure>>> = {
  'conversation-expired': { kind: 'expired' },
  'conversation-ended': { kind: 'ended' },
  'unknown-conversation': { kind: 'ended' },
  'too-many-questions': { kind: 'tooMany' },
  'conversation-moved-on': { kind: 'movedOn' },
};

function failureOf(failure: unknown): Failure {
  const code = failure instanceof ApiError ? failure.code : null;
  const over = code === null ? undefined : OVER[code];
  return over ?? { kind: code === 'unusable-reply' ? 'unusable' : 'failed', detail: failure };
}

/** The server keeps these as its answer to the request's key: another try, after a change elsewhere, needs another. */
function isKeptRefusal(failure: unknown): boolean {
  if (!(failure instanceof ApiError) || failure.code === 'unexpected-answer') return false;
  return [403, 404, 409, 410, 422].includes(failure.status);
}

/** Earlier unsupported facts stay in the list, so that removed ones show as removed. */
function merged(before: readonly UnsupportedFact[], now: readonly UnsupportedFact[]): UnsupportedFact[] {
  const texts = new Set(now.map(({ text }) => text));
  return [...now, ...before.filter(({ text }) => !texts.has(text))];
}
