// A job's cause and notes. What is typed is kept as a draft until the server has it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangedResult, DetailsJob } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { type Mutation, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { landResults } from '../repair-order/change-results.ts';
import { keepDraft, type NoteField, noteFields, useDrafts } from '../tech-story/drafts.ts';
import { Button } from '../ui/button.tsx';
import { DictatedField } from './dictated-field.tsx';
import { isNotesMutation, type JobTexts, notesMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

interface JobTextsProps {
  roNumber: number;
  job: DetailsJob;
}

/** For readers who may not write here. What they wrote while they might is still theirs to copy. */
export function ReadTexts({ roNumber, job }: JobTextsProps) {
  const { t } = useTranslation();
  const drafts = useDrafts(roNumber, job.jobNumber);
  return noteFields.map((field) => {
    const draft = drafts[field]?.text.trim() ?? '';
    return (
      <div key={field}>
        <dt className="text-12 font-medium text-quiet">{t(fieldNameKeys[field])}</dt>
        <dd className={`break-words whitespace-pre-wrap ${job[field].trim() === '' ? 'text-quiet' : ''}`}>
          {job[field].trim() || t('portal.details.none')}
        </dd>
        {draft !== '' && draft !== job[field].trim() && (
          <dd className="mt-1 break-words whitespace-pre-wrap">
            <span className="block text-12 font-medium text-stale">{t('portal.details.unsaved')}</span>
            {draft}
          </dd>
        )}
      </div>
    );
  });
}

const fieldNameKeys = { cause: 'portal.details.cause', briefTechNotes: 'portal.details.notes' } as const;
const labelOf = { cause: 'portal.details.causeOf', briefTechNotes: 'portal.details.notesOf' } as const;

export function EditedTexts({ roNumber, job }: JobTextsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const drafts = useDrafts(roNumber, job.jobNumber);
  const waiting = useWaitingTexts(roNumber, job.jobNumber);
  /** The texts the server has accepted; each counts as sent while the details show what it was accepted in place of. */
  const [sent, setSent] = useState<Partial<Record<NoteField, { text: string; inPlaceOf: string }>>>({});

  // A draft whose text the server has is settled.
  useEffect(() => {
    for (const field of noteFields) {
      if (drafts[field]?.text === job[field]) keepDraft(roNumber, job.jobNumber, field, null);
    }
  }, [drafts, job, roNumber]);

  const unsent = noteFields.filter((field) => {
    const text = drafts[field]?.text;
    const before = sent[field];
    const accepted = before?.inPlaceOf === job[field] ? before.text : undefined;
    return text !== undefined && text !== job[field] && text !== accepted && text !== waiting[field];
  });
  const { isPending: saving, mutate } = useMutation({
    mutationFn: (mutation: Mutation) => submit(mutation),
    onSuccess: (answer, { body }) => {
      if (answer === QUEUED) return;
      if (isNotesMutation(body)) {
        for (const field of noteFields) {
          const text = body[field];
          if (text !== undefined)
            setSent((before) => ({ ...before, [field]: { text, inPlaceOf: job[field] } }));
        }
      }
      if (isChanged(answer)) landResults(client, [answer.result]);
    },
    onError: (failure, mutation) => addRefusedChange(mutation, failure),
  });
  const save = () => {
    const texts: JobTexts = {};
    for (const field of unsent) {
      const draft = drafts[field];
      texts[field] = draft?.text ?? '';
      if (draft !== undefined) keepDraft(roNumber, job.jobNumber, field, { ...draft, saved: draft.text });
    }
    mutate(notesMutation(roNumber, job.jobNumber, texts));
  };
  const discard = () => {
    for (const field of unsent) keepDraft(roNumber, job.jobNumber, field, null);
  };
  return (
    <div className="flex flex-col gap-3">
      {noteFields.map((field) => (
        <DictatedField
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
        <SaveButtons job={job.jobNumber} saving={saving} save={save} discard={discard} />
      )}
    </div>
  );
}

interface SaveButtonsProps {
  job: number;
  saving: boolean;
  save(): void;
  discard(): void;
}

function SaveButtons({ job, saving, save, discard }: SaveButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Button
        variant="primary"
        aria-label={t('portal.details.saveOf', { job })}
        disabled={saving}
        onClick={save}
        className="h-11 px-6"
      >
        {t(saving ? 'portal.details.saving' : 'portal.details.save')}
      </Button>
      {!saving && (
        <>
          <Button aria-label={t('portal.details.discardOf', { job })} onClick={discard} className="h-11">
            {t('portal.details.discard')}
          </Button>
          <span className="text-12 text-stale">{t('portal.details.unsaved')}</span>
        </>
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
