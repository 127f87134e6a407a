// The names of technicians in the open orders. They come with the rows, and a technician who is renamed changes no order's
// version: where an order calls somebody otherwise than the shop's list of technicians does, the orders are loaded again.
import type { QueryClient } from '@tanstack/react-query';
import { fetchTechnicians } from '../api/repair-orders.ts';
import { cachedOrders, reloadList, wasListAskedFor } from './live-orders.ts';
import { hasFormerName } from './order-cache.ts';

/** Many changes come together, of an import for instance: the names are compared this long (ms) after the first. */
const DELAY_MS = 2_000;
/** Until the names are asked for again where they could not be had. */
const RETRY_MS = 10_000;

export interface NameCheck {
  /** A name may have changed. A list that was asked for after that time (ms) has it. */
  ask(at: number): void;
  stop(): void;
}

export function createNameCheck(client: QueryClient): NameCheck {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = 0;
  let isOver = false;
  const check = async () => {
    timer = undefined;
    if (wasListAskedFor(client, changedAt)) return;
    try {
      const technicians = await fetchTechnicians();
      const names = new Map(technicians.map(({ idTechnician, displayName }) => [idTechnician, displayName]));
      if (!isOver && hasFormerName(cachedOrders(client), names)) await reloadList(client);
    } catch (failure) {
      console.warn('The names of technicians could not be compared.', failure);
      if (!isOver) timer ??= setTimeout(check, RETRY_MS);
    }
  };
  return {
    ask: (at) => {
      changedAt = Math.max(changedAt, at);
      timer ??= setTimeout(check, DELAY_MS);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
