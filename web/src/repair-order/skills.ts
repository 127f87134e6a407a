// What technicians can do: the shop's skills, for the screens that invite technicians and that say who has which.
import { queryOptions } from '@tanstack/react-query';
import { fetchSkills } from '../api/users.ts';

/** Skills change rarely. */
const STALE_TIME_MS = 30_000;

export const skills = queryOptions({
  queryKey: ['skills'],
  queryFn: ({ signal }) => fetchSkills(signal),
  staleTime: STALE_TIME_MS,
});
