// An interview as it goes: what was entered, asked and answered, and what comes next. The server keeps it, too, so that
// it can be continued after a reload.
import { useEffect, useRef, useState } from 'react';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import type { Changed } from '../api/repair-orders.ts';
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

/** What is known of an interview from its start on. */
interface Interview {
  /** Null until the server has answered once. */
  conversationId: string | null;
  /** Null: whoever the server has for it; its first reply says who that is. */
  interviewer: Interviewer | null;
  language: Language;
  entries: Entries;
  turns: readonly Turn[];
}

/** Why there is no reply, and so what can be done about it. */
export type Failure =
  | { kind: 'failed' | 'unusable'; detail: unknown }
  /** It cannot be continued. */
  | { kind: 'expired' | 'ended' | 'tooMany' }
  /** Another window of the same user has answered meanwhile. */
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
  /** What was not answered is asked again. */
  retry(): void;
  /** Whoever asks is not waited for any longer. */
  stop(): void;
  /** Ends it for good; what was entered stays. */
  end(): void;
  /** From the beginning with what was entered. */
  startWith(interviewer: Interviewer): void;
  resume(open: OpenStory): void;
  /** To where another window has brought it. */
  catchUp(): void;
  save(text: string, confirmed: string[]): void;
}

const ENTERING: Stage = { at: 'entering' };

export function useInterview(job: JobRef, saved: (changed: Changed) => void): InterviewControls {
  const [stage, setStage] = useState<Stage>(ENTERING);
  /** The request that is under way; whatever comes of an older one is no longer wanted. */
  const current = useRef<AbortController>(null);
  /** What was last asked, for when the answer to it is taken back. */
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
      // It is saved, whether or not anybody still looks.
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

  /** What could not be ended ends by itself, when its time is over. */
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

/** Doubts of before stay, so that what was edited away is seen to be gone. */
function merged(before: readonly UnsupportedFact[], now: readonly UnsupportedFact[]): UnsupportedFact[] {
  const texts = new Set(now.map(({ text }) => text));
  return [...now, ...before.filter(({ text }) => !texts.has(text))];
}
