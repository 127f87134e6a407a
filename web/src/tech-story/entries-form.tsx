// The inputs of an interview: the noted concern, and the technician's cause and notes.
import { History } from 'lucide-react';
import { type RefObject, useId, useState } from 'react';
import type { DetailsJob } from '../api/repair-orders.ts';
import type { Interviewer, Interviewers, OpenStory } from '../api/tech-stories.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { appendDictation, useDictation } from './dictation.ts';
import { DictationButton, DictationNotes } from './dictation-button.tsx';
import { useDrafts } from './drafts.ts';
import type { Entries } from './interview.ts';
import { InterviewerChoice, useNameOf } from './interviewer-choice.tsx';

export const ENTRIES_FORM = 'story-entries';

export interface EntriesDraft extends Entries {
  /** Null: the configured interviewer. */
  chosen: Interviewer | null;
}

interface EntriesFormProps {
  roNumber: number;
  job: DetailsJob;
  draft: EntriesDraft;
  write(draft: EntriesDraft): void;
  interviewers: Interviewers | null;
  interviewer: Interviewer | null;
  /** An interview that can be resumed. */
  open: OpenStory | null;
  first: RefObject<HTMLTextAreaElement | null>;
  start(): void;
  resume(open: OpenStory): void;
}

export function EntriesForm(props: EntriesFormProps) {
  const { roNumber, job, draft, write, interviewers, interviewer, open, first, start, resume } = props;
  const { t } = useTranslation();
  const [isSubmitted, setAsked] = useState(false);
  const isWhole = draft.cause.trim() !== '' && draft.briefTechNotes.trim() !== '';
  const tooLong = useTooLong(draft, interviewers);
  const problem = !isSubmitted ? null : isWhole ? tooLong : t('story.required');
  const onScreen = useTextsOnScreen(roNumber, job);
  const isUntouched = draft.cause === '' && draft.briefTechNotes === '';
  return (
    <form
      id={ENTRIES_FORM}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (isWhole && tooLong === null) start();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      className="flex flex-col gap-4"
    >
      {open !== null && <OpenLine open={open} resume={resume} />}
      <Concern text={job.concern.trim()} />
      {isUntouched && <TakeFromJob texts={onScreen} take={(texts) => write({ ...draft, ...texts })} />}
      <Area
        label={t('story.cause')}
        hint={t('story.causeHint')}
        text={draft.cause}
        write={(cause) => write({ ...draft, cause })}
        isMissing={isSubmitted && draft.cause.trim() === ''}
        field={first}
        room="min-h-19"
      />
      <Area
        label={t('story.notes')}
        hint={t('story.notesHint')}
        text={draft.briefTechNotes}
        write={(briefTechNotes) => write({ ...draft, briefTechNotes })}
        isMissing={isSubmitted && draft.briefTechNotes.trim() === ''}
        room="min-h-28"
      />
      {/* Always there, so that its text is announced when it comes. */}
      <p role="alert" className="rounded-md bg-danger-tint px-3 py-2 text-13 text-danger empty:hidden">
        {problem}
      </p>
      <InterviewerChoice
        interviewers={interviewers}
        chosen={interviewer}
        choose={(chosen) => write({ ...draft, chosen })}
      />
    </form>
  );
}

function Concern({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <h3 className="text-13 font-medium">{t('story.concern')}</h3>
      <p className="mt-1 rounded-lg bg-sunken px-3.5 py-2.5 text-14 break-words whitespace-pre-wrap">
        {text || t('story.noConcern')}
      </p>
    </div>
  );
}

/** The job's cause and notes as its details show them: what is typed there counts before it is saved. */
function useTextsOnScreen(roNumber: number, job: DetailsJob): Entries {
  const drafts = useDrafts(roNumber, job.jobNumber);
  return {
    cause: drafts.cause?.text ?? job.cause,
    briefTechNotes: drafts.briefTechNotes?.text ?? job.briefTechNotes,
  };
}

/** Offers what the job says already. */
function TakeFromJob({
  texts: { cause, briefTechNotes },
  take,
}: {
  texts: Entries;
  take(texts: Entries): void;
}) {
  const { t } = useTranslation();
  if (cause.trim() === '' && briefTechNotes.trim() === '') return null;
  return (
    <button
      type="button"
      onClick={() => take({ cause, briefTechNotes })}
      className="-my-1 -ml-2 self-start rounded-md px-2 py-1.5 text-13 font-medium text-accent hover:bg-accent-tint max-md:min-h-11 pointer-coarse:min-h-11"
    >
      {t('story.fromJob')}
    </button>
  );
}

function useTooLong(draft: Entries, interviewers: Interviewers | null): string | null {
  const { t } = useTranslation();
  if (interviewers === null) return null;
  const { causeLength, notesLength } = interviewers.limits;
  const lengthText = (field: string, { length }: string, most: number) =>
    length > most ? t('story.tooLong', { field, length, most }) : null;
  return (
    lengthText(t('story.cause'), draft.cause, causeLength) ??
    lengthText(t('story.notes'), draft.briefTechNotes, notesLength)
  );
}

function OpenLine({ open, resume }: Pick<EntriesFormProps, 'resume'> & { open: OpenStory }) {
  const { t } = useTranslation();
  const clock = useClock();
  const nameOf = useNameOf();
  const time = clock.short(Date.parse(open.startedAt));
  return (
    <button
      type="button"
      onClick={() => resume(open)}
      className="flex min-h-11 items-center gap-3 rounded-lg border border-line px-3.5 py-2 text-left text-13 hover:border-accent hover:bg-accent-tint"
    >
      <History aria-hidden className="size-4 shrink-0 text-accent" />
      <span className="min-w-0">
        <span className="block font-medium">{t('story.continueAt', { time })}</span>
        <span className="block text-12 text-quiet">
          {t('story.continueDetail', { name: nameOf(open.interviewer), count: open.conversation.length })}
        </span>
      </span>
    </button>
  );
}

interface AreaProps {
  label: string;
  hint: string;
  text: string;
  write(text: string): void;
  isMissing: boolean;
  /** The minimum height of the field. */
  room: string;
  field?: RefObject<HTMLTextAreaElement | null>;
}

function Area({ label, hint, text, write, isMissing, room, field }: AreaProps) {
  const id = useId();
  const dictation = useDictation((spokenText) => write(appendDictation(text, spokenText)));
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <div className="flex items-start gap-2">
        <textarea
          ref={field}
          id={id}
          required
          aria-invalid={isMissing}
          aria-describedby={`${id}hint`}
          value={text}
          onChange={(event) => write(event.target.value)}
          className={`field-sizing-content max-h-72 ${room} w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 aria-invalid:border-danger max-md:text-16`}
        />
        {dictation !== null && <DictationButton label={label} dictation={dictation} />}
      </div>
      <DictationNotes dictation={dictation} />
      <p id={`${id}hint`} className="text-12 text-quiet">
        {hint}
      </p>
    </div>
  );
}
