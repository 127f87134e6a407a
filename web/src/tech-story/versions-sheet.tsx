// Every version of a job's story: who wrote it, when and how; an older one can be restored.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import { type JobRef, restoreVersion, type StoryVersion } from '../api/tech-stories.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureDetail, failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { landResults } from '../repair-order/change-results.ts';
import { undoAction } from '../repair-order/undo.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { answerLabel } from './answer-label.ts';
import { StoryLastKnown } from './story-last-known.tsx';
import { StoryProse } from './story-prose.tsx';
import { useProvenance, useVersions } from './story-versions.ts';

interface VersionsSheetProps {
  at: JobRef;
  /** The order's version. */
  version: number;
  close(): void;
}

export function VersionsSheet({ at, version, close }: VersionsSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet
      open
      close={close}
      title={t('story.versions.title', { job: at.jobNumber })}
      closeLabel={t('story.close')}
    >
      <Versions at={at} version={version} />
    </Sheet>
  );
}

function Versions({ at, version }: Omit<VersionsSheetProps, 'close'>) {
  const { t } = useTranslation();
  const mayWrite = usePermission('edit-jobs');
  const { data, error, refetch, isFetching } = useVersions(at, version);
  const restore = useRestore(at);
  if (data === undefined) {
    return error === null ? (
      <LoadingVersions />
    ) : (
      <FailedLine
        text={t('story.versions.failed')}
        {...failureReason(error, t)}
        retryLabel={t('story.again')}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const { value: versions, savedAt } = data;
  return (
    <>
      <StoryLastKnown savedAt={savedAt} />
      {versions.length === 0 && <p className="text-13 text-quiet">{t('story.versions.none')}</p>}
      <ol className="flex flex-col gap-3 empty:hidden">
        {versions.map((one) => (
          <Version
            key={one.seq}
            version={one}
            restore={mayWrite && !one.current ? () => restore.mutate(one.seq) : null}
            busy={restore.isPending}
          />
        ))}
      </ol>
    </>
  );
}

function useRestore(at: JobRef) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (seq: number) => restoreVersion(at, seq),
    onSuccess: (changed) => {
      landResults(client, [changed]);
      const text = t('story.versions.restored', { job: at.jobNumber });
      const action = undoAction(client, [changed], new Map(), text);
      showToast(action === undefined ? { text } : { text, action });
    },
    onError: (failure) => {
      const text = t('story.versions.restoreFailed');
      showToast({ tone: 'destructive', text, ...failureDetail(failure, t) });
    },
  });
}

function LoadingVersions() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('story.versions.loading')}</span>
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-28 w-full" />
    </div>
  );
}

/** Characters of a story that is read whole at once. */
const SHORT = 400;

interface VersionProps {
  version: StoryVersion;
  /** Null: it is the current version, or the reader may not restore it. */
  restore: (() => void) | null;
  busy: boolean;
}

function Version({ version, restore, busy }: VersionProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const provenance = useProvenance();
  const id = useId();
  const [isExpanded, setExpanded] = useState(false);
  const at = Date.parse(version.at);
  const isLong = version.story.length > SHORT;
  return (
    <li className={`rounded-lg border p-3.5 text-13 ${version.current ? 'border-accent' : 'border-line'}`}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 text-quiet" title={clock.full(at)}>
          {provenance(version)}
        </p>
        {version.current && (
          <span className="shrink-0 rounded-full bg-accent-tint px-2 py-0.5 text-12 font-medium text-accent">
            {t('story.versions.current')}
          </span>
        )}
      </div>
      <p
        id={id}
        className={`mt-2 text-14 break-words whitespace-pre-wrap ${version.story === '' ? 'text-quiet' : ''} ${isLong && !isExpanded ? 'line-clamp-5' : ''}`}
      >
        {version.story === '' ? t('story.versions.empty') : <StoryProse text={version.story} />}
      </p>
      {version.cause !== '' && <Inputs version={version} />}
      {(isLong || restore !== null) && (
        <div className="mt-2.5 flex flex-wrap gap-2">
          {restore !== null && (
            <Button
              onClick={restore}
              disabled={busy}
              aria-label={t('story.versions.restoreOf', { time: clock.short(at) })}
              className="h-8 text-13 max-md:h-11"
            >
              <RotateCcw aria-hidden className="size-3.5" />
              {t('story.versions.restore')}
            </Button>
          )}
          {isLong && (
            <Button
              onClick={() => setExpanded(!isExpanded)}
              aria-expanded={isExpanded}
              aria-controls={id}
              className="h-8 text-13 max-md:h-11"
            >
              {t(isExpanded ? 'story.versions.less' : 'story.versions.whole')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** The inputs of a story from an interview. */
function Inputs({ version }: { version: StoryVersion }) {
  const { t } = useTranslation();
  const { cause, briefTechNotes, answers, confirmed } = version;
  const facts = [
    [t('story.cause'), cause],
    [t('story.notes'), briefTechNotes],
    [t('story.versions.confirmed'), confirmed.join(', ')],
  ] as const;
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer rounded py-1 font-medium text-quiet hover:text-ink max-md:py-3 pointer-coarse:py-3">
        {t('story.versions.inputs')}
      </summary>
      <dl className="mt-1 flex flex-col gap-1.5 border-l border-line pl-3">
        {facts
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <div key={name}>
              <dt className="text-12 text-quiet">{name}</dt>
              <dd className="break-words whitespace-pre-wrap">{text}</dd>
            </div>
          ))}
        {answers.map(({ question, answer }, place) => (
          // A model may ask the same twice; its place tells it apart.
          <div key={[place, question].join()}>
            <dt className="text-12 text-quiet">{question}</dt>
            <dd className="font-medium">{t(`story.answer.${answerLabel[answer]}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
