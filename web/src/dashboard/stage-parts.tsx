// What the desk of a shop with stages has more than others. Its code and texts are loaded where orders have stages.
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useLivePromises } from '../repair-order/promises.ts';
import { shopStages, useHasStages, useLiveStages, useStages } from '../repair-order/stages.ts';
import { screenDrawn, untilLoaded } from '../ui/part.ts';
import type { StageBoard as Board } from './stage-board.tsx';
import type { StageCell as Cell } from './stage-cell.tsx';

const StageCell = later(async () => (await import('./stage-cell.tsx')).StageCell);
const StageLine = later(async () => (await import('./stage-cell.tsx')).StageLine);
const PromiseFlag = later(async () => {
  // The promises come later, too.
  await screenDrawn();
  return (await import('./promise-flag.tsx')).PromiseFlag;
});
const StageBoard = later(async () => (await import('./stage-board.tsx')).StageBoard);
const PresentationToggle = later(async () => (await import('./presentation-toggle.tsx')).PresentationToggle);
const StageFilter = later(async () => (await import('./stage-filter.tsx')).StageFilter);

/** Each is reported once where it cannot be loaded, however many rows show it. */
function later<P extends object>(fetchCode: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await untilLoaded(fetchCode) }));
}

interface DeskStages {
  /** The shop uses stages, and they are loaded. */
  isUsed: boolean;
  /** It does, or did when this device last knew and they are on their way: what they bring has its place kept. */
  isExpected: boolean;
}

/**
 * Whether the shop uses stages. The list is asked for where an order is in one, when one is told of, and at once where
 * the shop used them the last time.
 */
export function useDeskStages(): DeskStages {
  const hasStages = useHasStages();
  const [told, tell] = useState(false);
  const [remembered] = useState(rememberedUse);
  useEffect(
    () =>
      onSocketMessage('STAGES_CHANGED', (message) => {
        if (message !== null) tell(true);
      }),
    [],
  );
  useLiveStages();
  const { data, isError } = useQuery({ ...shopStages, enabled: hasStages || told || remembered });
  const isUsed = data?.enabled === true;
  useEffect(() => {
    if (data !== undefined) rememberUse(data.enabled);
  }, [data]);
  useLivePromises(isUsed);
  return { isUsed, isExpected: isUsed || (remembered && data === undefined && !isError) };
}

const STORAGE_KEY = 'dispatch.uses-stages';

function rememberedUse(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== null;
}

function rememberUse(isUsed: boolean): void {
  if (isUsed) localStorage.setItem(STORAGE_KEY, 'yes');
  else localStorage.removeItem(STORAGE_KEY);
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
  const place = (
    <span
      aria-hidden
      className="h-9 w-36 shrink-0 rounded-md border border-line bg-raised max-xl:w-32 max-md:h-11 pointer-coarse:h-11"
    />
  );
  if (useStages(false) === null) return place;
  return (
    <Suspense fallback={place}>
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
  const place = (
    <span
      aria-hidden
      className={`shrink-0 ${props.narrow ? 'size-11' : 'h-9 w-19 rounded-md border border-line bg-raised pointer-coarse:h-12.5 xl:w-42'}`}
    />
  );
  if (useStages(false) === null) return place;
  return (
    <Suspense fallback={place}>
      <PresentationToggle {...props} />
    </Suspense>
  );
}
