// Who gets which order of a batch. Each order has its own best technician by the server's ranking; among those whose
// skills fit an order equally well the batch is spread, and what is proposed for its earlier orders counts as load. Pure.
import type { Candidate } from '../../api/candidates.ts';
import { sumHours, sumOfWork, type Work } from '../sold-hours.ts';
import { type AddedWork, loadOf, nothingAdded, sumOfAdded } from '../technician-load.ts';
import { bestFit } from '../technician-ranking.ts';

export interface OrderToPropose {
  key: number;
  work: Work;
  /** Who is on it already. */
  without: readonly number[];
  /** The best first. */
  candidates: readonly Candidate[];
}

/** Orders and the technicians who are chosen for them. */
export type Choices = ReadonlyMap<number, number>;

/** `orders`: the one that chooses first is the first. An order without candidates gets no technician. */
export function propose(orders: readonly OrderToPropose[]): Choices {
  const proposals = new Map<number, number>();
  const proposedWork = new Map<number, Work[]>();
  for (const order of orders) {
    const best = nextInTurn(equallyFit(order), proposedWork);
    if (best === null) continue;
    proposals.set(order.key, best.idTechnician);
    proposedWork.set(best.idTechnician, [...(proposedWork.get(best.idTechnician) ?? []), order.work]);
  }
  return proposals;
}

/** The best and those whose skills fit the order as well. */
function equallyFit({ candidates, without }: OrderToPropose): Candidate[] {
  const best = bestFit(candidates, without);
  if (best === null) return [];
  const fit = skillFit(best);
  return candidates.filter(
    (candidate) => !without.includes(candidate.idTechnician) && skillFit(candidate) === fit,
  );
}

/** What the server's ranking compares first, as one text. */
function skillFit({ reasons }: Candidate): string {
  let [lacks, below, isOnAll] = [0, 0, false];
  for (const reason of reasons) {
    if (reason.kind === 'skill' && reason.state === 'lacks') lacks++;
    else if (reason.kind === 'skill' && reason.state === 'below') below++;
    else if (reason.kind === 'already-on') isOnAll = reason.orders === reason.of;
  }
  return [isOnAll, lacks, below].join();
}

/** Whoever was given so many orders of a batch makes room for others with the same skills, on the clock or not. */
const ORDERS_OF_A_ROUND = 2;

/**
 * Of those who were given the fewest rounds of orders: whoever is on the clock, then who would be the least busy, is on
 * the fewest orders, has a portal, and is ranked the highest by the server.
 */
function nextInTurn(
  candidates: readonly Candidate[],
  proposedWork: ReadonlyMap<number, readonly Work[]>,
): Candidate | null {
  const ranked = candidates.map((candidate, place) => {
    const added = proposedWork.get(candidate.idTechnician) ?? [];
    const rank = [
      Math.floor(added.length / ORDERS_OF_A_ROUND),
      Number(isOff(candidate)),
      shareOfDay(candidate, sumOfWork(added)),
      (loadOf(candidate)?.openOrders ?? 0) + added.length,
      Number(!hasPortal(candidate)),
      place,
    ];
    return { candidate, rank };
  });
  return ranked.toSorted((one, other) => compareRanks(one.rank, other.rank))[0]?.candidate ?? null;
}

function isOff({ reasons }: Candidate): boolean {
  return reasons.some((reason) => reason.kind === 'clock' && reason.state === 'off');
}

function hasPortal({ reasons }: Candidate): boolean {
  return reasons.some((reason) => reason.kind === 'portal' && reason.enabled);
}

/** The first number that differs decides; the lower one comes first. */
function compareRanks(one: readonly number[], other: readonly number[]): number {
  return one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** What the server's ranking counts for a job whose hours nobody knows. */
const HOURS_OF_UNKNOWN_JOB = 0.5;

/** The hours in hand and those that are added, in relation to the hours of a day. */
function shareOfDay(candidate: Candidate, added: Work): number {
  const load = loadOf(candidate);
  if (load === null) return 0;
  const hours = sumHours([load.assignedHours, added.hours]);
  const unknown = load.jobsWithoutHours + added.jobsWithoutHours;
  return (hours + HOURS_OF_UNKNOWN_JOB * unknown) / load.dailyHours;
}

/** The work that the choices add to each technician's. */
export function workByTechnician(
  orders: readonly { key: number; work: AddedWork }[],
  choices: (order: number) => number | null,
): (technician: number) => AddedWork {
  const added = new Map<number, AddedWork>();
  for (const { key, work } of orders) {
    const technician = choices(key);
    if (technician !== null) added.set(technician, sumOfAdded([added.get(technician) ?? nothingAdded, work]));
  }
  return (technician) => added.get(technician) ?? nothingAdded;
}
