// The state of an interview: its inputs, turns and next step. The server keeps it too, so that it resumes after a
// reload.
import { useEffect, useRef, useState } from 'react';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import type { ChangedResult } from '../api/repair-orders.ts';
import {
  type Answer,
  endConversation,
  type FinishedStory,
  fetchOpenStory,
  fetchUnsupportedFacts,
  type Interviewer,
  type JobRef,
  nextReply,
  type OpenStory,
  type Question,
  type StoryReply,
  saveStory,
  type Turn,
  type UnsupportedFact,
} from '../api/tech-stories.ts';
import { type Language, languageOr } from '../i18n/i18n.ts';

export interface Entries {
  cause: string;
  briefTechNotes: string;
}

/** The parts of an interview that are known from its start. */
interface Interview {
  /** Null until the server has answered once. */
  conversationId: string | null;
  /** Null: the server's default interviewer, which its first reply names. */
  interviewer: Interviewer | null;
  language: Language;
  entries: Entries;
  turns: readonly Turn[];
}

/** Why there is no reply, which decides the offered actions. */
export type Failure =
  | { kind: 'failed' | 'unusable'; detail: unknown }
  /** It cannot be continued. */
  | { kind: 'expired' | 'ended' | 'tooMany' }
  /** The same user has answered in another window meanwhile. */
  | { kind: 'movedOn' };

export type Stage =
  | { at: 'entering' }
  | { at: 'generating'; interview: Interview; progress: string }
  | { at: 'asking'; interview: Interview; question: Question }
  | { at: 'failed'; interview: Interview; failure: Failure }
  | { at: 'reviewing'; interview: Interview; story: FinishedStory; problem: unknown }
  | { at: 'saving' | 'saved'; interview: Interview; story: FinishedStory };

export interface InterviewControls {
  stage: Stage;
  start(entries: Entries, interviewer: Interviewer | null, language: string): void;
  answer(answer: Answer): void;
  /** Sends the unanswered request again. */
  retry(): void;
  /** Cancels the request under way. */
  stop(): void;
  /** Ends the interview; the entered texts stay. */
  end(): void;
  /** Starts again with the entered texts. */
  startWith(interviewer: Interviewer): void;
  resume(open: OpenStory): void;
  /** Continues from the state of the other window. */
  catchUp(): void;
  save(text: string, confirmed: string[]): void;
}

const ENTERING: Stage = { at: 'entering' };

