// Who should get the order: the server's ranking of technicians, with its reasons. It assigns nobody.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Candidate, type CandidateReason, fetchCandidates } from '../api/candidates.ts';
import type { useTranslation } from '../i18n/use-translation.ts';

/**
 * Without a ranking in this time the technicians are sorted by name, and stay so: a list that moves under the pointer
 * leads to wrong choices.
 */
const RANKING_TIMEOUT_MS = 700;

export interface Ranking {
  /** Whether the order of the list is final. */
  settled: boolean;
  /** Null without a ranking: the names decide. */
  placeOf: ((technician: number) => number) | null;
  reasonsFor(technician: number): readonly CandidateReason[];
}

export function useRanking(orders: readonly number[]): Ranking {
  const { data, isError } = useQuery({
    queryKey: ['candidates', ...orders],
    queryFn: ({ signal }) => fetchCandidates(orders, signal),
    enabled: orders.length > 0,
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: false,
  });
  const [late, setLate] = useState(false);
  const inTime = data !== undefined && !late;
  useEffect(() => {
    if (data !== undefined) return;
    const timer = setTimeout(() => setLate(true), RANKING_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [data]);
  const byId = new Map<number, [number, Candidate]>();
  data?.forEach((candidate, place) => {
    byId.set(candidate.idTechnician, [place, candidate]);
  });
  return {
    settled: data !== undefined || late || isError || orders.length === 0,
    // Technicians missing from the ranking come last.
    placeOf: inTime ? (technician) => byId.get(technician)?.[0] ?? byId.size : null,
    reasonsFor: (technician) => byId.get(technician)?.[1].reasons ?? [],
  };
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** In words, the weightiest first. */
export function reasonText(reasons: readonly CandidateReason[], t: Translate, locale: string): string[] {
  const hours = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return reasons.flatMap((reason) => {
    switch (reason.kind) {
      case 'skill': {
        const { skillName: skill, wanted, level } = reason;
        if (reason.state === 'lacks' || level === null) return t('candidate.lacks', { skill });
        return reason.state === 'has'
          ? t('candidate.has', { skill, level })
          : t('candidate.below', { skill, level, wanted });
      }
      case 'load':
        return t('candidate.hours', {
          assigned: hours.format(reason.assignedHours),
          daily: hours.format(reason.dailyHours),
        });
      case 'already-on':
        if (reason.orders === 0) return [];
        return reason.orders === reason.of
          ? t('candidate.alreadyOn')
          : t('candidate.alreadyOnSome', { n: reason.orders, all: reason.of });
      case 'clock':
        return t(`candidate.clock.${reason.state}`);
      case 'portal':
        return reason.enabled ? [] : t('candidate.noPortal');
      default:
        return [];
    }
  });
}
