// The proposals of a dialog. They are made once: nothing that somebody is about to send changes by itself.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Candidate } from '../../api/candidates.ts';
import type { Technician } from '../../api/repair-orders.ts';
import { urgency } from '../../rules/urgency.ts';
import type { RepairOrder } from '../order.ts';
import { workOf } from '../sold-hours.ts';
import { candidatesFor } from '../technician-ranking.ts';
import { technicians } from '../technicians.ts';
import { type Choices, propose } from './proposals.ts';

/** The first value that is not undefined, for as long as the dialog is open. */
export function useFirst<T>(make: () => T | undefined): T | undefined {
  const [first, setFirst] = useState<T>();
  if (first !== undefined) return first;
  const made = make();
  if (made !== undefined) setFirst(() => made);
  return made;
}

/** Without all answers in this time there are proposals for those orders that have one. */
const PROPOSALS_TIMEOUT_MS = 5_000;

export interface Proposals {
  /** An order without one has to be decided by hand. */
  technicians: Choices;
  /** The best first; empty where the server did not answer. */
  candidates(order: number): readonly Candidate[];
}

/** Undefined while the server is asked. Nobody is proposed whom the dialog cannot name. */
export function useProposals(orders: readonly RepairOrder[]): Proposals | undefined {
  const answers = useQueries({
    queries: orders.map(({ key }) => candidatesFor([key])),
    combine: (all) => ({
      ranked: all.map(({ data }) => data ?? []),
      isPending: all.some((one) => one.isPending),
    }),
  });
  const { data: listed } = useQuery(technicians);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PROPOSALS_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  return useFirst(() => {
    if (listed === undefined || (answers.isPending && !late)) return undefined;
    return proposalsOf(
      orders,
      answers.ranked.map((candidates) => listedOf(candidates, listed)),
    );
  });
}

/** Those of a ranking who can be chosen: one may have come, or gone, since the technicians were loaded. */
export function listedOf(candidates: readonly Candidate[], listed: readonly Technician[]): Candidate[] {
  const ids = new Set(listed.map(({ idTechnician }) => idTechnician));
  return candidates.filter(({ idTechnician }) => ids.has(idTechnician));
}

function proposalsOf(orders: readonly RepairOrder[], ranked: readonly (readonly Candidate[])[]): Proposals {
  const byOrder = new Map(orders.map(({ key }, place) => [key, ranked[place] ?? []]));
  const candidates = (order: number) => byOrder.get(order) ?? [];
  const technicians = propose(
    orders.map((order) => ({
      key: order.key,
      work: workOf(order.jobs),
      without: order.technicians.map(({ id }) => id),
      candidates: candidates(order.key),
    })),
  );
  return { technicians, candidates };
}

/** Who chooses first: the most urgent order, of two the one that is due first. */
export function byUrgency(one: RepairOrder, other: RepairOrder): number {
  return (
    urgency(one) - urgency(other) ||
    (one.promised ?? one.eta) - (other.promised ?? other.eta) ||
    one.key - other.key
  );
}
