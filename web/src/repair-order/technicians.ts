// The query of the shop's technicians, for whoever chooses or names one.
import { queryOptions } from '@tanstack/react-query';
import { fetchTechnicians } from '../api/repair-orders.ts';

/** Technicians change rarely, and opening a dialog loads them again. */
const STALE_TIME_MS = 30_000;

export const technicians = queryOptions({
  queryKey: ['technicians'],
  queryFn: ({ signal }) => fetchTechnicians(signal),
  staleTime: STALE_TIME_MS,
});
