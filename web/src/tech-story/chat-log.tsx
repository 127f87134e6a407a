// Questions and answers, the newest last and just above the answer buttons.

import type { TFunction } from 'i18next';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/http.ts';
import type { Turn } from '../api/tech-stories.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import type { StoryTexts } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { RequestReference } from '../ui/request-reference.tsx';
import { answerLabel } from './answer-label.ts';
import type { Failure, Stage } from './interview.ts';

type ShownStage = Exclude<Stage, { at: 'entering' }>;

export function ChatLog({ stage }: { stage: ShownStage }) {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const { turns } = stage.interview;
  const progress = stage.at === 'generating' ? stage.progress : '';
  useEffect(() => {
    // The text grows within a turn, and the log scrolls with it.
    if (stage.at === 'generating' || stage.at === 'asking' || stage.at === 'failed')
      end.current?.scrollIntoView({ block: 'end' });
  }, [stage]);
  return (
    <div className="mt-auto flex flex-col gap-3">
      <div role="log" aria-label={t('story.log')} className="flex flex-col gap-3 empty:hidden">
        {turns.map((turn, place) => (
          // A model may repeat a question; its position identifies it.
          <TurnBubbles key={[place, turn.question].join()} number={place + 1} turn={turn} />
        ))}
        {stage.at === 'asking' && (
          <Bubble
            caption={
              stage.question.of === null
                ? t('story.question', { number: stage.question.number })
                : t('story.questionOf', { number: stage.question.number, of: stage.question.of })
            }
            isOpen
          >
            {stage.question.question}
          </Bubble>
        )}
        {stage.at === 'failed' && <FailureLine failure={stage.failure} />}
      </div>
      {/* Read out when it is whole. */}
      {progress !== '' && (
        <div aria-hidden>
          <Bubble caption={t('story.generating')}>
            {progress}
            <span className="ml-0.5 inline-block h-3.5 w-0.5 animate-pulse bg-accent align-text-bottom" />
          </Bubble>
        </div>
      )}
      {/* The foot lies over the end of what scrolls. */}
      <div ref={end} className="scroll-mb-48" />
    </div>
  );
}

function TurnBubbles({ number, turn }: { number: number; turn: Turn }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1.5">
      <Bubble caption={t('story.question', { number })}>{turn.question}</Bubble>
      <p className="self-end rounded-lg rounded-br-sm bg-accent-tint px-3.5 py-1.5 text-14 font-semibold text-accent">
        <span className="sr-only">{t('story.answered')} </span>
        {t(`story.answer.${answerLabel[turn.answer]}`)}
        {turn.value !== undefined && turn.value !== null && (
          <span className="font-normal break-words">: {turn.value}</span>
        )}
      </p>
    </div>
  );
}

interface BubbleProps {
  caption: string;
  /** The question waits for its answer. */
  isOpen?: boolean;
  children: ReactNode;
}

function Bubble({ caption, isOpen = false, children }: BubbleProps) {
  return (
    <div
      className={`max-w-[88%] self-start rounded-lg rounded-bl-sm border px-3.5 py-2 text-14 ${isOpen ? 'border-accent bg-raised' : 'border-transparent bg-sunken'}`}
    >
      <p className="text-12 text-quiet">{caption}</p>
      <p className={`break-words whitespace-pre-wrap ${isOpen ? 'font-medium' : ''}`}>{children}</p>
    </div>
  );
}

function FailureLine({ failure }: { failure: Failure }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-2.5 rounded-lg bg-danger-tint px-3.5 py-2.5 text-14 text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{t(`story.${failure.kind}`)}</p>
        {'detail' in failure && <p className="text-13 break-words">{failureText(failure.detail, t)}</p>}
        {'detail' in failure && <RequestReference request={failedRequest(failure.detail, t)} />}
      </div>
    </div>
  );
}

function failureText(failure: unknown, t: TFunction): string {
  const code = failure instanceof ApiError ? failure.code : '';
  return isKnownReason(code) ? t(`story.why.${code}`) : errorMessage(failure, t);
}

type KnownReason = keyof StoryTexts['why'];
const knownAnswers: readonly string[] = [
  'interviewer-unavailable',
  'unusable-reply',
  'too-many-requests',
] satisfies KnownReason[];

function isKnownReason(code: string): code is KnownReason {
  return knownAnswers.includes(code);
}
