// Edits a story by hand. The unsaved text is kept as a draft.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ChangedResult, type DetailsJob, fetchDetails } from '../api/repair-orders.ts';
import { fetchUnsupportedFacts, type JobRef, type UnsupportedFact, writeStory } from '../api/tech-stories.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { landIfStale } from '../repair-order/change-results.ts';
import { Button } from '../ui/button.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { closeOnEscape } from '../ui/sheet.tsx';
import { type Draft, keepDraft, settleStory, useDrafts } from './drafts.ts';
import { distinctFacts } from './unsupported-facts.ts';

/** Characters; the server takes no more. */
const MAX_STORY_LENGTH = 20_000;

interface StoryEditorProps {
  at: JobRef;
  job: DetailsJob;
  /** The order's version. */
  version: number;
  saved(changed: ChangedResult): void;
  /** It could not be saved, and the editor that would say so is closed. */
  notSaved(failure: unknown): void;
  close(): void;
}

export function StoryEditor({ at, job, version, saved, notSaved, close }: StoryEditorProps) {
  const { t } = useTranslation();
  const { roNumber, jobNumber } = at;
  const draft = useDrafts(roNumber, jobNumber).techStory ?? { text: job.techStory, base: job.techStory };
  const write = (next: Draft | null) => keepDraft(roNumber, jobNumber, 'techStory', next);
  const isOpen = useIsMounted();
  const base = job.techStory === draft.saved ? job.techStory : draft.base;
  const discard = () => {
    write(null);
    close();
  };
  const {
    isPending: saving,
    error: failure,
    mutate,
  } = useWriteStory(at, base, version, {
    onSuccess: (changed, { text }) => {
      saved(changed);
      // What was written since stays; and by now something else may be open.
      if (settleStory(roNumber, jobNumber, text) && isOpen.current) close();
    },
    onError: (refused) => {
      if (!isOpen.current) notSaved(refused);
    },
  });
  const save = (confirmed: string[]) => mutate({ text: draft.text, confirmed });
  const isChanged = draft.text !== job.techStory;
  const isOvertaken = base !== job.techStory && isChanged;
  const facts = fetchUnsupportedFacts(failure);
  return (
    // What was written waits as a draft.
    <div className="mt-1 flex flex-col gap-2" {...closeOnEscape(close)}>
      <textarea
        aria-label={t('story.edit.label', { job: job.jobNumber })}
        value={draft.text}
        maxLength={MAX_STORY_LENGTH}
        onChange={(event) => write({ ...draft, text: event.target.value })}
        // biome-ignore lint/a11y/noAutofocus: it was just asked for
        autoFocus
        className="field-sizing-content max-h-[60dvh] min-h-32 w-full rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 max-md:text-16"
      />
      {isOvertaken && (
        <Overtaken take={() => write(null)} keep={() => write({ ...draft, base: job.techStory })} />
      )}
      {facts !== null && <Unconfirmed facts={distinctFacts(facts)} busy={saving} confirm={save} />}
      {failure !== null && facts === null && (
        <div className="text-13 text-danger">
          <p role="alert">
            {t('story.edit.failed')}. {errorMessage(failure, t)}
          </p>
          <RequestReference request={failedRequest(failure, t)} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2.5">
        <Button
          variant="primary"
          disabled={saving || !isChanged || isOvertaken}
          onClick={() => save([])}
          className="max-md:h-11"
        >
          {t(saving ? 'story.edit.saving' : 'story.edit.save')}
        </Button>
        <Button disabled={saving} onClick={discard} className="max-md:h-11">
          {t('story.edit.cancel')}
        </Button>
        {isChanged && !saving && <span className="text-12 text-stale">{t('story.edit.unsaved')}</span>}
      </div>
    </div>
  );
}

interface StoryToWrite {
  text: string;
  confirmed: string[];
}

/** Saves the draft with the facts that are confirmed. Changes outside the story do not block the edit. */
function useWriteStory(
  at: JobRef,
  base: string,
  version: number,
  answered: {
    onSuccess(changed: ChangedResult, sent: StoryToWrite): void;
    onError(failure: unknown): void;
  },
) {
  const client = useQueryClient();
  const mutationFn = async ({ text, confirmed }: StoryToWrite): Promise<ChangedResult> => {
    try {
      return await writeStory(at, text, version, confirmed);
    } catch (refused) {
      if (!landIfStale(client, at.roNumber, refused)) throw refused;
      const now = await fetchDetails(at.roNumber);
      const same = now.jobs.find((one) => one.jobNumber === at.jobNumber)?.techStory === base;
      if (!same) throw refused;
      return writeStory(at, text, now.version, confirmed);
    }
  };
  return useMutation({ mutationFn, ...answered });
}

/** Somebody else has written the story meanwhile. */
function Overtaken({ take, keep }: { take: () => void; keep: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 text-13 text-stale">
      <span className="min-w-0 flex-1">{t('story.edit.meanwhile')}</span>
      <Button onClick={take} className="h-8">
        {t('story.edit.take')}
      </Button>
      <Button onClick={keep} className="h-8">
        {t('story.edit.keep')}
      </Button>
    </div>
  );
}

interface UnconfirmedProps {
  facts: readonly UnsupportedFact[];
  busy: boolean;
  confirm(texts: string[]): void;
}

/** The unsupported facts in the story. */
function Unconfirmed({ facts, busy, confirm }: UnconfirmedProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex flex-col items-start gap-2 text-13">
      <p className="text-stale">{t('story.edit.unconfirmed')}</p>
      <ul className="list-inside list-disc">
        {facts.map((fact) => (
          <li key={fact.text}>
            <span className="text-quiet">{t(`story.review.kind.${fact.kind}`)}</span>{' '}
            <span className="font-mono font-medium break-all">{fact.text}</span>
          </li>
        ))}
      </ul>
      <Button disabled={busy} onClick={() => confirm(facts.map((fact) => fact.text))} className="max-md:h-11">
        {t('story.edit.confirm')}
      </Button>
    </div>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
