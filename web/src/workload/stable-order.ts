// Technicians keep their places while somebody chooses among them: what comes in changes what they show, and where they
// stand only afterwards. A row that moved under a held car would have it given to somebody else.
import { useLayoutEffect, useRef } from 'react';
import type { Workload } from '../api/technicians.ts';

/** `shown` as it is, or while `isChoosing` those who were on screen when that began, as they are now. */
export function useStableOrder(
  all: readonly Workload[],
  shown: readonly Workload[],
  isChoosing: boolean,
): readonly Workload[] {
  const onScreen = useRef<readonly number[]>([]);
  const rows = isChoosing ? inOrder(all, onScreen.current) : shown;
  useLayoutEffect(() => {
    onScreen.current = rows.map(({ technicianId }) => technicianId);
  });
  return rows;
}

/** Whoever is gone is left out. */
function inOrder(all: readonly Workload[], ids: readonly number[]): readonly Workload[] {
  const byId = new Map(all.map((technician) => [technician.technicianId, technician]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
