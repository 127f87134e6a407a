// Where an order's hours went: how long it was in each stage, from its opening on.
import { useQuery } from '@tanstack/react-query';
import { fetchStageStrip, type StageStrip as Strip } from '../api/stages.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { RequestReference } from '../ui/request-reference.tsx';
import { spanText } from './duration-text.ts';
import { type Stages, stageAppearance, stageNameById, useStages } from './stages.ts';

const MINUTE_MS = 60_000;

interface StageStripProps {
  roNumber: number;
  version: number;
}

export function StageStrip({ roNumber, version }: StageStripProps) {
  const { t } = useTranslation();
  const stages = useStages();
  const { data, error } = useQuery({
    // With the version in the key, a change of the order brings it up to date while it is read.
    queryKey: ['stage-strip', roNumber, version],
    queryFn: ({ signal }) => fetchStageStrip(roNumber, signal),
    placeholderData: (before) => before,
    // The stage that it is in goes on.
    refetchInterval: MINUTE_MS,
    gcTime: 0,
  });
  if (stages === null) return null;
  return (
    <section aria-label={t('stages.strip.title')} className="mt-5 text-13">
      <h3 className="mb-2 font-semibold">{t('stages.strip.title')}</h3>
      {data !== undefined ? (
        <Spans strip={data} stages={stages} />
      ) : (
        error !== null && (
          <>
            <p className="text-quiet">{errorMessage(error, t)}</p>
            <RequestReference request={failedRequest(error, t)} />
          </>
        )
      )}
    </section>
  );
}

function Spans({ strip, stages }: { strip: Strip; stages: Stages }) {
  const { t, language } = useTranslation();
  const fillOf = (stage: string | null) =>
    stage === null ? 'bg-line' : stageAppearance[stages.byId.get(stage)?.colour ?? 'grey'].fill;
  const nameOf = (stage: string | null) =>
    stage === null ? t('stages.strip.notKnown') : stageNameById(stages, stage, language);
  return (
    <>
      <div aria-hidden className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
        {strip.spans.map(({ stage, from, to }) => (
          <span
            key={[from, stage].join()}
            title={nameOf(stage)}
            style={{ flexGrow: lengthOf({ from, to }) }}
            className={`min-w-0.5 basis-0 ${fillOf(stage)}`}
          />
        ))}
      </div>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {Array.from(totals(strip), ([stage, ms]) => (
          <div key={stage ?? ''} className="contents">
            <dt className="flex min-w-0 items-center gap-2 break-words">
              <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${fillOf(stage)}`} />
              {nameOf(stage)}
            </dt>
            <dd className="text-right text-quiet">{spanText(Math.floor(ms / MINUTE_MS), t)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** ms by stage, in the order in which the order came to each first. */
function totals({ spans }: Strip): ReadonlyMap<string | null, number> {
  const all = new Map<string | null, number>();
  for (const span of spans) all.set(span.stage, (all.get(span.stage) ?? 0) + lengthOf(span));
  return all;
}

function lengthOf({ from, to }: Pick<Strip['spans'][number], 'from' | 'to'>): number {
  return Date.parse(to) - Date.parse(from);
}
