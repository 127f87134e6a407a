// A story that was written by hand and is not saved, as long as no editor shows it: to be read and copied.
import { useEffect } from 'react';
import type { DetailsJob } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { keepDraft, useDrafts } from './drafts.ts';

interface UnsavedStoryProps {
  roNumber: number;
  job: Pick<DetailsJob, 'jobNumber' | 'techStory'>;
}

export function UnsavedStory({ roNumber, job: { jobNumber, techStory } }: UnsavedStoryProps) {
  const { t } = useTranslation();
  const text = useDrafts(roNumber, jobNumber).techStory?.text.trim();
  const isSettled = text === techStory.trim();
  useEffect(() => {
    if (isSettled) keepDraft(roNumber, jobNumber, 'techStory', null);
  }, [isSettled, roNumber, jobNumber]);
  if (text === undefined || text === '' || isSettled) return null;
  return (
    <p className="mt-2 break-words whitespace-pre-wrap">
      <span className="block text-12 font-medium text-stale">{t('story.edit.unsaved')}</span>
      {text}
    </p>
  );
}
