// One column of the stage view: the stage, how many cars stand there, and of them the cards in sight.
import { useDroppable } from '@dnd-kit/core';
import { useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { isTooLong, stageAppearance, stageName } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { AlarmClock, TriangleAlert } from '../ui/row-glyphs.tsx';
import { CARD_GAP, CARD_HEIGHT, StageCard } from './stage-card.tsx';
import { type StageColumn as Column, isOverLimit } from './stage-columns.ts';
import { useTouchPointer } from './view-params.ts';
import { useVirtualRows } from './virtual-rows.ts';

interface StageColumnProps {
  column: Column;
  may: OrderPermissions;
  /** The place of the Tab stop in it; -1: it is in another column. */
  focused: number;
  /** The order whose details stand beside the columns. */
  open: number | null;
  /** It is the only one on screen. */
  isAlone: boolean;
  /** A car of another column is held, and may be put here. */
  mayDrop: boolean;
  /** px left free below the last card. */
  foot: number;
}

export function StageColumn({ column, may, focused, open, isAlone, mayDrop, foot }: StageColumnProps) {
  const { t } = useTranslation();
  const { setNodeRef, isOver } = useDroppable({ id: column.id, disabled: !mayDrop });
  const scroller = useRef<HTMLDivElement>(null);
  const { keys, rows } = column;
  const { virtualizer, rendered } = useVirtualRows({
    scroller,
    keys,
    rowHeight: CARD_HEIGHT + CARD_GAP,
    headerHeight: 0,
    foot,
    focused,
  });
  const name = useColumnName(column);
  const mayMove = may.stage === true;
  const touch = useTouchPointer();
  return (
    <section
      ref={setNodeRef}
      aria-label={t('stages.board.column', { stage: name, count: column.shown })}
      className={`flex min-h-0 flex-col rounded-lg border bg-sunken ${isAlone ? 'w-full' : 'w-62 shrink-0'} ${isOver && mayDrop ? 'border-accent bg-accent-tint' : mayDrop ? 'border-line-strong border-dashed' : 'border-line'}`}
    >
      <ColumnHead column={column} name={name} />
      {rows.length === 0 ? (
        <p className="px-3 pb-3 text-13 text-quiet">
          {t(mayDrop ? 'stages.board.drop' : 'stages.board.none')}
        </p>
      ) : (
        <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5">
          {/* As high as all cards, those that are not drawn, too. */}
          <ul aria-label={name} className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {rendered.map(({ index, start }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <StageCard
                  key={row.cached.order.key}
                  row={row}
                  mayMove={mayMove}
                  opensHolds={mayMove && !isAlone && !touch}
                  mayDrag={mayMove && !isAlone}
                  isStop={index === focused}
                  isOpen={row.cached.order.key === open}
                  top={start}
                  position={index + 1}
                  count={rows.length}
                />
              );
            })}
          </ul>
        </div>
      )}
    </section>
  );
}

export function useColumnName({ id, stage }: Column): string {
  const { t, language } = useTranslation();
  if (stage !== undefined) return stageName(stage, language);
  return id === '' ? t('stages.cell.none') : id;
}

function ColumnHead({ column, name }: { column: Column; name: string }) {
  const { t } = useTranslation();
  const { now } = useClock();
  const { stage, rows, shown, count } = column;
  const isOver = isOverLimit(column);
  const tooLong =
    stage === undefined
      ? 0
      : rows.filter(({ cached, removal }) => removal === null && isTooLong(cached.order, stage, now)).length;
  return (
    <header className="px-3 pt-2 pb-1.5">
      <h2 className="flex items-center gap-2 text-13 font-semibold">
        <span
          aria-hidden
          className={`size-2.5 shrink-0 rounded-full ${stageAppearance[stage?.colour ?? 'grey'].fill}`}
        />
        <span className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </span>
        <span className={`shrink-0 ${isOver ? 'text-stale' : ''}`}>
          {shown === count ? count : t('stages.board.some', { shown, count })}
        </span>
      </h2>
      <p className="flex h-4 items-center gap-3 text-12 text-quiet">
        {stage?.limit !== undefined && (
          <span className={`flex min-w-0 items-center gap-1 ${isOver ? 'font-medium text-stale' : ''}`}>
            {isOver && <TriangleAlert aria-hidden className="size-3.5 shrink-0" />}
            <span className="truncate">
              {t(isOver ? 'stages.board.overLimit' : 'stages.board.limit', { limit: stage.limit })}
            </span>
          </span>
        )}
        {tooLong > 0 && (
          <span className="flex shrink-0 items-center gap-1 text-stale">
            <AlarmClock aria-hidden className="size-3.5 shrink-0" />
            {t('stages.board.tooLong', { count: tooLong })}
          </span>
        )}
      </p>
    </header>
  );
}
