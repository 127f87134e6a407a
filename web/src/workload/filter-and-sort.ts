// Which technicians are shown, and in what order. Pure.
import type { Workload } from '../api/technicians.ts';
import { isOverToday } from '../repair-order/technician-load.ts';
import { matchesWordStarts, typedWords } from '../ui/text-matching.ts';
import { backlogDays, shareOfToday } from './today.ts';

export const orders = ['idle', 'name', 'load'] as const;
type Order = (typeof orders)[number];
/** Who can take work stands first. */
const DEFAULT_ORDER: Order = 'idle';

export const filters = ['all', 'idle', 'on-job', 'off', 'over'] as const;
export type Filter = (typeof filters)[number];

/** The chosen search, sort and filter. */
export interface View {
  search: string;
  order: Order;
  filter: Filter;
}

/** Kept in the address, without the defaults. */
export function readView(params: URLSearchParams): View {
  return {
    search: params.get('q') ?? '',
    order: orders.find((one) => one === params.get('sort')) ?? DEFAULT_ORDER,
    filter: filters.find((one) => one === params.get('show')) ?? 'all',
  };
}

export function writeView({ search, order, filter }: View): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== '') params.set('q', search);
  if (order !== DEFAULT_ORDER) params.set('sort', order);
  if (filter !== 'all') params.set('show', filter);
  return params;
}

export function isShown(technician: Workload, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'over') return isOverToday(technician);
  return technician.clock.state === filter;
}

export function filterAndSort(all: readonly Workload[], view: View, language: string): Workload[] {
  const typed = typedWords(view.search);
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName = (a: Workload, b: Workload) =>
    compare(a.fullName, b.fullName) || a.technicianId - b.technicianId;
  const shown = all.filter(
    (one) =>
      isShown(one, view.filter) &&
      matchesWordStarts(`${one.fullName} ${one.specialty} ${one.levelName ?? ''}`, typed),
  );
  switch (view.order) {
    case 'name':
      return shown.toSorted(byName);
    case 'load':
      return shown.toSorted((a, b) => byLoad(b, a) || byName(a, b));
    case 'idle':
      return shown.toSorted(
        (a, b) =>
          clockStateOrder[a.clock.state] - clockStateOrder[b.clock.state] ||
          byWait(a, b) ||
          byLoad(a, b) ||
          byName(a, b),
      );
  }
}

/** Idle technicians come first; those off the clock come last. Among the others, the least loaded first. */
const clockStateOrder: Record<Workload['clock']['state'], number> = { idle: 0, 'on-job': 1, off: 2 };

/** Among the idle, the longest idle first. */
function byWait(a: Workload, b: Workload): number {
  if (a.clock.state !== 'idle' || a.clock.since === null || b.clock.since === null) return 0;
  return Date.parse(a.clock.since) - Date.parse(b.clock.since);
}

/** By how full the rest of today is, then by the backlog, then by orders: not every job has known hours. */
function byLoad(a: Workload, b: Workload): number {
  // The difference of two that are without bound is not a number, and decides nothing.
  return (
    shareOfToday(a) - shareOfToday(b) || backlogDays(a) - backlogDays(b) || a.counts.total - b.counts.total
  );
}
