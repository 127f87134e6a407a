// One technician among those to choose from: name, specialty and fit, whether they are available, what they were given
// this week, and what they have promised for today against the hours left of their day.
import { CircleDashed, CircleOff, type LucideIcon, TriangleAlert, Wrench } from 'lucide-react';
import type { Candidate, CandidateReason } from '../api/candidates.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { LoadBar } from '../ui/load-bar.tsx';
import {
  type AddedWork,
  isOverToday,
  isUnknownToday,
  loadOf,
  loadText,
  nothingAdded,
  type Today,
  withWork,
} from './technician-load.ts';
import { fitTexts, reasonText, shortFitTexts, stateOf } from './technician-ranking.ts';
import { stateLabel, type TechnicianState } from './technician-state.ts';
import { kindTexts, ownText, weekOf } from './technician-week.ts';

export interface TechnicianFacts {
  name: string;
  specialty: string;
  /** Undefined: the ranking says nothing about them. */
  candidate: Candidate | undefined;
  openOrders: number;
  /** The work they would get. */
  added?: AddedWork | undefined;
}

export function TechnicianLine({
  name,
  specialty,
  candidate,
  openOrders,
  added = nothingAdded,
}: TechnicianFacts) {
  const { t, locale } = useTranslation();
  const reasons = candidate?.reasons ?? [];
  const fit = [specialty, ...shortFitTexts(reasons, t, locale), t('decision.load', { count: openOrders })];
  return (
    <span className="min-w-0 flex-1 py-0.5 text-12 text-quiet">
      <span className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-32 flex-1 truncate text-13 font-medium text-ink normal-nums" title={name}>
          {name}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 max-md:w-full max-md:justify-between">
          <StateText state={stateOf(reasons)} />
          <LoadText load={loadOf(candidate)} added={added} />
        </span>
      </span>
      <span
        className="mb-1 block"
        title={[...new Set([...fitTexts(reasons, t, locale), ...reasonText(reasons, t, locale)])].join(' · ')}
      >
        {fit.filter((text) => text !== '').join(' · ')}
        <WeekText reasons={reasons} />
      </span>
      <Bar load={loadOf(candidate)} added={added} />
    </span>
  );
}

function WeekText({ reasons }: { reasons: readonly CandidateReason[] }) {
  const { t, locale } = useTranslation();
  const week = weekOf(reasons);
  if (week === null) return null;
  return (
    <span className="block first-letter:uppercase">
      {ownText(week, t, locale)}
      {kindTexts(week, t, locale).map((text) => (
        // A number stays with its unit.
        <span key={text}>
          {' · '}
          <span className="inline-block">{text}</span>
        </span>
      ))}
    </span>
  );
}

const glyphs: Record<TechnicianState, LucideIcon> = {
  off: CircleOff,
  idle: CircleDashed,
  'on-job': Wrench,
};

function StateText({ state }: { state: TechnicianState | null }) {
  const { t, locale } = useTranslation();
  if (state === null) return null;
  const Glyph = glyphs[state];
  return (
    <span className={`flex items-center gap-1 ${state === 'idle' ? 'font-medium text-accent' : ''}`}>
      <Glyph aria-hidden className="size-3 shrink-0" />
      <span>{stateLabel(state, t, locale)}</span>
    </span>
  );
}

interface LoadProps {
  load: Today | null;
  added: AddedWork;
}

/** Today as it is, or as it would be where the work overfills it. */
function LoadText({ load, added }: LoadProps) {
  const { t, locale } = useTranslation();
  const after = load === null ? null : withWork(load, added);
  if (load === null || after === null || !isOverToday(after)) {
    return <span className="inline-block first-letter:uppercase">{loadText(load, t, locale)}</span>;
  }
  const text = isOverToday(load)
    ? loadText(load, t, locale)
    : t('load.adds', { text: loadText(after, t, locale) });
  return (
    <span className="font-medium text-stale">
      <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />
      <span className="inline-block first-letter:uppercase">{text}</span>
    </span>
  );
}

function Bar({ load, added }: LoadProps) {
  const isKnown = load !== null && !isUnknownToday(load);
  return (
    <LoadBar
      hours={isKnown ? load.dueTodayHours : null}
      added={added.dueToday.hours}
      capacity={load?.hoursLeftToday ?? 0}
    />
  );
}
