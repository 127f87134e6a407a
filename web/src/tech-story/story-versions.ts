// A job's story versions, and the text of their origin.
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { JobRef, StoryVersion } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useReloadWhenHeard } from '../repair-order/reload-after.ts';
import { useClock } from '../shop/clock.ts';
import { BUILT_IN } from './interviewer-choice.tsx';
import { StorySourceContext } from './story-source.ts';

/** `version`: the order's. With it in the key, what happens while they are read is added. */
export function useVersions(job: JobRef, version: number) {
  const source = useContext(StorySourceContext);
  const queryKey = ['stories', job.roNumber, job.jobNumber, version];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => source.versions(job, version, signal),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  useReloadWhenHeard(queryKey, query);
  return query;
}

/** 'Interview by the built-in interviewer, Joe Wilson, 10:41' */
export function useProvenance(): (version: StoryVersion) => string {
  const { t } = useTranslation();
  const clock = useClock();
  const interviewerOf = useInterviewerOf();
  return (version) => {
    const time = clock.short(Date.parse(version.at));
    const name = version.by?.name ?? t('story.by.somebody');
    if (version.kind === 'interview') {
      return t(version.edited ? 'story.by.interviewEdited' : 'story.by.interview', {
        interviewer: interviewerOf(version),
        name,
        time,
      });
    }
    return t(`story.by.${version.kind}`, { name, time });
  };
}

/** 'the built-in interviewer', or the model. */
function useInterviewerOf(): (made: Pick<StoryVersion, 'interviewer' | 'model'>) => string {
  const { t } = useTranslation();
  return ({ interviewer, model }) =>
    interviewer === null || interviewer === BUILT_IN.id ? t('story.by.builtIn') : (model ?? interviewer);
}
