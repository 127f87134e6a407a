// 'Tech Story Generation': cause and notes, then questions answered by Yes, No or N/A, then the story. One sheet, whose
// foot has what can be done next.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChangedResult, Details, DetailsJob } from '../api/repair-orders.ts';
import { fetchInterviewers, fetchOpenStory, type Interviewer, type JobRef } from '../api/tech-stories.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useNewest } from '../ui/latest.ts';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { ChatLog } from './chat-log.tsx';
import { type EntriesDraft, EntriesForm } from './entries-form.tsx';
import { type Entries, type InterviewControls, type Stage, useInterview } from './interview.ts';
import { InterviewActions } from './interview-actions.tsx';
import {
  discardEdits,
  discardEntries,
  settleInterview,
  useEditedStory,
  useEntries,
} from './interview-drafts.ts';
import { InterviewerLine } from './interviewer-choice.tsx';
import { StoryReview } from './story-review.tsx';

/** For the success to be read. */
const CLOSES_AFTER_MS = 1_500;

interface TechStoryDialogProps {
  details: Pick<Details, 'repairOrderNumber' | 'displayNumber' | 'vehicle'>;
  job: DetailsJob;
  /** As soon as it is saved. */
  saved(changed: ChangedResult): void;
  close(): void;
}

/** Mounted for one opening: of an earlier one only what was typed is left. */
export function TechStoryDialog({ details, job, saved, close }: TechStoryDialogProps) {
  const { t, language } = useTranslation();
  const roNumber = details.repairOrderNumber;
  const at = { roNumber, jobNumber: job.jobNumber };
  const about = t('story.about', { number: details.displayNumber ?? roNumber, job: job.jobNumber });
  const conduct = useConduct(at, about, saved);
  const { stage } = conduct;
  const { draft, write, interviewers, interviewer } = useDraft(at);
  const open = useQuery(openInterviewOf(at)).data ?? null;
  const { isEdited } = useEditedStory(at, stage.at === 'reviewing' ? stage.story.story : '');
  const end = useEnd(at, conduct, (entries) => {
    write({ ...draft, ...entries });
    // The edits of a story end with its interview.
    if (isEdited) discardEdits(at);
  });
  const first = useRef<HTMLTextAreaElement>(null);
  useClosingAfterwards(stage.at === 'saved', close);
  const cancel = () => {
    discardEntries(at);
    close();
  };
  return (
    <Sheet
      open
      close={close}
      title={t('story.title')}
      subtitle={[about, details.vehicle].filter(Boolean).join(' · ')}
      closeLabel={t('story.close')}
      // A phone's keyboard would cover the half of it.
      initialFocus={() => (isTouchPointer() ? null : first.current)}
      footer={<InterviewActions conduct={conduct} isEdited={isEdited} end={end} close={cancel} />}
    >
      <div className="flex min-h-full flex-col gap-4">
        {stage.at === 'entering' ? (
          <EntriesForm
            {...{ roNumber, job, draft, write, interviewers, interviewer, open, first }}
            start={() => conduct.start(draft, interviewer, language)}
            resume={conduct.resume}
          />
        ) : (
          <BegunInterview at={at} job={job} stage={stage} end={end} save={conduct.save} />
        )}
      </div>
    </Sheet>
  );
}

/** What was typed is settled with the story that is made of it. */
function useConduct(at: JobRef, about: string, saved: TechStoryDialogProps['saved']): InterviewControls {
  const { t } = useTranslation();
  return useInterview(
    at,
    (changed, entries) => {
      settleInterview(at, entries);
      saved(changed);
    },
    (failure) => {
      const { detail, request } = failureDetail(failure, t);
      // By now another order may be on the screen.
      const text = t('story.review.saveFailed');
      showToast({ tone: 'destructive', text, detail: `${about} · ${detail}`, request });
    },
  );
}

/** The entries, and who is to interview. */
function useDraft(at: JobRef) {
  const [entries, writeEntries] = useEntries(at);
  const [chosen, choose] = useState<Interviewer | null>(null);
  const interviewers = useQuery(interviewersQuery).data ?? null;
  const draft: EntriesDraft = { ...entries, chosen };
  const write = (written: EntriesDraft) => {
    writeEntries(written);
    choose(written.chosen);
  };
  const interviewer = chosen ?? interviewers?.configured ?? interviewers?.builtIn ?? null;
  return { draft, write, interviewers, interviewer };
}

/** Back to what was entered. */
function useEnd(at: JobRef, conduct: InterviewControls, enter: (entries: Entries) => void): () => void {
  const client = useQueryClient();
  return () => {
    const { stage } = conduct;
    if (stage.at !== 'entering') enter(stage.interview.entries);
    client.setQueryData(openInterviewOf(at).queryKey, null);
    conduct.end();
  };
}

const interviewersQuery = queryOptions({
  queryKey: ['interviewers'],
  queryFn: ({ signal }) => fetchInterviewers(signal),
});

const openInterviewOf = (at: JobRef) =>
  queryOptions({
    queryKey: ['open-interview', at.roNumber, at.jobNumber],
    queryFn: ({ signal }) => fetchOpenStory(at, signal),
    // An interview that can be resumed now may be over the next time.
    gcTime: 0,
  });

interface BegunInterviewProps {
  at: JobRef;
  job: DetailsJob;
  stage: Exclude<Stage, { at: 'entering' }>;
  end(): void;
  save: InterviewControls['save'];
}

function BegunInterview({ at, job, stage, end, save }: BegunInterviewProps) {
  const isOver = stage.at === 'saving' || stage.at === 'saved';
  return (
    <>
      <InterviewerLine interviewer={stage.interview.interviewer} end={isOver ? null : end} />
      <Summary job={job} entries={stage.interview.entries} />
      <ChatLog stage={stage} />
      {(stage.at === 'reviewing' || isOver) && (
        <StoryReview
          at={at}
          story={stage.story}
          problem={stage.at === 'reviewing' ? stage.problem : null}
          busy={isOver}
          save={save}
        />
      )}
    </>
  );
}

function useClosingAfterwards(isOver: boolean, close: () => void): void {
  const latest = useNewest(close);
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => latest.current(), CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isOver, latest]);
}

/** What the interview is about stays in sight. */
function Summary({ job, entries }: { job: DetailsJob; entries: Entries }) {
  const { t } = useTranslation();
  const facts = [
    [t('story.concern'), job.concern.trim() || t('story.noConcern')],
    [t('story.cause'), entries.cause],
    [t('story.notes'), entries.briefTechNotes],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 rounded-lg bg-sunken px-3.5 py-3 text-13 max-md:grid-cols-1 max-md:gap-y-2">
      {facts.map(([name, text]) => (
        <div key={name} className="contents max-md:block">
          <dt className="text-quiet max-md:text-12">{name}</dt>
          <dd className="line-clamp-3 min-w-0 break-words whitespace-pre-wrap" title={text}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
