// The state of an interview: its inputs, turns and next step. The server keeps it too, so that it resumes after a
// reload. What is asked of the server is in `interview-requests.ts`.
import { useEffect, useState } from 'react';
import type { ChangedResult } from '../api/repair-orders.ts';
import type {
  Answer,
  FinishedStory,
  Interviewer,
  JobRef,
  OpenStory,
  Question,
  Turn,
} from '../api/tech-stories.ts';
import { type Language, languageOr } from '../i18n/i18n.ts';
import { useNewest } from '../ui/latest.ts';
import { InterviewRequests } from './interview-requests.ts';

export interface Entries {
  cause: string;
  briefTechNotes: string;
}

/** The parts of an interview that are known from its start. */
export interface Interview {
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
  /** `kept`: while the answers before the last were given again, all of them. */
  | { at: 'failed'; interview: Interview; failure: Failure; kept?: readonly Turn[] }
  | { at: 'reviewing'; interview: Interview; story: FinishedStory; problem: unknown }
  | { at: 'saving' | 'saved'; interview: Interview; story: FinishedStory };

export interface InterviewControls {
  stage: Stage;
  start(entries: Entries, interviewer: Interviewer | null, language: string): void;
  /** `value`: null unless one was given with a Yes. */
  answer(answer: Answer, value: string | null): void;
  /** Takes the last answer back: its question is asked again. Only where `canGoBack`. */
  back(): void;
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

/**
 * The server takes no answer back, so the interview begins again and is given the same answers but the last. The
 * built-in interviewer asks the same each time; a model would have to be paid for each, and might ask otherwise.
 */
export function canGoBack({ interviewer, turns }: Interview): boolean {
  return interviewer?.id === 'built-in' && turns.length > 0;
}

const ENTERING: Stage = { at: 'entering' };

/**
 * `saved` gets the interview's entries, too. `notSaved`: the story could not be saved, and the dialog that would say so
 * is closed.
 */
export function useInterview(
  job: JobRef,
  saved: (changed: ChangedResult, entries: Entries) => void,
  notSaved: (failure: unknown) => void,
): InterviewControls {
  const [stage, setStage] = useState<Stage>(ENTERING);
  const latest = useNewest({ saved, notSaved });
  const [requests] = useState(
    () =>
      new InterviewRequests(
        job,
        setStage,
        (changed, entries) => latest.current.saved(changed, entries),
        (failure) => latest.current.notSaved(failure),
      ),
  );
  useEffect(() => () => requests.abort(), [requests]);

  return {
    stage,
    start: (entries, interviewer, language) =>
      void requests.ask({
        conversationId: null,
        interviewer,
        language: languageOr(language),
        entries: { cause: entries.cause.trim(), briefTechNotes: entries.briefTechNotes.trim() },
        turns: [],
      }),
    answer: (answer, value) => {
      if (stage.at !== 'asking') return;
      const { interview, question } = stage;
      const turn = { question: question.question, answer, ...(value === null ? {} : { value }) };
      void requests.ask({ ...interview, turns: [...interview.turns, turn] });
    },
    back: () => {
      if ((stage.at === 'asking' || stage.at === 'reviewing') && canGoBack(stage.interview))
        void requests.goBack(stage.interview);
    },
    retry: () => {
      if (stage.at !== 'failed') return;
      if (stage.kept === undefined) void requests.ask(stage.interview);
      else void requests.answerAgain(stage.interview, stage.kept);
    },
    stop: () => {
      if (stage.at === 'generating') setStage(requests.stopAsking() ?? ENTERING);
    },
    end: () => {
      requests.abort();
      if (stage.at !== 'entering') requests.forget(stage.interview.conversationId);
      setStage(ENTERING);
    },
    startWith: (interviewer) => {
      if (stage.at !== 'failed') return;
      requests.forget(stage.interview.conversationId);
      void requests.ask({ ...stage.interview, conversationId: null, interviewer, turns: [] });
    },
    resume: requests.resume,
    catchUp: () => {
      if (stage.at === 'failed') void requests.catchUp(stage.interview);
    },
    save: (text, confirmed) => {
      if (stage.at === 'reviewing') void requests.save(stage.interview, stage.story, text, confirmed);
    },
  };
}
