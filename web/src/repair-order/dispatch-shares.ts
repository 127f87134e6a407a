// A batch in which several technicians get orders. The server gives several orders to one technician at a time, so that
// each of them is a request; what they did is shown, and undone, as one.
import { dispatchOrders, type OrderVersion } from '../api/repair-orders.ts';
import { type Result, refusedBy } from './change-results.ts';
import { noteSentTogether, requestOf } from './sent-together.ts';

/** The orders that one technician gets. */
export interface DispatchShare {
  technician: number;
  orders: readonly OrderVersion[];
}

/** The results of all requests. One that failed refuses its orders; if all failed, the first failure is thrown. */
export async function sendShares(shares: readonly DispatchShare[]): Promise<Result[]> {
  const answers = await Promise.allSettled(
    shares.map(({ orders, technician }) => dispatchOrders(orders, technician)),
  );
  const failures = answers.filter((answer) => answer.status === 'rejected');
  if (failures.length === answers.length) throw failures[0]?.reason;
  noteSentTogether(
    answers.flatMap((answer) => (answer.status === 'fulfilled' ? (requestOf(answer.value) ?? []) : [])),
  );
  return answers.flatMap((answer, place): Result[] =>
    answer.status === 'fulfilled' ? answer.value : refusedBy(answer.reason, shares[place]?.orders ?? []),
  );
}

export function technicianOf(shares: readonly DispatchShare[], roNumber: number): number[] {
  return shares
    .filter(({ orders }) => orders.some((order) => order.roNumber === roNumber))
    .map(({ technician }) => technician);
}
