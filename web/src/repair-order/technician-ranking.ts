// Who should get the order: the server's ranking of technicians, with its reasons. It assigns nobody.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Candidate, type CandidateReason, fetchCandidates } from '../api/candidates.ts';
import type { useTranslation } from '../i18n/use-translation.ts';
import { hoursOverToday, loadText, type Today } from './technician-load.ts';
import { stateText, type TechnicianState } from './technician-state.ts';
import { decidedText, kindTexts, weekOf, weekText } from './technician-week.ts';

/**
 * Without a ranking in this time the technicians are sorted by name, and stay so: a list that moves under the pointer
 * leads to wrong choices.
 */
export const RANKING_TIMEOUT_MS = 2_000;

export interface Ranking {
  /** Whether the order of the list is final. */
  settled: boolean;
  /** Null without a ranking: the names decide. */
  placeOf: ((technician: number) => number) | null;
  reasonsFor(technician: number): readonly CandidateReason[];
  /** What the ranking says about a technician; it may come too late to decide the order of the list. */
  candidate(technician: number): Candidate | undefined;
  /** The best first, however late they come; empty without a ranking, undefined while it is awaited. */
  candidates: readonly Candidate[] | undefined;
}

/** Asked for once a dialog: it stays as it was when the dialog opened. */
export function candidatesFor(orders: readonly number[]) {
  return queryOptions({
    queryKey: ['candidates', ...orders],
    queryFn: ({ signal }) => fetchCandidates(orders, signal),
    enabled: orders.length > 0,
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: false,
  });
}

export function useRanking(orders: readonly number[]): Ranking {
  const { data, isError } = useQuery(candidatesFor(orders));
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
    candidate: (technician) => byId.get(technician)?.[1],
    candidates: data ?? (isError || orders.length === 0 ? [] : undefined),
  };
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** In words, the weightiest first. */
export function reasonText(reasons: readonly CandidateReason[], t: Translate, locale: string): string[] {
  return reasons.flatMap((reason) => {
    switch (reason.kind) {
      case 'load':
        return loadText(reason, t, locale);
      case 'clock':
        return stateTextOf(reasons, t) ?? [];
      case 'week':
        return weekTexts(reasons, t, locale);
      default:
        return fitText(reason, t, locale);
    }
  });
}

/** Why they come first, where this is why, and what they were given this week. */
function weekTexts(reasons: readonly CandidateReason[], t: Translate, locale: string): string[] {
  const week = weekOf(reasons);
  const given = week === null ? [] : [weekText(week, t, locale), ...kindTexts(week, t, locale)];
  return [decidedText(reasons, t) ?? [], given].flat();
}

/** Work that comes before this one: it is promised no later. */
function dueText(
  { dueHours }: Extract<CandidateReason, { kind: 'load' }>,
  t: Translate,
  locale: string,
): string[] {
  if (dueHours === 0) return [];
  const hours = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(dueHours);
  return [t('candidate.due', { hours })];
}

/** Skills, and what else speaks for or against a technician besides the clock and all that they have in hand. */
export function fitTexts(reasons: readonly CandidateReason[], t: Translate, locale: string): string[] {
  return reasons.flatMap((reason) => fitText(reason, t, locale));
}

/** So many skills are named; of more it is said how many of them somebody has. */
const NAMED_SKILLS = 2;

/**
 * The same in a line of a list, where the many skills of a batch would be lines of their own, as would the skills that
 * include others.
 */
export function shortFitTexts(reasons: readonly CandidateReason[], t: Translate, locale: string): string[] {
  const skills = reasons.flatMap((reason) => (reason.kind === 'skill' ? reason : []));
  if (skills.length <= NAMED_SKILLS) return fitTexts(reasons.map(withoutInclusion), t, locale);
  const has = skills.filter(({ state }) => state === 'has').length;
  const others = reasons.filter(({ kind }) => kind !== 'skill');
  return [t('candidate.skills', { has, all: skills.length }), ...fitTexts(others, t, locale)];
}

function withoutInclusion(reason: CandidateReason): CandidateReason {
  if (reason.kind !== 'skill') return reason;
  const { includedIn: _, ...skill } = reason;
  return skill;
}

function fitText(reason: CandidateReason, t: Translate, locale: string): string[] {
  switch (reason.kind) {
    case 'skill': {
      const { skillName: skill, wanted, level, includedIn: included } = reason;
      if (reason.state === 'lacks' || level === null) return [t('candidate.lacks', { skill })];
      if (reason.state === 'below') return [t('candidate.below', { skill, level, wanted })];
      if (included === undefined) return [t('candidate.has', { skill, level })];
      return [t('candidate.hasAs', { skill, level, included })];
    }
    case 'already-on':
      if (reason.orders === 0) return [];
      return [
        reason.orders === reason.of
          ? t('candidate.alreadyOn')
          : t('candidate.alreadyOnSome', { n: reason.orders, all: reason.of }),
      ];
    case 'load':
      return dueText(reason, t, locale);
    case 'portal':
      return reason.enabled ? [] : [t('candidate.noPortal')];
    default:
      return [];
  }
}

