// Who gets which order of a batch. Each order has its own best technician by the server's ranking; among those who fit
// an order equally well, what is proposed for the earlier orders of the batch counts as load. Pure.
import type { Candidate } from '../../api/candidates.ts';
import { noWork, sumOfWork, type Work } from '../sold-hours.ts';
import { loadOf, withWork } from '../technician-load.ts';
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
  const given = new Map<number, Work[]>();
  for (const order of orders) {
    const best = leastBusy(equallyFit(order), given);
    if (best === null) continue;
    proposals.set(order.key, best.idTechnician);
    given.set(best.idTechnician, [...(given.get(best.idTechnician) ?? []), order.work]);
  }
  return proposals;
}

/** The best and those who differ from them in nothing that counts more than the load. */
function equallyFit({ candidates, without }: OrderToPropose): Candidate[] {
  const best = bestFit(candidates, without);
  if (best === null) return [];
  const fit = fitOf(best);
  return candidates.filter(
    (candidate) => !without.includes(candidate.idTechnician) && fitOf(candidate) === fit,
  );
}

/** What the server's ranking compares before the load, as one text. */
function fitOf({ reasons }: Candidate): string {
  let [lacks, below, isOff, hasPortal, isOnAll] = [0, 0, false, false, false];
  for (const reason of reasons) {
    if (reason.kind === 'skill' && reason.state === 'lacks') lacks++;
    else if (reason.kind === 'skill' && reason.state === 'below') below++;
    else if (reason.kind === 'clock') isOff = reason.state === 'off';
    else if (reason.kind === 'portal') hasPortal = reason.enabled;
    else if (reason.kind === 'already-on') isOnAll = reason.orders === reason.of;
  }
  return [isOnAll, lacks, below, isOff, hasPortal].join();
}

/** Of those who would be equally busy the one on the fewest orders, then the one whom the server ranks higher. */
function leastBusy(
  candidates: readonly Candidate[],
  given: ReadonlyMap<number, readonly Work[]>,
): Candidate | null {
  const ranked = candidates.map((candidate) => {
    const added = given.get(candidate.idTechnician) ?? [];
    const orders = (loadOf(candidate)?.openOrders ?? 0) + added.length;
    return { candidate, busy: shareOfDay(candidate, sumOfWork(added)), orders };
  });
  const [first, ...others] = ranked;
  if (first === undefined) return null;
  return others.reduce(
    (best, one) =>
      one.busy < best.busy || (one.busy === best.busy && one.orders < best.orders) ? one : best,
    first,
  ).candidate;
}

/** What the server's ranking counts for a job whose hours nobody knows. */
const HOURS_OF_UNKNOWN_JOB = 0.5;

/** The hours in hand and those that are added, in relation to the hours of a day. */
function shareOfDay(candidate: Candidate, added: Work): number {
  const load = loadOf(candidate);
  if (load === null) return 0;
  const { assignedHours, jobsWithoutHours, dailyHours } = withWork(load, added);
  return (assignedHours + HOURS_OF_UNKNOWN_JOB * jobsWithoutHours) / dailyHours;
}

/** The work that the choices add to each technician's. */
export function workByTechnician(
  orders: readonly { key: number; work: Work }[],
  choices: (order: number) => number | null,
): (technician: number) => Work {
  const added = new Map<number, Work>();
  for (const { key, work } of orders) {
    const technician = choices(key);
    if (technician !== null) added.set(technician, sumOfWork([added.get(technician) ?? noWork, work]));
  }
  return (technician) => added.get(technician) ?? noWork;
}