export function useInterview(job: JobRef, saved: (changed: ChangedResult) => void): InterviewControls {
  const [stage, setStage] = useState<Stage>(ENTERING);
  /** The current request; answers to older ones are ignored. */
  const current = useRef<AbortController>(null);
  /** The last question, for when its answer is taken back. */
  const lastQuestion = useRef<Question>(null);
  useEffect(() => () => current.current?.abort(), []);

  const begin = () => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    return controller.signal;
  };

  const show = (interview: Interview, reply: StoryReply, isFresh: boolean) => {
    const updated = { ...interview, conversationId: reply.conversationId, interviewer: reply.interviewer };
    if (reply.type === 'question') {
      lastQuestion.current = reply;
      setStage({ at: 'asking', interview: updated, question: reply });
    } else if (isFresh && reply.doubts.length === 0) {
      void keep(updated, reply, reply.story, []);
    } else {
      setStage({ at: 'reviewing', interview: updated, story: reply, problem: null });
    }
  };

  const ask = async (interview: Interview) => {
    const signal = begin();
    setStage({ at: 'generating', interview, progress: '' });
    const { conversationId, interviewer, language, entries, turns } = interview;
    try {
      const reply = await nextReply(
        {
          ...job,
          ...(conversationId === null ? {} : { conversationId }),
          ...entries,
          language,
          ...(interviewer === null ? {} : { interviewer: interviewer.id }),
          conversation: [...turns],
        },
        (progress) => {
          if (!signal.aborted) setStage({ at: 'generating', interview, progress });
        },
        signal,
      );
      if (!signal.aborted) show(interview, reply, true);
    } catch (failure) {
      if (signal.aborted) return;
      console.warn('There is no reply.', failure);
      setStage({ at: 'failed', interview, failure: failureOf(failure) });
    }
  };

  const keep = async (interview: Interview, story: FinishedStory, text: string, confirmed: string[]) => {
    const signal = begin();
    setStage({ at: 'saving', interview, story });
    try {
      const changed = await saveStory(story.conversationId, { story: text, confirmed });
      // The story is saved even if the dialog is closed.
      saved(changed);
      if (!signal.aborted) setStage({ at: 'saved', interview, story });
    } catch (failure) {
      if (signal.aborted) return;
      const facts = fetchUnsupportedFacts(failure);
      const problem = facts === null ? failure : null;
      const shown = { ...story, story: text, doubts: merged(story.doubts, facts ?? []) };
      setStage({ at: 'reviewing', interview, story: shown, problem });
    }
  };

  /** An interview that could not be ended expires on the server. */
  const forget = (conversationId: string | null) => {
    lastQuestion.current = null;
    if (conversationId === null) return;
    void endConversation(conversationId).catch((failure: unknown) => console.warn('It goes on.', failure));
  };

  const resume = (open: OpenStory) => {
    const { conversationId, interviewer, cause, briefTechNotes, conversation, reply } = open;
    const interview: Interview = {
      conversationId,
      interviewer,
      language: languageOr(open.language),
      entries: { cause, briefTechNotes },
      turns: conversation,
    };
    show(interview, reply, false);
  };

  return {
    stage,
    start: (entries, interviewer, language) =>
      void ask({
        conversationId: null,
        interviewer,
        language: languageOr(language),
        entries: { cause: entries.cause.trim(), briefTechNotes: entries.briefTechNotes.trim() },
        turns: [],
      }),
    answer: (answer) => {
      if (stage.at !== 'asking') return;
      const { interview, question } = stage;
      void ask({ ...interview, turns: [...interview.turns, { question: question.question, answer }] });
    },
    retry: () => {
      if (stage.at === 'failed') void ask(stage.interview);
    },
    stop: () => {
      if (stage.at !== 'generating') return;
      begin();
      const { interview } = stage;
      const question = lastQuestion.current;
      const turns = interview.turns.slice(0, -1);
      setStage(
        question === null || interview.turns.length === 0
          ? ENTERING
          : { at: 'asking', interview: { ...interview, turns }, question },
      );
    },
    end: () => {
      begin();
      forget(stage.at === 'entering' ? null : stage.interview.conversationId);
      setStage(ENTERING);
    },
    startWith: (interviewer) => {
      if (stage.at !== 'failed') return;
      forget(stage.interview.conversationId);
      void ask({ ...stage.interview, conversationId: null, interviewer, turns: [] });
    },
    resume,
    catchUp: () => {
      if (stage.at !== 'failed') return;
      const { interview } = stage;
      const signal = begin();
      setStage({ at: 'generating', interview, progress: '' });
      void fetchOpenStory(job, signal).then(
        (open) => {
          if (signal.aborted) return;
          if (open === null) setStage({ at: 'failed', interview, failure: { kind: 'ended' } });
          else resume(open);
        },
        (failure: unknown) => {
          if (!signal.aborted) setStage({ at: 'failed', interview, failure: failureOf(failure) });
        },
      );
    },
    save: (text, confirmed) => {
      if (stage.at === 'reviewing') void keep(stage.interview, stage.story, text, confirmed);
    },
  };
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

/** Earlier unsupported facts stay in the list, so that removed ones show as removed. */
function merged(before: readonly UnsupportedFact[], now: readonly UnsupportedFact[]): UnsupportedFact[] {
  const texts = new Set(now.map(({ text }) => text));
  return [...now, ...before.filter(({ text }) => !texts.has(text))];
}
