// What the portal shows and does about stages: in a shop that uses them.
import { useMemo } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { useLiveStages, useStages } from '../repair-order/stages.ts';
import { useKeptStages } from './kept-stages.ts';
import type { PortalRights } from './portal-access.ts';
import type { PortalDialog } from './portal-dialogs.tsx';
import type { StageControls } from './stage-section.tsx';
import { useStageTap } from './stage-taps.ts';

/** Null: the shop uses no stages, or they are not loaded yet. `open`: the same function each time. */
export function useStageControls(
  { own, endsHolds }: PortalRights,
  open: (dialog: PortalDialog) => void,
): StageControls | null {
  useLiveStages();
  useKeptStages();
  const stages = useStages();
  const mayChange = usePermission('change-stages');
  const tap = useStageTap();
  return useMemo(
    () =>
      stages && {
        stages,
        tap: mayChange ? tap : null,
        isOwn: own,
        mayEnd: endsHolds,
        ask: (order, reason, hold) => open({ kind: 'hold', order, reason, hold }),
      },
    [stages, mayChange, tap, own, endsHolds, open],
  );
}
