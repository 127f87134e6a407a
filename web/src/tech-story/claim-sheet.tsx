// A job's claim sheet: what a warranty claim asks for, to print, copy and export.
import { useQuery } from '@tanstack/react-query';
import { Copy, FileJson, FileText, Printer } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import type { ClockedOnJob } from '../api/clock.ts';
import type { Details, DetailsJob } from '../api/repair-orders.ts';
import type { StoryClaim, StoryVersion } from '../api/tech-stories.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useReloadWhenHeard } from '../repair-order/reload-after.ts';
import { soldHours } from '../repair-order/sold-hours.ts';
import { toNameCase } from '../rules/name-case.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { LoadingLines } from '../ui/load-state.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { PrintOnly } from '../ui/print-only.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Sheet } from '../ui/sheet.tsx';
import {
  type ClaimRow,
  ClaimTable,
  claimRows,
  isFilled,
  operationOf,
  operationText,
} from './claim-fields.tsx';
import { StoryLastKnown } from './story-last-known.tsx';
import { StoryProse } from './story-prose.tsx';
import { StorySourceContext } from './story-source.ts';
import { useVersions } from './story-versions.ts';

interface ClaimSheetProps {
  details: Details;
  job: DetailsJob;
  close(): void;
}

export function ClaimSheet({ details, job, close }: ClaimSheetProps) {
  const { t } = useTranslation();
  const ro = details.displayNumber ?? String(details.repairOrderNumber);
  const at = { roNumber: details.repairOrderNumber, jobNumber: job.jobNumber };
  const versions = useVersions(at, details.version);
  const time = useTimeOnOrder(details.repairOrderNumber);
  const failed = versions.error ?? time.error;
  const title = t('story.claim.sheet', { ro, job: job.jobNumber });
  return (
    <Sheet open close={close} title={title} closeLabel={t('story.close')}>
      {versions.data !== undefined && time.data !== undefined ? (
        <>
          <StoryLastKnown savedAt={earlier(versions.data.savedAt, time.data.savedAt)} />
          <Content
            title={title}
            details={details}
            job={job}
            version={versions.data.value.find((one) => one.current) ?? null}
            time={time.data.value.filter(({ jobNumber }) => jobNumber === job.jobNumber)}
          />
        </>
      ) : failed === null ? (
        <LoadingLines label={title} />
      ) : (
        <FailedLine
          text={t('story.claim.failed')}
          {...failureReason(failed, t)}
          retryLabel={t('story.again')}
          retry={() => {
            void versions.refetch();
            void time.refetch();
          }}
        />
      )}
    </Sheet>
  );
}

function useTimeOnOrder(roNumber: number) {
  const source = useContext(StorySourceContext);
  const queryKey = ['time-on-order', roNumber];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => source.timeOnOrder(roNumber, signal),
    // Clocks run on: a sheet has what there is when it is opened.
    gcTime: 0,
  });
  useReloadWhenHeard(queryKey, query);
  return query;
}

/** The sheet is as old as the older of the two. */
function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

interface ContentProps {
  title: string;
  details: Details;
  job: DetailsJob;
  /** The one that is the job's story now; null where there is none. */
  version: StoryVersion | null;
  time: readonly ClockedOnJob[];
}

function Content({ title, details, job, version, time }: ContentProps) {
  const { t } = useTranslation();
  const { rows, missing } = useSheetRows({ details, job, version, time });
  const story = job.techStory.trim() || t('details.noStory');
  // Whoever reads the paper or the file must not take for forgotten what the screen says was not recorded.
  const notes = [
    ...((version?.claim ?? null) === null ? [t('story.claim.none')] : []),
    ...(missing.length > 0 ? [t('story.claim.missing', { fields: missing.join(', ') })] : []),
  ];
  const fields = rows.map(([label, value]) => `${label}: ${value}`);
  const text = [title, '', ...fields, ...notes, '', story, ''].join('\n');
  const name = `claim-${details.repairOrderNumber}-${job.jobNumber}`;
  const record = () => JSON.stringify(claimRecord({ details, job, version, time }), null, 2);
  return (
    <div className="flex flex-col gap-4">
      <Actions
        text={text}
        save={(kind) => {
          const content = kind === 'json' ? record() : text;
          const type = kind === 'json' ? 'application/json' : 'text/plain;charset=utf-8';
          saveFile(`${name}.${kind}`, new Blob([content], { type }));
        }}
      />
      <ClaimTable rows={rows} />
      <Notes notes={notes} />
      <p className="text-14 break-words whitespace-pre-wrap">
        <StoryProse text={story} />
      </p>
      <PrintOnly>
        <section className="print-sheet claim-print">
          <header>
            <h1>{title}</h1>
          </header>
          <ClaimTable rows={rows} />
          <div className="mt-2">
            <Notes notes={notes} />
          </div>
          <p className="mt-4 whitespace-pre-wrap">
            <StoryProse text={story} />
          </p>
        </section>
      </PrintOnly>
    </div>
  );
}

/** What the fields cannot say. */
function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="text-13 text-quiet">
      {note}
    </p>
  ));
}

