// The technicians who could get an order, as the options of a picker: the best fit first, each with what speaks for and
// against them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CandidateReason } from '../api/candidates.ts';
import type { Technician } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { PickerOption } from '../ui/picker.tsx';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import { loadsOf } from './technician-choice.tsx';
import { loadOf } from './technician-load.ts';
import { fitTexts, isStrength, reasonText, stateOf, useRanking } from './technician-ranking.ts';
import { stateText } from './technician-state.ts';
import { technicians } from './technicians.ts';
import { useOrders } from './use-orders.ts';

export interface CandidateOption extends PickerOption {
  technician: AssignedTechnician;
  specialty: string;
  /** 'fits', or in amber what skill is missing; null where no skill is asked for. */
  fit: { text: string; isGap: boolean } | null;
  /** 'free', 'on a job', 'off the clock'; empty without a ranking. */
  state: string;
  /** The second line. */
  detail: readonly string[];
  /** All that is known, for the title. */
  reasons: string;
}

/** Those who are not on the order. Null: they are loading, or could not be loaded. */
export function useCandidateOptions(order: RepairOrder): {
  options: CandidateOption[] | null;
  failed: boolean;
} {
  const { t, locale } = useTranslation();
  const roNumbers = useMemo(() => [order.key], [order.key]);
  const ranking = useRanking(roNumbers);
  const { data, isError } = useQuery(technicians);
  const cache = useOrders();
  const loads = useMemo(() => loadsOf(cache), [cache]);
  if (data === undefined || !ranking.settled) return { options: null, failed: isError && data === undefined };
  const { placeOf } = ranking;
  const isFree = ({ idTechnician }: Technician) => !order.technicians.some(({ id }) => id === idTechnician);
  const free = data.filter(isFree);
  const sorted =
    placeOf === null ? free : free.toSorted((a, b) => placeOf(a.idTechnician) - placeOf(b.idTechnician));
  const options = sorted.map(({ idTechnician: id, displayName: name, specialty }) => {
    const reasons = ranking.reasonsFor(id);
    const state = stateOf(reasons);
    const isLoad = ({ kind }: CandidateReason) => kind === 'load';
    const loadReasons = reasons.filter(isLoad);
    // What speaks for somebody comes first.
    const why = reasonText(
      [...reasons.filter(isStrength), ...reasons.filter((one) => !isStrength(one) && !isLoad(one))],
      t,
      locale,
    );
    const portal = reasons.filter(({ kind }) => kind === 'portal');
    return {
      value: String(id),
      text: `${name} ${specialty}`,
      group: t(placeOf === null ? 'picker.byName' : 'picker.bestFirst'),
      technician: { id, name },
      specialty,
      fit: fitOf(reasons, t),
      state: state === null ? '' : stateText(state, t),
      detail: [
        ...fitTexts([...portal, ...loadReasons], t, locale),
        t('decision.load', { count: loadOf(ranking.candidate(id))?.openOrders ?? loads.get(id) ?? 0 }),
        ...reasonText(loadReasons, t, locale),
      ],
      reasons: [...why, ...fitTexts(loadReasons, t, locale)].join(' · '),
    };
  });
  return { options, failed: false };
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** The skills that somebody lacks for the work, in words; empty: none. */
export function skillGaps(reasons: readonly CandidateReason[], t: Translate): string {
  const named = (isMissing: boolean) =>
    reasons
      .flatMap((reason) => (reason.kind === 'skill' && reason.state !== 'has' ? reason : []))
      .filter(({ state, level }) => (state === 'lacks' || level === null) === isMissing)
      .map(({ skillName }) => skillName)
      .join(', ');
  const [missing, low] = [named(true), named(false)];
  return [
    ...(missing === '' ? [] : [t('candidate.gaps', { skills: missing })]),
    ...(low === '' ? [] : [t('candidate.gapsLevel', { skills: low })]),
  ].join(' · ');
}

function fitOf(reasons: readonly CandidateReason[], t: Translate): CandidateOption['fit'] {
  if (!reasons.some(({ kind }) => kind === 'skill')) return null;
  const gaps = skillGaps(reasons, t);
  return gaps === '' ? { text: t('candidate.fits'), isGap: false } : { text: gaps, isGap: true };
}

/** Two lines: who, how they fit and whether they are free, then their load. */
export function CandidateLine({ option }: { option: CandidateOption }) {
  const { technician, specialty, fit, state, detail, reasons } = option;
  return (
    <span className="flex min-w-0 flex-1 flex-col py-1" title={reasons || undefined}>
      <span className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1">
          <span className="font-medium break-words">{technician.name}</span>{' '}
          <span className="text-12 text-quiet">{specialty}</span>{' '}
          {fit !== null && (
            <span className={`text-12 ${fit.isGap ? 'font-medium text-stale' : 'text-quiet'}`}>
              {specialty === '' ? '' : '· '}
              {fit.text}
            </span>
          )}
        </span>{' '}
        <span className="shrink-0 text-12 text-quiet">{state}</span>
      </span>{' '}
      <span className="text-12 text-quiet">{detail.join(' · ')}</span>
    </span>
  );
}
