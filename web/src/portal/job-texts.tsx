// A job's cause and notes. What is typed is kept as a draft until the server has it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Mic, Square } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ChangedResult, DetailsJob } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { type Mutation, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { landResults } from '../repair-order/change-results.ts';
import { Button } from '../ui/button.tsx';
import { appendDictation, useDictation } from './dictation.ts';
import { type Draft, draftFields, keepDraft, useDrafts } from './drafts.ts';
import { isNotesMutation, type JobTexts, notesMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

interface JobTextsProps {
  roNumber: number;
  job: DetailsJob;
}

/** For readers without the permission to write. */
export function ReadTexts({ job }: Pick<JobTextsProps, 'job'>) {
  const { t } = useTranslation();
  return draftFields.map((field) => (
    <div key={field}>
      <dt className="text-12 font-medium text-quiet">{t(fieldNameKeys[field])}</dt>
      <dd className={`break-words whitespace-pre-wrap ${job[field].trim() === '' ? 'text-quiet' : ''}`}>
        {job[field].trim() || t('portal.details.none')}
      </dd>
    </div>
  ));
}

const fieldNameKeys = { cause: 'portal.details.cause', briefTechNotes: 'portal.details.notes' } as const;
const labelOf = { cause: 'portal.details.causeOf', briefTechNotes: 'portal.details.notesOf' } as const;

export function EditedTexts({ roNumber, job }: JobTextsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const drafts = useDrafts(roNumber, job.jobNumber);
  const waiting = useWaitingTexts(roNumber, job.jobNumber);
  /** The texts the server has accepted, until the details show them. */
  const [sent, setSent] = useState<JobTexts>({});

  // A draft whose text the server has is settled.
  useEffect(() => {
    for (const field of draftFields) {
      if (drafts[field]?.text === job[field]) keepDraft(roNumber, job.jobNumber, field, null);
    }
  }, [drafts, job, roNumber]);

  const unsent = draftFields.filter((field) => {
    const text = drafts[field]?.text;
    return text !== undefined && text !== job[field] && text !== sent[field] && text !== waiting[field];
  });
  const { isPending: saving, mutate } = useMutation({
    mutationFn: (mutation: Mutation) => submit(mutation),
    onSuccess: (answer, { body }) => {
      if (answer === QUEUED) return;
      if (isNotesMutation(body)) setSent((before) => ({ ...before, ...body }));
      if (isChanged(answer)) landResults(client, [answer.result]);
    },
    onError: (failure, mutation) => addRefusedChange(mutation, failure),
  });
  const save = () => {
    const texts: JobTexts = {};
    for (const field of unsent) texts[field] = drafts[field]?.text ?? '';
    mutate(notesMutation(roNumber, job.jobNumber, texts));
  };
  const discard = () => {
    for (const field of unsent) keepDraft(roNumber, job.jobNumber, field, null);
  };
  return (
    <div className="flex flex-col gap-3">
      {draftFields.map((field) => (
        <TextField
          key={field}
          name={t(fieldNameKeys[field])}
          label={t(labelOf[field], { job: job.jobNumber })}
          server={job[field]}
          draft={drafts[field]}
          waits={waiting[field] !== undefined && waiting[field] === drafts[field]?.text}
          write={(draft) => keepDraft(roNumber, job.jobNumber, field, draft)}
        />
      ))}
      {(unsent.length > 0 || saving) && (
        <div className="flex flex-wrap items-center gap-2.5">
          <Button
            variant="primary"
            aria-label={t('portal.details.saveOf', { job: job.jobNumber })}
            disabled={saving}
            onClick={save}
            className="h-11 px-6"
          >
            {t(saving ? 'portal.details.saving' : 'portal.details.save')}
          </Button>
          {!saving && (
            <>
              <Button
                aria-label={t('portal.details.discardOf', { job: job.jobNumber })}
                onClick={discard}
                className="h-11"
              >
                {t('portal.details.discard')}
              </Button>
              <span className="text-12 text-stale">{t('portal.details.unsaved')}</span>
            </>
          )}
        </div>
      )}
    </div>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  server: string;
  draft: Draft | undefined;
  /** The outbox sends it when there is a connection. */
  waits: boolean;
  write(draft: Draft | null): void;
}

function TextField({ name, label, server, draft, waits, write }: TextFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const text = draft?.text ?? server;
  const base = draft?.base ?? server;
  const set = (next: string) => write(next === server ? null : { text: next, base });
  const dictation = useDictation((spokenText) => set(appendDictation(text, spokenText)));
  const isOvertaken = draft !== undefined && server !== base && server !== text;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-end justify-between gap-3">
        <label htmlFor={id} className="text-12 font-medium text-quiet">
          {name}
          <span className="sr-only"> · {label}</span>
        </label>
        {waits && <span className="text-12 text-stale">{t('portal.waits')}</span>}
      </div>
      <div className="flex items-start gap-2">
        <textarea
          id={id}
          value={text}
          onChange={(event) => set(event.target.value)}
          rows={2}
          className="field-sizing-content max-h-72 min-h-17 w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 max-md:text-16"
        />
        {dictation !== null && (
          <button
            type="button"
            aria-label={
              dictation.listening
                ? t('portal.details.stopDictating')
                : t('portal.details.dictateOf', { field: label })
            }
            aria-pressed={dictation.listening}
            title={t('portal.details.dictateHint')}
            onClick={dictation.toggle}
            className="grid size-11 shrink-0 place-items-center rounded-md border border-line text-quiet hover:bg-sunken hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent"
          >
            {dictation.listening ? (
              <Square aria-hidden className="size-4" />
            ) : (
              <Mic aria-hidden className="size-[18px]" />
            )}
          </button>
        )}
      </div>
      {dictation?.listening && <p className="text-12 text-quiet">{t('portal.details.dictateHint')}</p>}
      {dictation?.failure != null && (
        <p role="alert" className="text-12 text-danger">
          {t('portal.details.dictateFailed', { reason: dictation.failure })}
        </p>
      )}
      {isOvertaken && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-13 text-stale">
          <span className="min-w-0 break-words">
            {server.trim() === ''
              ? t('portal.details.meanwhileEmptied')
              : t('portal.details.meanwhile', { text: server })}
          </span>
          <Button onClick={() => write(null)} className="h-8">
            {t('portal.details.theirs')}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The texts that wait for the connection; the last one counts. */
function useWaitingTexts(roNumber: number, jobNumber: number): JobTexts {
  const { waiting } = useOutbox();
  let texts: JobTexts = {};
  for (const { about, body } of waiting) {
    const isOfJob = about.kind === 'notes' && about.roNumber === roNumber && about.jobNumber === jobNumber;
    if (isOfJob && isNotesMutation(body)) texts = { ...texts, ...body };
  }
  return texts;
}

function isChanged(answer: unknown): answer is { result: ChangedResult } {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}
