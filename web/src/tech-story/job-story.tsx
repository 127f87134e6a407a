// The place of a job's story in an order's details. What can be done with it comes after it: its text is there at once.
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { Details, DetailsJob } from '../api/repair-orders.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { storyTexts } from '../i18n/story.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { storyShown, useStoryRequest } from '../repair-order/story-request.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

export interface JobStoryProps {
  details: Details;
  job: DetailsJob;
}

const StoryBlock = lazy(async () => {
  const [{ StoryBlock: block }] = await Promise.all([import('./story-block.tsx'), loadTexts(storyTexts)]);
  return { default: block };
});

const UnsavedStory = lazy(async () => {
  const [{ UnsavedStory: unsaved }] = await Promise.all([
    import('./unsaved-story.tsx'),
    loadTexts(storyTexts),
  ]);
  return { default: unsaved };
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
  if (props.details.storiesWithheld === true) {
    return (
      <>
        <PlainStory text="" none={t('details.storiesWithheld')} />
        {/* What was begun while it might be written is still its author's to copy. */}
        <Suspense>
          <UnsavedStory roNumber={props.details.repairOrderNumber} job={props.job} />
        </Suspense>
      </>
    );
  }
  const plain = <PlainStory text={props.job.techStory.trim()} none={t('details.noStory')} />;
  return (
    <ErrorBoundary fallback={plain}>
      <Suspense fallback={plain}>
        <StoryBlock {...props} />
      </Suspense>
    </ErrorBoundary>
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