/** What the clock says; null without a ranking. */
export function stateOf(reasons: readonly CandidateReason[]): TechnicianState | null {
  return reasons.find((reason) => reason.kind === 'clock')?.state ?? null;
}

function stateTextOf(reasons: readonly CandidateReason[], t: Translate): string | null {
  const state = stateOf(reasons);
  return state === null ? null : stateText(state, t);
}

/** Free, or on a car of these orders. Whoever is on none of them is on another car's job. */
function isAvailable(reasons: readonly CandidateReason[]): boolean {
  const state = stateOf(reasons);
  const isOnOne = reasons.some((reason) => reason.kind === 'already-on' && reason.orders > 0);
  return state === 'idle' || (state === 'on-job' && isOnOne);
}

/**
 * Why a technician is proposed, or what is to be known of one who is chosen, what speaks for them first: 'Brakes level 3,
 * 3.9 of 6 h promised today'.
 */
export function whyText({ reasons }: Candidate, load: Today | null, t: Translate, locale: string): string {
  const [strengths, drawbacks] = bySide(reasons);
  const decided = decidedText(reasons, t);
  return inOrder({
    ...{ reasons, load, decided, t, locale },
    strengths: fitTexts(strengths, t, locale),
    drawbacks: fitTexts(drawbacks, t, locale),
  });
}

/** Two lines of a phone hold so many letters. */
const TWO_LINES = 110;

/** The same in a list of orders, where it has two lines: with as many of the skills' names as these have room for. */
export function shortWhyText(
  { reasons }: Candidate,
  load: Today | null,
  t: Translate,
  locale: string,
): string {
  const isFull = load !== null && hoursOverToday(load) > 0;
  const others = reasons.filter(({ kind }) => kind !== 'skill' && !(isFull && kind === 'load'));
  const [strengths, drawbacks] = bySide(others);
  const texts = skillTexts(reasons, t, locale).map((skills) =>
    inOrder({
      ...{ reasons, load, t, locale },
      decided: decidedText(reasons, t) === null ? null : t('candidate.week.least'),
      strengths: [...skills.strengths, ...fitTexts(strengths, t, locale)],
      drawbacks: [...skills.drawbacks, ...fitTexts(drawbacks, t, locale)],
    }),
  );
  return texts.find((text) => text.length <= TWO_LINES) ?? texts.at(-1) ?? '';
}

/** The skills in more and in fewer words: all named, the missing ones alone, and how many of them somebody has. */
function skillTexts(reasons: readonly CandidateReason[], t: Translate, locale: string) {
  const all = reasons.filter(({ kind }) => kind === 'skill').map(withoutInclusion);
  const [has, gaps] = bySide(all);
  const [hasNamed, gapsNamed] = [fitTexts(has, t, locale), fitTexts(gaps, t, locale)];
  const named = { strengths: hasNamed, drawbacks: gapsNamed };
  if (all.length < 2) return [named];
  const count = [t('candidate.skills', { has: has.length, all: all.length })];
  if (gaps.length === 0) return [named, { strengths: count, drawbacks: [] }];
  return [
    named,
    { strengths: has.length === 0 ? [] : count, drawbacks: gapsNamed },
    { strengths: [], drawbacks: count },
  ];
}

function bySide(reasons: readonly CandidateReason[]) {
  return [reasons.filter(isStrength), reasons.filter((reason) => !isStrength(reason))] as const;
}

interface WhyParts {
  reasons: readonly CandidateReason[];
  load: Today | null;
  strengths: readonly string[];
  drawbacks: readonly string[];
  decided: string | null;
  t: Translate;
  locale: string;
}

function inOrder({ reasons, load, strengths, drawbacks, decided, t, locale }: WhyParts): string {
  const hasRoom = load !== null && load.hoursLeftToday > 0 && hoursOverToday(load) === 0;
  const today = loadText(load, t, locale);
  const state = stateTextOf(reasons, t);
  const available = isAvailable(reasons);
  return [
    ...strengths,
    available ? state : null,
    hasRoom ? today : null,
    decided,
    ...drawbacks,
    available ? null : state,
    hasRoom ? null : today,
  ]
    .filter((text) => text !== null)
    .join(', ');
}

/** It speaks for a technician. */
export function isStrength(reason: CandidateReason): boolean {
  return reason.kind === 'already-on' || (reason.kind === 'skill' && reason.state === 'has');
}

/** The best of the ranking who is not on the order already; null without one. */
export function bestFit(ranked: readonly Candidate[], without: readonly number[]): Candidate | null {
  const isOn = ({ idTechnician, reasons }: Candidate) =>
    without.includes(idTechnician) ||
    reasons.some((reason) => reason.kind === 'already-on' && reason.orders === reason.of);
  return ranked.find((candidate) => !isOn(candidate)) ?? null;
}
