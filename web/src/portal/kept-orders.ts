// Which orders a technician's device keeps with all that can be read of them, and whether what it has is still right.
import type { Details } from '../api/repair-orders.ts';
import type { ClosedOrder } from '../api/technicians.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { owesStory } from './closed-orders.ts';
import { areVersionsSaved, detailsOf, savedDetails, savedStories } from './saved-answers.ts';

export interface KeptOrder {
  roNumber: number;
  /** Another text: the order has changed. */
  state: string;
  isCurrent(details: Details): boolean;
}

export function keptOpen({ order, version }: Pick<OpenOrder, 'order' | 'version'>): KeptOrder {
  return {
    roNumber: order.key,
    state: `open ${version}`,
    isCurrent: (details) => details.closedDateTime === null && details.version === version,
  };
}

/** The list of closed orders says less of each than its version: `version` is the last that was heard of, else 0. */
export function keptClosed(order: ClosedOrder, version: number): KeptOrder {
  const { repairOrderNumber, closedDateTime, jobs } = order;
  const stories = jobs.map(({ jobNumber, hasStory }) => `${jobNumber}${hasStory ? '+' : '-'}`);
  return {
    roNumber: repairOrderNumber,
    state: ['closed', closedDateTime, ...stories, version].join(' '),
    isCurrent: (details) =>
      details.closedDateTime === closedDateTime &&
      details.version >= version &&
      jobs.every(({ jobNumber, hasStory }) => writtenJobs(details).includes(jobNumber) === hasStory),
  };
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;
const MAX_CLOSED = 20;

/** Those whose story is owed, and those of the last days: what a technician still opens. The newest of each first. */
export function closedToKeep(closed: readonly ClosedOrder[], now: number): ClosedOrder[] {
  const isOwed = ({ jobs }: ClosedOrder) => jobs.some(owesStory);
  const isRecent = ({ closedDateTime }: ClosedOrder) => Date.parse(closedDateTime) > now - KEPT_DAYS * DAY_MS;
  const others = closed.filter((order) => !isOwed(order) && isRecent(order));
  return [...closed.filter(isOwed), ...others].slice(0, MAX_CLOSED);
}

/**
 * Fetches what is missing or older than the order, and returns whether that was anything; rejects when the server
 * cannot be reached.
 */
export async function keepOrder({ roNumber, isCurrent }: KeptOrder): Promise<boolean> {
  const saved = await savedDetails(roNumber);
  const isSaved = saved !== undefined && isCurrent(saved);
  const details = isSaved ? saved : await fromServer(detailsOf(roNumber));
  if (details.storiesWithheld === true) return !isSaved;
  const { version } = details;
  let isNew = false;
  // A job without a story has no claim sheet, and hardly ever an earlier version.
  for (const jobNumber of writtenJobs(details)) {
    if (await areVersionsSaved({ roNumber, jobNumber }, version)) continue;
    await fromServer(savedStories.versions({ roNumber, jobNumber }, version));
    isNew = true;
  }
  if (isNew) await fromServer(savedStories.timeOnOrder(roNumber));
  return isNew || !isSaved;
}

function writtenJobs({ jobs }: Details): number[] {
  return jobs.filter(({ techStory }) => techStory.trim() !== '').map(({ jobNumber }) => jobNumber);
}

/** What was saved before is no answer here. */
async function fromServer<T>(answer: Promise<{ value: T; savedAt: number | null }>): Promise<T> {
  const { value, savedAt } = await answer;
  if (savedAt !== null) throw new Error('The server cannot be reached.');
  return value;
}
