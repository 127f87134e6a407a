// A week's clock entries with everything that was corrected in them. Owners and admins correct; technicians read.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type ClockCorrection, type ClockEntry, type ClockTimes, fetchEntries } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { LastKnown } from '../offline/last-known.ts';
import { hoursAndMinutes } from '../repair-order/duration-text.ts';
import { useProposedEntries } from '../repair-order/proposed-entries.ts';
import { useReloadWhenHeard } from '../repair-order/reload-after.ts';
import { useClock } from '../shop/clock.ts';
import { shop } from '../shop/shop.ts';
import { daysAfter, mondayOf, wallDay } from '../shop/wall-time.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type FailedRequest, RequestReference } from '../ui/request-reference.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useServerTime } from './durations.ts';
import { entryDays, minutesOf } from './entry-days.ts';
import { EntryForm, type EntryTarget } from './entry-form.tsx';
import { EntryProposal } from './entry-proposal.tsx';
import { JobOf, useEntryTimes } from './entry-texts.tsx';
import { PartLastKnown } from './part-last-known.tsx';
import { weekOf } from './saved-answers.ts';
import { weekToDecideOn } from './week-to-decide-on.ts';

const MINUTE_MS = 60_000;

interface ClockEntriesProps {
  technician: number;
  name: string;
  mayCorrect: boolean;
  /** They are the reader's own: corrections can be proposed. */
  isOwn: boolean;
  close(): void;
}

export function ClockEntries({ technician, name, mayCorrect, isOwn, close }: ClockEntriesProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const proposed = useProposedEntries();
  const [weeksBefore, go] = useState(() =>
    mayCorrect ? weekToDecideOn(proposed, technician, serverNow()) : 0,
  );
  const [target, setTarget] = useState<EntryTarget | null>(null);
  const monday = mondayOf(wallDay(serverNow()), weeksBefore);
  const { data, error, refetch, isFetching } = useWeek(technician, monday, isOwn);
  const changed = () => {
    void refetch();
    void client.invalidateQueries({ queryKey: ['clock', technician] });
  };
  // An answer may come when another entry is being corrected, whose form stays.
  const done = () => {
    setTarget((open) => (open === target ? null : open));
    changed();
  };
  const cancel = () => setTarget(null);
  return (
    <Sheet open close={close} title={t('clock.entries.of', { name })} closeLabel={t('details.close')}>
      <WeekNavigation monday={monday} weeksBefore={weeksBefore} go={go} />
      {mayCorrect && target === null && (
        <Button
          onClick={() => setTarget({ kind: 'add', day: weeksBefore === 0 ? wallDay(serverNow()) : monday })}
          className="mb-3 h-11 w-full"
        >
          <Plus aria-hidden className="size-4" />
          {t('clock.entries.add')}
        </Button>
      )}
      {target?.kind === 'add' && <EntryForm {...{ technician, target, cancel, done }} />}
      <PartLastKnown savedAt={data?.savedAt ?? null} />
      {data !== undefined ? (
        <EntryList
          entries={data.value}
          technician={technician}
          rights={mayCorrect ? 'correct' : isOwn ? 'propose' : null}
          ask={setTarget}
          changed={changed}
          form={(entry) =>
            target !== null && target.kind !== 'add' && target.entry.entryId === entry.entryId ? (
              <EntryForm {...{ technician, target, cancel, done }} />
            ) : null
          }
        />
      ) : error !== null ? (
        <EntriesFailed {...failureReason(error, t)} retry={() => void refetch()} retrying={isFetching} />
      ) : (
        <EntriesLoading />
      )}
      <p className="mt-4 text-12 text-quiet">{t('clock.entries.zone', { zone: shop.timeZone })}</p>
    </Sheet>
  );
}

/** Only the reader's own entries are kept on this device. */
function useWeek(technician: number, monday: string, isOwn: boolean) {
  const queryKey = ['clock-entries', technician, monday];
  const query = useQuery<LastKnown<ClockEntry[]>>({
    queryKey,
    queryFn: async ({ signal }) =>
      isOwn
        ? weekOf(technician, monday, signal)
        : { value: await fetchEntries(technician, monday, daysAfter(monday, 6), signal), savedAt: null },
    gcTime: 0,
  });
  useReloadWhenHeard(queryKey, query);
  return query;
}

interface WeekNavigationProps {
  /** The first day of the week that is shown. */
  monday: string;
  weeksBefore: number;
  go(weeksBefore: number): void;
}

