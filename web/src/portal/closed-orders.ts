// The cars that a technician is done with.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ClosedOrder, fetchClosedOrders } from '../api/technicians.ts';
import { loadScreen, saveScreen } from '../offline/saved-screens.ts';
import { useReloadAfter } from '../repair-order/reload-after.ts';
import { foldText, typedWords } from '../ui/text-matching.ts';

/** As far back as they are listed. */
export const CLOSED_DAYS = 30;

const screenName = (technician: number) => `closed-${technician}`;

function closedOrdersOf(technician: number) {
  return queryOptions({
    queryKey: ['closed-orders', technician],
    queryFn: async ({ signal }) => {
      try {
        const closed = await fetchClosedOrders(technician, CLOSED_DAYS, signal);
        saveScreen(screenName(technician), closed);
        return closed;
      } catch (failure) {
        const saved = await loadScreen<ClosedOrder[]>(screenName(technician));
        if (saved === undefined) throw failure;
        return saved;
      }
    },
    // A socket message says when an order is closed or a story written.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useClosedOrders(technician: number, isWanted = true) {
  const query = closedOrdersOf(technician);
  // What is open changes all day, and the list is of what is closed.
  useReloadAfter('RO_MODIFIED', query.queryKey, (message) => message === null || message.rows?.length === 0);
  return useQuery({ ...query, enabled: isWanted });
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
