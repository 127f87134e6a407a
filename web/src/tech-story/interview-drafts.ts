// What is typed in an interview: its entries, and the edits of the story it ended with. Kept as drafts, as the job's other
// texts are, until the story is saved: however the dialog is closed, the next one shows them.
import type { JobRef } from '../api/tech-stories.ts';
import { keepDraft, settleDraft, useDrafts } from './drafts.ts';
import type { Entries } from './interview.ts';

export function useEntries({ roNumber, jobNumber }: JobRef): [Entries, (entries: Entries) => void] {
  const { interviewCause, interviewNotes } = useDrafts(roNumber, jobNumber);
  const entries = { cause: interviewCause?.text ?? '', briefTechNotes: interviewNotes?.text ?? '' };
  return [entries, (written) => writeEntries({ roNumber, jobNumber }, written)];
}

function writeEntries({ roNumber, jobNumber }: JobRef, { cause, briefTechNotes }: Entries): void {
  const draft = (text: string) => (text === '' ? null : { text, base: '' });
  keepDraft(roNumber, jobNumber, 'interviewCause', draft(cause));
  keepDraft(roNumber, jobNumber, 'interviewNotes', draft(briefTechNotes));
}

export function discardEntries(job: JobRef): void {
  writeEntries(job, { cause: '', briefTechNotes: '' });
}

interface EditedStory {
  text: string;
  isEdited: boolean;
  write(text: string): void;
}

/** `story`: as the interviewer wrote it; the edits of another one are not this one's. */
export function useEditedStory({ roNumber, jobNumber }: JobRef, story: string): EditedStory {
  const { interviewStory } = useDrafts(roNumber, jobNumber);
  const isEdited = interviewStory?.base === story;
  return {
    text: isEdited ? interviewStory.text : story,
    isEdited,
    write: (text) =>
      keepDraft(roNumber, jobNumber, 'interviewStory', text === story ? null : { text, base: story }),
  };
}

export function discardEdits({ roNumber, jobNumber }: JobRef): void {
  keepDraft(roNumber, jobNumber, 'interviewStory', null);
}

/** The story of these entries is saved. What was entered since for another one stays. */
export function settleInterview(job: JobRef, { cause, briefTechNotes }: Entries): void {
  discardEdits(job);
  settleDraft(job, 'interviewCause', cause);
  settleDraft(job, 'interviewNotes', briefTechNotes);
}
