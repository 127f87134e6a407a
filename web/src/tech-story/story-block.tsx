// A job's story, its origin, and the actions on it.
import { useQueryClient } from '@tanstack/react-query';
import { FileCheck, History, Pencil, Sparkles } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react';
import type { ChangedResult, Details } from '../api/repair-orders.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { landResults } from '../repair-order/change-results.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import { requestStory } from '../repair-order/story-request.ts';
import { undoAction } from '../repair-order/undo.ts';
import { type Part, part, useOpenedPart } from '../ui/part.ts';
import { showToast } from '../ui/toaster.ts';
import type { JobStoryProps } from './job-story.tsx';
import { StoryProse } from './story-prose.tsx';
import { useProvenance, useVersions } from './story-versions.ts';
import { UnsavedStory } from './unsaved-story.tsx';

const techStoryDialog = part(async () => (await import('./tech-story-dialog.tsx')).TechStoryDialog);
const versionsSheet = part(async () => (await import('./versions-sheet.tsx')).VersionsSheet);
const claimSheet = part(async () => (await import('./claim-sheet.tsx')).ClaimSheet);
const storyEditor = part(async () => (await import('./story-editor.tsx')).StoryEditor);

/** Long enough for somebody who has gone on to another order. */
const NOT_SAVED_MS = 20_000;

type OpenPart = 'interview' | 'versions' | 'claim' | 'editor' | null;

export function StoryBlock({ details, job }: JobStoryProps) {
  const { t } = useTranslation();
  const [opened, open] = useState<OpenPart>(null);
  const at = { roNumber: details.repairOrderNumber, jobNumber: job.jobNumber };
  const story = job.techStory.trim();
  const { written, announce } = useWrittenStory(job.jobNumber);
  const notSaved = useNotSaved(details, job.jobNumber);
  const openNow = useRef<OpenPart>(null);
  useEffect(() => {
    openNow.current = opened;
    return () => {
      openNow.current = null;
    };
  }, [opened]);
  // Where it was closed before the answer, nothing is waited for.
  const writtenIn = (part: OpenPart) => (changed: ChangedResult) => {
    written(changed);
    if (openNow.current !== part) announce();
  };
  const close = () => {
    open(null);
    announce();
  };
  return (
    <div>
      <h4 className="text-12 font-medium text-quiet">{t('details.story')}</h4>
      {opened === 'editor' ? (
        <OpenedPart
          source={storyEditor}
          before={<StoryText text={story} />}
          shown={{ at, job, version: details.version, saved: writtenIn('editor'), notSaved, close }}
        />
      ) : (
        <>
          <StoryText text={story} />
          {story !== '' && <Provenance at={at} version={details.version} />}
          {opened !== 'interview' && <UnsavedStory roNumber={at.roNumber} job={job} />}
          <StoryActions job={job.jobNumber} hasStory={story !== ''} open={open} />
        </>
      )}
      {opened === 'interview' && (
        <OpenedPart source={techStoryDialog} shown={{ details, job, saved: writtenIn('interview'), close }} />
      )}
      {opened === 'versions' && (
        <OpenedPart source={versionsSheet} shown={{ at, version: details.version, close }} />
      )}
      {opened === 'claim' && <OpenedPart source={claimSheet} shown={{ details, job, close }} />}
    </div>
  );
}

interface OpenedPartProps<P> {
  source: Part<P>;
  shown: P;
  /** In its place until it is loaded. */
  before?: ReactNode;
}

function OpenedPart<P extends { close(): void }>({ source, shown, before = null }: OpenedPartProps<P>) {
  const Loaded = useOpenedPart(source, shown.close);
  return Loaded === null ? before : <Loaded {...shown} />;
}

/** What was written lands at once, and is announced with Undo when its dialog is closed: that one said it already. */
function useWrittenStory(job: number) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const last = useRef<ChangedResult>(null);
  return {
    written: (changed: ChangedResult) => {
      landResults(client, [changed]);
      last.current = changed;
    },
    announce: () => {
      if (last.current === null) return;
      const text = t('story.edit.done', { job });
      const action = undoAction(client, [last.current], new Map(), text);
      showToast(action === undefined ? { text } : { text, action });
      last.current = null;
    },
  };
}

/** Says that a story could not be saved, by when another order may be on the screen, and leads back to its text. */
function useNotSaved({ repairOrderNumber, displayNumber }: Details, job: number) {
  const { t } = useTranslation();
  const openDetails = useContext(OpenDetailsContext);
  return (failure: unknown) => {
    const { detail, request } = failureDetail(failure, t);
    const about = t('story.about', { number: displayNumber ?? repairOrderNumber, job });
    const show = {
      label: t('story.edit.show'),
      otherWay: t('story.edit.keptIn'),
      run: () => {
        requestStory(repairOrderNumber, job);
        openDetails?.(repairOrderNumber);
      },
    };
    showToast({
      tone: 'destructive',
      text: t('story.edit.failed'),
      detail: `${about} · ${detail}`,
      request,
      ...(openDetails !== null && { action: show, durationMs: NOT_SAVED_MS }),
    });
  };
}

interface StoryActionsProps {
  job: number;
  hasStory: boolean;
  open(part: OpenPart): void;
}

function StoryActions({ job, hasStory, open }: StoryActionsProps) {
  const { t } = useTranslation();
  const id = useId();
  const mayWrite = usePermission('edit-jobs');
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <button
        type="button"
        aria-describedby={id}
        onClick={() => open('interview')}
        className="inline-flex h-8 items-center justify-center gap-2 rounded-md bg-accent-tint px-3 text-13 font-semibold text-accent hover:bg-accent hover:text-on-accent max-md:h-11 max-md:w-full pointer-coarse:h-11"
      >
        <Sparkles aria-hidden className="size-4" />
        {t('story.magic')}
      </button>
      <span id={id} hidden>
        {t('story.ofJob', { job })}
      </span>
      {mayWrite && (
        <QuietButton
          label={t(hasStory ? 'story.edit.of' : 'story.edit.beginOf', { job })}
          press={() => open('editor')}
        >
          <Pencil aria-hidden className="size-3.5" />
          {t(hasStory ? 'story.edit.verb' : 'story.edit.begin')}
        </QuietButton>
      )}
      {hasStory && (
        <QuietButton label={t('story.claim.of', { job })} press={() => open('claim')}>
          <FileCheck aria-hidden className="size-3.5" />
          {t('story.claim.verb')}
        </QuietButton>
      )}
      <QuietButton label={t('story.versions.of', { job })} press={() => open('versions')}>
        <History aria-hidden className="size-3.5" />
        {t('story.versions.verb')}
      </QuietButton>
    </div>
  );
}

function StoryText({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <p className={`mt-0.5 break-words whitespace-pre-wrap ${text === '' ? 'text-quiet' : ''}`}>
      {text === '' ? t('details.noStory') : <StoryProse text={text} />}
    </p>
  );
}

function Provenance({ at, version }: { at: { roNumber: number; jobNumber: number }; version: number }) {
  const provenance = useProvenance();
  const current = useVersions(at, version).data?.value.find((one) => one.current);
  return (
    <p className="mt-1.5 min-h-4 text-12 text-quiet">{current === undefined ? null : provenance(current)}</p>
  );
}

interface QuietButtonProps {
  label: string;
  press(): void;
  children: ReactNode;
}

function QuietButton({ label, press, children }: QuietButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={press}
      className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 text-13 font-medium text-quiet hover:bg-sunken hover:text-ink max-md:h-11 pointer-coarse:h-11"
    >
      {children}
    </button>
  );
}
