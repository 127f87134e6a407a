// The next actions, below the interview and always in view.
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { pressGuard } from '../ui/double-click.ts';
import { AnswerButtons, BackButton } from './answer-buttons.tsx';
import { ENTRIES_FORM } from './entries-form.tsx';
import { canGoBack, type Failure, type InterviewControls } from './interview.ts';
import { BUILT_IN } from './interviewer-choice.tsx';
import { REVIEW_FORM } from './story-review.tsx';

interface FootProps {
  conduct: InterviewControls;
  /** The finished story was edited, which an answer that is taken back would undo. */
  isEdited: boolean;
  end(): void;
  close(): void;
}

const wide = 'max-md:h-12 max-md:flex-1';

/** Each press puts the next stage's buttons, or those of the next question, where it was made. */
export function InterviewActions(props: FootProps) {
  return (
    <div {...pressGuard} className="contents">
      <StageActions {...props} />
    </div>
  );
}

function StageActions({ conduct, isEdited, end, close }: FootProps) {
  const { t } = useTranslation();
  const { stage } = conduct;
  switch (stage.at) {
    case 'entering':
      return (
        <>
          <Button onClick={close} className={wide}>
            {t('story.cancel')}
          </Button>
          <Button type="submit" form={ENTRIES_FORM} variant="primary" className={wide}>
            {t('story.start')}
          </Button>
        </>
      );
    case 'generating':
      return (
        <>
          <StatusNote>{t('story.generating')}</StatusNote>
          <Button onClick={conduct.stop} className="h-12">
            {t('story.cancel')}
          </Button>
        </>
      );
    case 'asking':
      return (
        <AnswerButtons
          key={stage.question.number}
          question={stage.question}
          answer={conduct.answer}
          back={canGoBack(stage.interview) ? conduct.back : null}
        />
      );
    case 'failed':
      return <FailureActions conduct={conduct} failure={stage.failure} end={end} />;
    case 'reviewing':
      return (
        <>
          {canGoBack(stage.interview) && !isEdited && (
            <BackButton
              number={stage.interview.turns.length}
              back={conduct.back}
              className="mr-auto -ml-2 h-9 max-md:h-12 pointer-coarse:h-12"
            />
          )}
          <Button type="submit" form={REVIEW_FORM} variant="primary" className={wide}>
            {t('story.review.save')}
          </Button>
        </>
      );
    case 'saving':
    case 'saved':
      // The same element for both texts, so that a screen reader announces the second.
      return (
        <StatusNote done={stage.at === 'saved'}>
          {t(stage.at === 'saved' ? 'story.success' : 'story.saving')}
        </StatusNote>
      );
  }
}

function FailureActions({
  conduct,
  failure,
  end,
}: Pick<FootProps, 'conduct' | 'end'> & { failure: Failure }) {
  const { t } = useTranslation();
  const { stage } = conduct;
  if (failure.kind === 'movedOn') {
    return (
      <Button variant="primary" onClick={conduct.catchUp} className={wide}>
        {t('story.goOn')}
      </Button>
    );
  }
  if (failure.kind !== 'failed' && failure.kind !== 'unusable') {
    return (
      <Button variant="primary" onClick={end} className={wide}>
        {t('story.anew')}
      </Button>
    );
  }
  const isModel = stage.at === 'failed' && stage.interview.interviewer?.id !== BUILT_IN.id;
  return (
    <div className="flex w-full justify-end gap-2.5 max-md:flex-col-reverse">
      {isModel && (
        <Button
          onClick={() => conduct.startWith(BUILT_IN)}
          title={t('story.useBuiltInHint')}
          className="max-md:h-12"
        >
          {t('story.useBuiltIn')}
        </Button>
      )}
      <Button variant="primary" onClick={conduct.retry} className="max-md:h-12">
        {t('story.again')}
      </Button>
    </div>
  );
}

function StatusNote({ done = false, children }: { done?: boolean; children: ReactNode }) {
  return (
    <p
      role="status"
      className={`flex min-h-12 min-w-0 flex-1 items-center gap-2.5 ${done ? 'text-14 font-medium text-used' : 'text-13 text-quiet'}`}
    >
      {done ? (
        <CircleCheck aria-hidden className="size-5 shrink-0" />
      ) : (
        <span
          aria-hidden
          className="size-5 shrink-0 animate-spin rounded-full border-2 border-line border-t-accent"
        />
      )}
      {children}
    </p>
  );
}
