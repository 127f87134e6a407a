// A story that was written by hand, or edited at the end of an interview, and is not saved, as long as no editor shows it:
// to be read and copied.
import { useEffect } from 'react';
import type { DetailsJob } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { keepDraft, useDrafts } from './drafts.ts';

interface UnsavedStoryProps {
  roNumber: number;
  job: Pick<DetailsJob, 'jobNumber' | 'techStory'>;
}

const storyFields = ['techStory', 'interviewStory'] as const;

export function UnsavedStory({ roNumber, job: { jobNumber, techStory } }: UnsavedStoryProps) {
  const drafts = useDrafts(roNumber, jobNumber);
  useEffect(() => {
    for (const field of storyFields) {
      if (drafts[field]?.text.trim() === techStory.trim()) keepDraft(roNumber, jobNumber, field, null);
    }
  }, [drafts, roNumber, jobNumber, techStory]);
  return storyFields.map((field) => {
    const text = drafts[field]?.text.trim() ?? '';
    return text === '' || text === techStory.trim() ? null : <Unsaved key={field} text={text} />;
  });
}

function Unsaved({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <p className="mt-2 break-words whitespace-pre-wrap">
      <span className="block text-12 font-medium text-stale">{t('story.edit.unsaved')}</span>
      {text}
    </p>
  );
}