function Actions({ text, save }: { text: string; save(kind: 'txt' | 'json'): void }) {
  const { t } = useTranslation();
  const [status, setStatus] = useState('');
  const copy = () =>
    copyText(text).then(
      () => setStatus(t('story.claim.copied')),
      () => setStatus(t('story.claim.notCopied')),
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Action icon={<Printer aria-hidden className="size-4" />} press={() => window.print()}>
        {t('story.claim.print')}
      </Action>
      <Action icon={<Copy aria-hidden className="size-4" />} press={() => void copy()}>
        {t('story.claim.copy')}
      </Action>
      <Action icon={<FileText aria-hidden className="size-4" />} press={() => save('txt')}>
        {t('story.claim.text')}
      </Action>
      <Action icon={<FileJson aria-hidden className="size-4" />} press={() => save('json')}>
        {t('story.claim.json')}
      </Action>
      <span role="status" className="text-13 text-quiet">
        {status}
      </span>
    </div>
  );
}

function Action({ icon, press, children }: { icon: ReactNode; press(): void; children: ReactNode }) {
  return (
    <Button onClick={press} className="max-md:h-11">
      {icon}
      {children}
    </Button>
  );
}

type SheetData = Omit<ContentProps, 'title'>;

/** `missing`: the names of the fields that nothing was recorded for, as they stand in a sentence. */
function useSheetRows(data: SheetData): { rows: ClaimRow[]; missing: string[] } {
  const { details, job, version, time } = data;
  const { t, language, locale } = useTranslation();
  const clock = useClock();
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const hours = (count: number) => t('story.claim.hours', { hours: number.format(count) });
  const moment = (at: string | null) => (at === null ? '' : clock.dated(Date.parse(at)));
  const sold = soldHours(job.operations);
  const people = time.map((one) => `${one.technicianName} ${hours(hoursOf(one))}`);
  const order: ClaimRow[] = [
    [t('story.claim.repairOrder'), details.displayNumber ?? String(details.repairOrderNumber), 'number'],
    [t('story.claim.job'), String(job.jobNumber)],
    [t('story.claim.vehicle'), details.vehicle],
    [t('story.claim.vin'), details.vehicleVIN, 'number'],
    [t('story.claim.customer'), toNameCase(details.customer)],
    [t('story.claim.advisor'), details.advisor],
    [t('story.claim.opened'), moment(details.createDateTime)],
    [t('story.claim.closed'), moment(details.closedDateTime)],
  ];
  const claim: ClaimRow[] = [
    [t('story.claim.concern'), job.concern.trim()],
    [t('story.claim.operation'), operationOn(job, version?.claim ?? null)],
    ...(version?.claim ? claimRows(version.claim, t) : []),
    [t('story.claim.soldHours'), sold === null ? '' : hours(sold)],
  ];
  const work: ClaimRow[] = [
    [t('story.claim.technicians'), people.join(', ')],
    [t('story.claim.written'), version === null ? '' : written(version, moment(version.at))],
  ];
  const missing = claim.filter((row) => !isFilled(row)).map(([label]) => label);
  if (time.length === 0) missing.unshift(t('story.claim.clockedTime'));
  return {
    rows: [...order, ...claim, ...work].filter(isFilled),
    missing: missing.map((label) => inSentence(label, language)),
  };
}

/** What the story was written about, else what the order says of the job. */
function operationOn({ operations }: DetailsJob, claim: StoryClaim | null): string {
  const written = claim === null ? '' : operationOf(claim);
  if (written !== '') return written;
  const ofOrder = operations.map((one) => operationText(one.operationCode, one.operationDesciption));
  return ofOrder.filter((text) => text !== '').join('; ');
}

/** 'Sold hours' as 'sold hours'; German nouns and abbreviations stay as they are. */
function inSentence(label: string, language: string): string {
  if (language === 'de' || /^\p{Lu}{2}/u.test(label)) return label;
  return label.charAt(0).toLocaleLowerCase(language) + label.slice(1);
}

function written(version: StoryVersion, at: string): string {
  return version.by === null ? at : `${at}, ${version.by.name}`;
}

function hoursOf({ clockedMs }: ClockedOnJob): number {
  return Math.round(clockedMs / 36_000) / 100;
}

/** As another program reads it: names in English, times in ISO 8601. */
function claimRecord({ details, job, version, time }: SheetData) {
  return {
    repairOrder: details.displayNumber ?? String(details.repairOrderNumber),
    job: job.jobNumber,
    vehicle: details.vehicle,
    vin: details.vehicleVIN,
    customer: details.customer,
    advisor: details.advisor,
    opened: details.createDateTime,
    closed: details.closedDateTime,
    concern: job.concern.trim(),
    claim: version?.claim ?? null,
    operations: job.operations.map((one) => ({
      operationCode: one.operationCode.trim(),
      operationDescription: one.operationDesciption.trim(),
    })),
    soldHours: soldHours(job.operations),
    technicians: time.map((one) => ({ name: one.technicianName, clockedHours: hoursOf(one) })),
    story: job.techStory.trim(),
    storyWrittenAt: version?.at ?? null,
    storyWrittenBy: version?.by?.name ?? null,
  };
}
