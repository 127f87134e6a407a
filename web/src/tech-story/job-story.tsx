// The place of a job's story in an order's details. What can be done with it comes after it: its text is there at once.
import { type ReactNode, useEffect, useReducer, useRef } from 'react';
import type { Details, DetailsJob } from '../api/repair-orders.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { storyTexts } from '../i18n/story.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { storyShown, useStoryRequest } from '../repair-order/story-request.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { type Part, part, useLoadedPart } from '../ui/part.ts';

export interface JobStoryProps {
  details: Details;
  job: DetailsJob;
}

const storyBlock = part(async () => {
  const [{ StoryBlock }] = await Promise.all([import('./story-block.tsx'), loadTexts(storyTexts)]);
  return StoryBlock;
});

const unsavedStory = part(async () => {
  const [{ UnsavedStory }] = await Promise.all([import('./unsaved-story.tsx'), loadTexts(storyTexts)]);
  return UnsavedStory;
});

export function JobStory(props: JobStoryProps) {
  return (
    <StoryPlace {...props}>
      <Story {...props} />
    </StoryPlace>
  );
}

function Story(props: JobStoryProps) {
  const { t } = useTranslation();
  const { details, job } = props;
  if (details.storiesWithheld === true) {
    return (
      <>
        <PlainStory text="" none={t('details.storiesWithheld')} />
        {/* What was begun while it might be written is still its author's to copy. */}
        <StoryPart source={unsavedStory} shown={{ roNumber: details.repairOrderNumber, job }} before={null} />
      </>
    );
  }
  const plain = <PlainStory text={job.techStory.trim()} none={t('details.noStory')} />;
  return <StoryPart source={storyBlock} shown={props} before={plain} />;
}

interface StoryPartProps<P> {
  source: Part<P>;
  shown: P;
  /** In its place until it is loaded, and where it is not. */
  before: ReactNode;
}

function StoryPart<P extends object>({ source, shown, before }: StoryPartProps<P>) {
  const { Loaded, hasFailed, retry } = useLoadedPart(source);
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  const failed = (tryAgain: () => void) => (
    <>
      {before}
      <NotLoaded retry={tryAgain} />
    </>
  );
  if (Loaded === null) return hasFailed ? failed(retry) : before;
  return (
    <ErrorBoundary fallback={failed(again)} resetKey={String(attempt)}>
      <Loaded {...shown} />
    </ErrorBoundary>
  );
}

function NotLoaded({ retry }: { retry(): void }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-stale">
      {t('details.storyNotLoaded')}
      <Button onClick={retry} className="max-md:h-11">
        {t('details.retry')}
      </Button>
    </p>
  );
}

/** Where somebody asked for it, or for the order's stories of which it is the first, it is brought on screen. */
function StoryPlace({ details, job, children }: JobStoryProps & { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const requested = useStoryRequest();
  const isFirst = details.jobs.every(({ jobNumber }) => jobNumber >= job.jobNumber);
  const isWanted =
    requested?.roNumber === details.repairOrderNumber &&
    (requested.jobNumber === null ? isFirst : requested.jobNumber === job.jobNumber);
  useEffect(() => {
    if (!isWanted) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.focus({ preventScroll: true });
    storyShown();
  }, [isWanted]);
  return (
    <div ref={place} tabIndex={-1} className="rounded-sm outline-offset-4">
      {children}
    </div>
  );
}

function PlainStory({ text, none }: { text: string; none: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <h4 className="text-12 font-medium text-quiet">{t('details.story')}</h4>
      <p className={`mt-0.5 break-words whitespace-pre-wrap ${text === '' ? 'text-quiet' : ''}`}>
        {text === '' ? none : text}
      </p>
    </div>
  );
}
