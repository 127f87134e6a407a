// The stage view: the orders of the list in columns by stage. Cars are dragged from one to another, or moved by keys; a
// phone shows one column at a time.
import { DndContext, DragOverlay, MeasuringStrategy, pointerWithin, useSensors } from '@dnd-kit/core';
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useChanges } from '../repair-order/change-execution.ts';
import { type OrderPermissions, useStartAction } from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { usePresenceAt } from '../repair-order/presence.ts';
import { type Stages, stageName, useStages } from '../repair-order/stages.ts';
import { usePointerSensors } from '../ui/drag-sensors.ts';
import { useCardFocus } from './card-focus.ts';
import { useShownCard } from './card-in-sight.ts';
import { cardKey, useCardKeysAnywhere } from './card-keyboard.ts';
import type { ListDetails } from './desk-details.ts';
import type { ListHandle } from './first-hit.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { rowClicks } from './row-click.ts';
import { HeldCard } from './stage-card.tsx';
import { StageColumn } from './stage-column.tsx';
import { columnsOf, nearestPlace, type StageColumn as StageColumnFacts } from './stage-columns.ts';
import { dragAnnouncements } from './stage-drag-announcements.ts';
import { countStages } from './stage-filters.ts';
import { StageSwitcher } from './stage-switcher.tsx';

export interface StageBoardProps {
  /** Which list the rows are: another one begins at its first card. */
  list: string;
  rows: readonly FrozenRow[];
  open: ReadonlyMap<number, OpenOrder>;
  /** The filter: only the column of this stage. */
  only: string | null;
  narrow: boolean;
  may: OrderPermissions;
  details: ListDetails;
  /** px left free below the last card of a column. */
  foot: number;
  ref?: Ref<ListHandle>;
}

export function StageBoard(props: StageBoardProps) {
  const stages = useStages();
  return stages === null ? null : <Columns {...props} stages={stages} />;
}

/** What is above the columns may grow while a car is held. */
const measuring = { droppable: { strategy: MeasuringStrategy.Always } };
/** Sideways to the other columns; a column stays where it is scrolled to. */
const autoScroll = { threshold: { x: 0.12, y: 0 } };

function Columns({
  list,
  rows,
  open,
  only,
  narrow,
  may,
  details,
  foot,
  stages,
  ref,
}: StageBoardProps & { stages: Stages }) {
  const { t, language } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const counts = useMemo(() => countStages([...open.values()].map(({ order }) => order)), [open]);
  const all = useMemo(() => columnsOf(rows, stages, counts, only), [rows, stages, counts, only]);
  const [chosen, choose] = useState<string | null>(null);
  const first = useFirstColumn(list, all);
  const alone = all.find(({ id }) => id === chosen) ?? first ?? all[0];
  const columns = useMemo(() => (narrow ? all.filter((one) => one === alone) : all), [narrow, all, alone]);
  const focus = useCardFocus(`${list} ${narrow ? alone?.id : ''}`, columns, board);
  const { held, hold, drop } = useMoves(stages);
  const start = useStartAction();
  useShownCard(details.beside, board, focus.stopAt);
  const keyboard = { columns, focus, may, start, details };
  useCardKeysAnywhere(keyboard);
  useImperativeHandle(ref, () => ({
    focusFirst: () => {
      const first = nearestPlace(columns, { column: 0, index: 0 });
      if (first !== null) focus.goTo(first);
    },
  }));
  return (
    <DndContext
      sensors={useSensors(...usePointerSensors())}
      collisionDetection={pointerWithin}
      measuring={measuring}
      autoScroll={autoScroll}
      accessibility={{
        announcements: dragAnnouncements(t, (id) => nameOf(stages, id, language)),
        screenReaderInstructions: { draggable: t('stages.board.hint') },
      }}
      // What is decided on is the car as it was when it was picked up.
      onDragStart={({ active }) => hold((active.data.current as OpenOrder | undefined) ?? null)}
      onDragCancel={() => hold(null)}
      onDragEnd={({ over }) => drop(over === null ? null : String(over.id))}
    >
      {narrow && alone !== undefined && <StageSwitcher columns={all} chosen={alone.id} choose={choose} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it. */}
      <div
        ref={board}
        data-holds
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
        {...rowClicks(details.open)}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => cardKey(event, keyboard)}
        className="flex min-h-0 flex-1 gap-2 overflow-x-auto pb-1"
      >
        {columns.map((column, place) => (
          <StageColumn
            key={column.id}
            column={column}
            may={may}
            focused={focus.place?.column === place ? focus.place.index : -1}
            open={details.beside}
            isAlone={narrow}
            foot={foot}
            mayDrop={held !== null && mayReceive(column, held) && !narrow}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>{held !== null && <HeldCard cached={held} />}</DragOverlay>
    </DndContext>
  );
}

/** The first that has cars. It stays the first while the list is the same one, whatever comes into those before it. */
function useFirstColumn(list: string, all: readonly StageColumnFacts[]): StageColumnFacts | undefined {
  const [kept, keep] = useState<{ list: string; id: string } | null>(null);
  const stays = kept?.list === list ? all.find(({ id }) => id === kept.id) : undefined;
  const first = stays ?? all.find(({ shown }) => shown > 0);
  if (first !== undefined && first !== stays) keep({ list, id: first.id });
  return first;
}

/** A car can be moved there. */
function mayReceive({ id, stage }: StageColumnFacts, held: OpenOrder): boolean {
  return stage !== undefined && stage.deleted !== true && held.order.stage !== id;
}

function nameOf(stages: Stages, id: string, language: string): string {
  const stage = stages.byId.get(id);
  return stage === undefined ? '' : stageName(stage, language);
}

const NONE: readonly number[] = [];

/** The car that is held, and what becomes of it. Others see who has it in hand. */
function useMoves(stages: Stages) {
  const { language } = useTranslation();
  const changes = useChanges();
  const [held, hold] = useState<OpenOrder | null>(null);
  usePresenceAt(held === null ? NONE : [held.order.key]);
  const drop = (stage: string | null) => {
    hold(null);
    if (held === null || stage === null || held.order.stage === stage) return;
    const name = nameOf(stages, stage, language);
    void changes.pick(held, { field: 'stage', stage, name, endHolds: false });
  };
  return { held, hold, drop };
}
