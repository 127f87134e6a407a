// An order's history: who changed what, and when; with Undo where that is still possible.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Undo2 } from 'lucide-react';
import {
  type FieldChange,
  fetchHistory,
  HISTORY_PAGE_SIZE,
  type HistoryEntry,
} from '../api/repair-orders.ts';
import { dialogsEn } from '../i18n/dialogs.en.ts';
import { en } from '../i18n/en.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { type Clock, useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { displayedHistory, type HistoryOutcome } from './displayed-history.ts';
import { type Stages, stageNameById, useStages } from './stages.ts';
import { undo } from './undo.ts';

interface HistoryProps {
  roNumber: number;
  version: number | undefined;
  /** The order as it is now. */
  outcome: HistoryOutcome;
}

export function History({ roNumber, version, outcome }: HistoryProps) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    // The version is in the key, so that new entries appear while the history is read.
    queryKey: ['history', roNumber, version],
    queryFn: ({ pageParam, signal }) => fetchHistory(roNumber, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < HISTORY_PAGE_SIZE ? undefined : page.at(-1)?.version),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const entries = displayedHistory(data?.pages.flat() ?? [], outcome);
  return (
    <section aria-label={t('history.title')}>
      <h3 className="mt-6 mb-2 text-13 font-semibold">{t('history.title')}</h3>
      {data === undefined && error !== null ? (
        <div className="flex flex-col items-start gap-3 text-13">
          <p role="alert">
            {t('history.failed')}. <span className="text-quiet">{errorMessage(error, t)}</span>
          </p>
          <RequestReference request={failedRequest(error, t)} />
          <Button onClick={() => void refetch()} disabled={isFetching}>
            {t('details.retry')}
          </Button>
        </div>
      ) : data === undefined ? (
        <div role="status" className="flex flex-col gap-3">
          <span className="appear-late text-13 text-quiet">{t('history.loading')}</span>
          <Skeleton className="w-64" />
          <Skeleton className="w-56" />
        </div>
      ) : entries.length === 0 ? (
        <p className="text-13 text-quiet">{t('history.none')}</p>
      ) : (
        <ol className="flex flex-col border-l border-line text-13">
          {entries.map((entry, place) => (
            <Entry
              key={entry.seq}
              roNumber={roNumber}
              entry={entry}
              // One request is undone as a whole: its newest entry offers Undo.
              offersUndo={entry.undoable && entries[place - 1]?.request !== entry.request}
            />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} disabled={isFetching} className="mt-3">
          {t('history.older')}
        </Button>
      )}
    </section>
  );
}

interface EntryProps {
  roNumber: number;
  entry: HistoryEntry;
  offersUndo: boolean;
}

/** By these names the server itself changes orders; the channel says it in the page's language. */
const systemNames: readonly string[] = [dialogsEn.history.channel.import, dialogsEn.history.channel.clock];

function Entry({ roNumber, entry, offersUndo }: EntryProps) {
  const { t, language } = useTranslation();
  const client = useQueryClient();
  const clock = useClock();
  const stages = useStages(entry.changes.some(({ field }) => field === 'stage' || field.startsWith('hold')));
  const words: Words = { t, clock, language, stages };
  const at = Date.parse(entry.at);
  const channel = entry.channel === 'desk' ? '' : t(`history.channel.${entry.channel}`);
  const action = t(`history.action.${entry.action}`);
  const name = systemNames.includes(entry.by.name) ? '' : entry.by.name;
  const byline = [...new Set([name, channel])].filter(Boolean).join(' · ');
  return (
    <li className="relative flex items-start gap-3 py-1.5 pl-4">
      <span aria-hidden className="absolute top-3.5 -left-[3px] size-[5px] rounded-full bg-line-strong" />
      <div className="min-w-0 flex-1">
        <p>
          {entry.changes.length === 0 ? (
            <span className="font-medium">{action}</span>
          ) : (
            entry.changes.map((change) => <ChangeLine key={keyOf(change)} change={change} words={words} />)
          )}
        </p>
        <p className="text-12 text-quiet">
          <span title={clock.full(at)}>{clock.beginning(at)}</span> · {byline}
        </p>
      </div>
      {offersUndo && (
        <button
          type="button"
          title={t('history.undo')}
          aria-label={`${t('history.undo')}: ${action}`}
          onClick={() => void undo(client, { roNumber, seq: entry.seq, orders: [], text: action })}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-12 font-medium text-accent hover:bg-accent-tint max-md:h-11 pointer-coarse:h-11"
        >
          <Undo2 aria-hidden className="size-3.5" />
          {t('undo.undo')}
        </button>
      )}
    </li>
  );
}

/** What a value is told with. */
interface Words {
  t: TFunction;
  clock: Clock;
  language: string;
  /** Null: the shop uses none, or they are not loaded yet. */
  stages: Stages | null;
}

function ChangeLine({ change, words }: { change: FieldChange; words: Words }) {
  const { t } = words;
  const field = fieldName(change, t);
  if (change.withheld === true) {
    return (
      <span className="block break-words text-quiet">
        {field}: {t('history.withheld')}
      </span>
    );
  }
  // The sheet of versions shows the whole story.
  if (change.field === 'techStory') return <StoryLine name={field} change={change} t={t} />;
  return (
    <span className="block break-words">
      <span className="text-quiet">{field}:</span>{' '}
      {!isNew(change) && (
        <>
          {formatValue(change, change.from, words)} <span aria-hidden>→</span>{' '}
        </>
      )}
      <span className="font-medium">{formatValue(change, change.to, words)}</span>
    </span>
  );
}

function StoryLine({ name, change, t }: { name: string; change: FieldChange; t: TFunction }) {
  const { interviewer, model, to } = change;
  const wrote = interviewer === 'built-in' ? t('history.builtIn') : (model ?? interviewer);
  return (
    <span className="block break-words">
      <span className="text-quiet">{name}:</span>{' '}
      {wrote != null && <span className="font-medium">{t('history.interview', { interviewer: wrote })}</span>}
      <span className="line-clamp-2" title={to ?? ''}>
        {to === null || to === '' ? blankText(change, t) : to}
      </span>
    </span>
  );
}

function keyOf({ field, jobNumber, to }: FieldChange): string {
  return [field, jobNumber, to].join();
}

function fieldName({ field, jobNumber }: FieldChange, t: TFunction): string {
  const name = isKey(dialogsEn.history.field, field) ? t(`history.field.${field}`) : field;
  return jobNumber === undefined ? name : t('history.job', { number: jobNumber, field: name });
}

/** The job was not there before, or nobody had handed the order back: no screen showed anything in its place. */
const newFields = ['concern', 'operations', 'handedBack', 'customerCalled', 'stage', 'jobDone'];

function isNew({ field, from }: FieldChange): boolean {
  return from === null && newFields.includes(field);
}

function formatValue(change: FieldChange, value: string | null, words: Words): string {
  const { t, clock, language, stages } = words;
  const { field } = change;
  // Who else was on the order is not known.
  if (field === 'technician' && value === null) return '–';
  if (value === null || value === '') return blankText(change, t);
  if (field === 'status' && isKey(en.status, value)) return t(`status.${value}`);
  if (field === 'priority' && isKey(en.priority, value)) return t(`priority.${value}`);
  if (field === 'jobDone') return t('history.yes');
  if (stages !== null) {
    // Their texts are loaded with the stages.
    if (field === 'stage') return stageNameById(stages, value, language);
    if (field === 'hold' && isOneOf(holdReasons, value)) return t(`stages.reason.${value}`);
    if (field === 'holdActor' && isOneOf(holdActors, value)) return t(`stages.actor.${value}`);
  }
  if (field === 'holdExpectedUntil') return clock.short(Date.parse(value));
  if (field === 'customerCalled')
    return value
      .split(', ')
      .map((one) => calledAbout(one, t))
      .join(', ');
  if (field === 'promisedDateTime' || field === 'closed') return clock.short(Date.parse(value));
  return value;
}

function calledAbout(reason: string, t: TFunction): string {
  return isKey(dialogsEn.history.calledAbout, reason) ? t(`history.calledAbout.${reason}`) : reason;
}

/** What the screens show in place of a value that is not there. */
function blankText({ field }: FieldChange, t: TFunction): string {
  switch (field) {
    case 'technician':
      return t('order.unassigned');
    case 'jobDone':
      return t('history.no');
    case 'closed':
      return t('history.open');
    case 'promisedDateTime':
      return t('dispatching.noPromise');
    case 'concern':
      return t('details.noConcern');
    case 'operations':
      return t('details.noOpcode');
    case 'etlTechnicians':
      return t('details.noTechnicians');
    case 'techStory':
      return t('details.noStory');
    default:
      return t('history.blank');
  }
}

const holdReasons = ['approval', 'parts', 'sublet', 'other'] as const;
const holdActors = ['parts', 'advisor', 'sublet'] as const;

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return values.some((one) => one === value);
}

function isKey<T extends object>(words: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(words, key);
}
