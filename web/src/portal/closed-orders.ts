// The cars that a technician is done with.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ClosedOrder, fetchClosedOrders } from '../api/technicians.ts';
import { orLastKnown } from '../offline/last-known.ts';
import { useReloadAfter, useReloadWhenHeard } from '../repair-order/reload-after.ts';
import { foldText, typedWords } from '../ui/text-matching.ts';

/** As far back as they are listed. */
export const CLOSED_DAYS = 30;

const screenName = (technician: number) => `closed-${technician}`;

export function closedOrdersOf(technician: number) {
  return queryOptions({
    queryKey: ['closed-orders', technician],
    queryFn: ({ signal }) =>
      orLastKnown(screenName(technician), () => fetchClosedOrders(technician, CLOSED_DAYS, signal)),
    // A socket message says when an order is closed or a story written.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useClosedOrders(technician: number, isWanted = true) {
  const options = closedOrdersOf(technician);
  const query = useQuery({ ...options, enabled: isWanted });
  // What is open changes all day, and the list is of what is closed.
  useReloadAfter(
    'RO_MODIFIED',
    options.queryKey,
    (message) => message === null || message.rows?.length === 0,
  );
  useReloadWhenHeard(options.queryKey, query);
  return query;
}

/** Jobs they worked on whose story nobody has written. */
export function storiesOwed(closed: readonly ClosedOrder[]): number {
  return closed.reduce((sum, { jobs }) => sum + jobs.filter(owesStory).length, 0);
}

export function owesStory({ workedOn, hasStory }: ClosedOrder['jobs'][number]): boolean {
  return workedOn && !hasStory;
}

/** Those that have all words of the search, in any order. */
export function findClosed(closed: readonly ClosedOrder[], search: string): readonly ClosedOrder[] {
  const words = typedWords(search);
  return closed.filter(({ repairOrderNumber, displayNumber, vehicle, vehicleVIN, customer, jobs }) => {
    const texts = [displayNumber ?? repairOrderNumber, vehicle, vehicleVIN, customer];
    const text = foldText([...texts, ...jobs.flatMap(({ opcode, concern }) => [opcode, concern])].join(' '));
    return words.every((word) => text.includes(word));
  });
}
