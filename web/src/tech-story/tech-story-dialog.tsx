// 'Tech Story Generation': cause and notes, then questions answered by Yes, No or N/A, then the story. One sheet, whose
// foot has what can be done next.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChangedResult, Details, DetailsJob } from '../api/repair-orders.ts';
import { fetchInterviewers, fetchOpenStory, type JobRef } from '../api/tech-stories.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { ChatLog } from './chat-log.tsx';
import { type EntriesDraft, EntriesForm } from './entries-form.tsx';
import { type Entries, type InterviewControls, type Stage, useInterview } from './interview.ts';
import { InterviewActions } from './interview-actions.tsx';
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

/** Mounted for one opening: nothing of an earlier one is left. */
export function TechStoryDialog({ details, job, saved, close }: TechStoryDialogProps) {
  const { t, language } = useTranslation();
  const roNumber = details.repairOrderNumber;
  const at = { roNumber, jobNumber: job.jobNumber };
  const [draft, setDraft] = useState<EntriesDraft>({ cause: '', briefTechNotes: '', chosen: null });
  const [isEdited, setEdited] = useState(false);
  const about = t('story.about', { number: details.displayNumber ?? roNumber, job: job.jobNumber });
  const conduct = useInterview(at, saved, (failure) => {
    const { detail, request } = failureDetail(failure, t);
    // By now another order may be on the screen.
    const text = t('story.review.saveFailed');
    showToast({ tone: 'destructive', text, detail: `${about} · ${detail}`, request });
  });
  const { stage } = conduct;
  const interviewers = useQuery(interviewersQuery).data ?? null;
  const client = useQueryClient();
  const openInterview = openInterviewOf(at);
  const open = useQuery(openInterview).data ?? null;
  const first = useRef<HTMLTextAreaElement>(null);
  useClosingAfterwards(stage.at === 'saved', close);

  const interviewer = draft.chosen ?? interviewers?.configured ?? interviewers?.builtIn ?? null;
  const end = () => {
    // Back to what was entered, which stays.
    if (stage.at !== 'entering') setDraft((before) => ({ ...before, ...stage.interview.entries }));
    client.setQueryData(openInterview.queryKey, null);
    setEdited(false);
    conduct.end();
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
      footer={<InterviewActions conduct={conduct} isEdited={isEdited} end={end} close={close} />}
    >
      <div className="flex min-h-full flex-col gap-4">
        {stage.at === 'entering' ? (
          <EntriesForm
            roNumber={roNumber}
            job={job}
            draft={draft}
            write={setDraft}
            interviewers={interviewers}
            interviewer={interviewer}
            open={open}
            first={first}
            start={() => conduct.start(draft, interviewer, language)}
            resume={conduct.resume}
          />
        ) : (
          <BegunInterview
            job={job}
            stage={stage}
            end={end}
            save={conduct.save}
            edited={() => setEdited(true)}
          />
        )}
      </div>
    </Sheet>
  );
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
  job: DetailsJob;
  stage: Exclude<Stage, { at: 'entering' }>;
  end(): void;
  save: InterviewControls['save'];
  /** The finished story. */
  edited(): void;
}

function BegunInterview({ job, stage, end, save, edited }: BegunInterviewProps) {
  const isOver = stage.at === 'saving' || stage.at === 'saved';
  return (
    <>
      <InterviewerLine interviewer={stage.interview.interviewer} end={isOver ? null : end} />
      <Summary job={job} entries={stage.interview.entries} />
      <ChatLog stage={stage} />
      {(stage.at === 'reviewing' || isOver) && (
        <StoryReview
          story={stage.story}
          problem={stage.at === 'reviewing' ? stage.problem : null}
          busy={isOver}
          save={save}
          edited={edited}
        />
      )}
    </>
  );
}

function useClosingAfterwards(isOver: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => latest.current(), CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isOver]);
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
