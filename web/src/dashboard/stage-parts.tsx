// What the desk of a shop with stages has more than others. Its code and texts are loaded where orders have stages.
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useLivePromises } from '../repair-order/promises.ts';
import { useHasStages, useLiveStages, useStages } from '../repair-order/stages.ts';
import type { StageBoard as Board } from './stage-board.tsx';
import type { StageCell as Cell } from './stage-cell.tsx';

const StageCell = lazy(async () => ({ default: (await import('./stage-cell.tsx')).StageCell }));
const StageLine = lazy(async () => ({ default: (await import('./stage-cell.tsx')).StageLine }));
const PromiseFlag = lazy(async () => ({ default: (await import('./promise-flag.tsx')).PromiseFlag }));
const StageBoard = lazy(async () => ({ default: (await import('./stage-board.tsx')).StageBoard }));
const PresentationToggle = lazy(async () => ({
  default: (await import('./presentation-toggle.tsx')).PresentationToggle,
}));
const StageFilter = lazy(async () => ({ default: (await import('./stage-filter.tsx')).StageFilter }));

/** Whether the shop uses stages: the list is asked for where an order is in one, or when one is told of. */
export function useDeskStages(): boolean {
  const hasStages = useHasStages();
  const [told, tell] = useState(false);
  useEffect(
    () =>
      onSocketMessage('STAGES_CHANGED', (message) => {
        if (message !== null) tell(true);
      }),
    [],
  );
  useLiveStages();
  const usesStages = useStages(hasStages || told) !== null;
  useLivePromises(usesStages);
  return usesStages;
}

type DeskStageProps = ComponentProps<typeof Cell> & { inLine?: boolean };

/** The cell of the table, or the line of a card. */
export function DeskStage({ inLine = false, ...props }: DeskStageProps) {
  const Shown = inLine ? StageLine : StageCell;
  return (
    <Suspense>
      <Shown {...props} />
    </Suspense>
  );
}

export function DeskStageFilter(props: ComponentProps<typeof StageFilter>) {
  return (
    <Suspense>
      <StageFilter {...props} />
    </Suspense>
  );
}

/** At the due time of an order that was promised. */
export function DeskPromise({ order }: { order: RepairOrder }) {
  if (order.stage === null || order.promised === null) return null;
  return (
    <Suspense>
      <PromiseFlag order={order} />
    </Suspense>
  );
}

/** The orders in columns by stage. */
export function DeskStageBoard(props: ComponentProps<typeof Board>) {
  return (
    <Suspense>
      <StageBoard {...props} />
    </Suspense>
  );
}

export function DeskPresentation(props: ComponentProps<typeof PresentationToggle>) {
  return (
    <Suspense>
      <PresentationToggle {...props} />
    </Suspense>
  );
}