function WeekNavigation({ monday, weeksBefore, go }: WeekNavigationProps) {
  const { t } = useTranslation();
  const day = useClock().dayAndMonth(monday);
  return (
    <div className="mb-3 flex items-center justify-between gap-2">
      <IconButton label={t('clock.entries.earlier')} onClick={() => go(weeksBefore + 1)}>
        <ChevronLeft aria-hidden className="size-5" />
      </IconButton>
      <h3 aria-live="polite" className="text-14 font-semibold">
        {t('clock.entries.week', { day })}
      </h3>
      <IconButton
        label={t('clock.entries.later')}
        disabled={weeksBefore === 0}
        onClick={() => go(weeksBefore - 1)}
        className="disabled:opacity-40"
      >
        <ChevronRight aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}

interface EntryListProps {
  technician: number;
  entries: readonly ClockEntry[];
  rights: 'correct' | 'propose' | null;
  ask(target: EntryTarget): void;
  /** An entry was changed. */
  changed(): void;
  /** What stands in the place of an entry that is being corrected; null: it is not. */
  form(entry: ClockEntry): ReactNode;
}

function EntryList({ entries, ...shared }: EntryListProps) {
  const { t } = useTranslation();
  const now = useServerTime(MINUTE_MS);
  if (entries.length === 0)
    return <p className="py-6 text-center text-13 text-quiet">{t('clock.entries.none')}</p>;
  return (
    <div className="flex flex-col gap-4">
      {entryDays(entries, now).map((day) => (
        <Day key={day.day} {...day} now={now} {...shared} />
      ))}
    </div>
  );
}

type DayProps = EntryListProps & {
  minutes: number;
  /** ms */
  now: number;
};

function Day({ entries, minutes, now, form, ...shared }: DayProps) {
  const { t } = useTranslation();
  const id = useId();
  const { day } = useClock();
  const [first] = entries;
  return (
    <section aria-labelledby={id}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 px-0.5 text-13">
        <h4 id={id} className="font-semibold">
          {first !== undefined && day(Date.parse(first.startedAt))}
        </h4>
        <p className="font-medium">{t('clock.attended', { span: hoursAndMinutes(minutes, t) })}</p>
      </div>
      <ol className="flex flex-col gap-2">
        {entries.map((entry) => (
          <li key={entry.entryId} className="rounded-lg border border-line p-3 text-13">
            {form(entry) ?? <EntryLine entry={entry} now={now} {...shared} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface EntriesFailedProps {
  reason: string;
  request: FailedRequest | null;
  retry(): void;
  retrying: boolean;
}

function EntriesFailed(props: EntriesFailedProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-start gap-3 text-13">
      <p role="alert">
        {t('clock.entries.failed')}. <span className="text-quiet">{props.reason}</span>
      </p>
      <RequestReference request={props.request} />
      <Button onClick={props.retry} disabled={props.retrying}>
        {t('clock.entries.retry')}
      </Button>
    </div>
  );
}

function EntriesLoading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('clock.entries.loading')}</span>
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}

type EntryLineProps = Omit<DayProps, 'entries' | 'minutes' | 'form'> & { entry: ClockEntry };

function EntryLine({ entry, now, technician, rights, ask, changed }: EntryLineProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const { endedAt, forgotten, deleted, corrections } = entry;
  const { times, timesOfDay } = useEntryTimes();
  const span = hoursAndMinutes(minutesOf(entry, now), t);
  return (
    <>
      <div className="flex items-start gap-2">
        <div className={`min-w-0 flex-1 ${deleted ? 'line-through opacity-70' : ''}`}>
          <p className="font-medium">{timesOfDay(entry)}</p>
          <p className="text-quiet">
            <JobOf entry={entry} />
            {` · ${endedAt === null ? t('clock.entries.soFar', { span }) : span}`}
          </p>
        </div>
        {rights !== null && !deleted && (
          <EntryButtons entry={entry} times={times(entry)} rights={rights} ask={ask} />
        )}
      </div>
      {(forgotten || deleted) && (
        <p
          className={`mt-1 inline-flex items-center gap-1 text-12 font-medium ${forgotten ? 'text-stale' : 'text-quiet'}`}
        >
          {forgotten && <TriangleAlert aria-hidden className="size-3.5" />}
          {t(deleted ? 'clock.entries.deleted' : 'clock.entries.forgotten')}
        </p>
      )}
      {entry.proposal !== null && (
        <EntryProposal
          technician={technician}
          entryId={entry.entryId}
          proposal={entry.proposal}
          rights={rights}
          changed={changed}
        />
      )}
      {corrections.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1 border-t border-line pt-2 text-12">
          {corrections.map((correction) => (
            <li key={correction.at} title={clock.full(Date.parse(correction.at))}>
              <Correction correction={correction} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface EntryButtonsProps {
  entry: ClockEntry;
  times: string;
  rights: 'correct' | 'propose';
  ask(target: EntryTarget): void;
}

function EntryButtons({ entry, times, rights, ask }: EntryButtonsProps) {
  const { t } = useTranslation();
  if (rights === 'propose')
    return (
      <IconButton
        label={t('clock.entries.proposeOf', { times })}
        title={t('clock.entries.proposeTitle')}
        onClick={() => ask({ kind: 'propose', entry })}
        className="-my-1 max-lg:size-11"
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
    );
  return (
    <span className="-my-1 flex">
      <IconButton
        label={t('clock.entries.correctOf', { times })}
        title={t('clock.entries.correct')}
        onClick={() => ask({ kind: 'correct', entry })}
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label={t('clock.entries.deleteOf', { times })}
        title={t('clock.entries.delete')}
        onClick={() => ask({ kind: 'delete', entry })}
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}

function Correction({ correction }: { correction: ClockCorrection }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { times } = useEntryTimes();
  const { by, at, reason, before } = correction;
  return (
    <>
      {t('clock.entries.corrected', { name: by.name, time: clock.short(Date.parse(at)), reason })}
      <span className="block text-quiet">
        {before === null
          ? t('clock.entries.added')
          : isSame(before, correction.after)
            ? t('clock.entries.declined')
            : t('clock.entries.before', { times: times(before) })}
      </span>
    </>
  );
}

/** Nothing was changed: a proposal was declined. */
function isSame(before: ClockTimes, after: ClockTimes | null): boolean {
  return (
    after !== null &&
    before.startedAt === after.startedAt &&
    before.endedAt === after.endedAt &&
    before.roNumber === after.roNumber &&
    before.jobNumber === after.jobNumber
  );
}
