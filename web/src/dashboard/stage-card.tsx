// One car in the stage view: what it is, who has it, when it is due, how long it has stood there and what it waits for.
// Its link is what the keys move between; it is dragged by mouse, or by finger after a moment's hold.
import { useDraggable } from '@dnd-kit/core';
import { type CSSProperties, memo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { PresenceIndicator } from '../repair-order/presence-indicator.tsx';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';
import { statusAppearance } from '../repair-order/statuses.ts';
import { ChevronDown } from '../ui/row-glyphs.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import { NumberLink, TagNumber } from './order-fields.tsx';
import { PromiseFlag } from './promise-flag.tsx';
import { RowControls } from './row-controls.ts';
import { useRowHighlight } from './row-highlight.ts';
import { HoldNote, TimeInStage } from './stage-cell.tsx';
import { DueFlag } from './timeline.tsx';
import { usePickerControl } from './use-picker-control.ts';

/** px */
export const CARD_HEIGHT = 110;
/** px */
export const CARD_GAP = 8;

interface StageCardProps {
  row: FrozenRow;
  /** Who may not move it may only look. */
  mayMove: boolean;
  /** Where there is no other column in sight it is moved by its button alone. */
  mayDrag: boolean;
  /** A thumb has no room for it: the move's picker leads to the holds, too. */
  opensHolds: boolean;
  /** Tab leads to it. */
  isStop: boolean;
  /** Its details stand beside the columns. */
  isOpen: boolean;
  /** px from the top of the column. */
  top: number;
  position: number;
  count: number;
}

export const StageCard = memo(function StageCard(props: StageCardProps) {
  const { row, mayMove, mayDrag, opensHolds, isStop, isOpen, top, position, count } = props;
  const { cached, removal } = row;
  const { order } = cached;
  const isChanging = useIsChanging('stage', order.key);
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: order.key,
    data: cached,
    disabled: !mayDrag || isChanging || removal !== null,
  });
  const highlight = useRowHighlight(cached.changedAt);
  const isGlowing = highlight.on && removal === null;
  const place: CSSProperties = { height: CARD_HEIGHT, transform: `translateY(${top}px)`, ...highlight.style };
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      data-card={order.key}
      data-key={order.key}
      aria-setsize={count}
      aria-posinset={position}
      aria-disabled={removal !== null || undefined}
      aria-busy={isChanging || undefined}
      style={place}
      className={`group/card absolute inset-x-0 top-0 touch-manipulation overflow-hidden rounded-md border bg-raised px-2.5 py-2 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent ${isOpen ? 'border-accent shadow-[inset_3px_0_0_var(--accent)]' : 'border-line hover:border-line-strong'} ${mayDrag ? 'md:cursor-grab' : 'cursor-pointer'} ${isDragging || isChanging ? 'opacity-40' : ''} ${isGlowing ? 'glow' : ''}`}
    >
      {removal === null ? (
        <RowControls value={-1}>
          <CardFacts order={order} mayMove={mayMove} opensHolds={opensHolds} isStop={isStop} />
        </RowControls>
      ) : (
        <RemovedCard order={order} removal={removal} />
      )}
    </li>
  );
});

/** It is only kept in place: the order was closed, or is not in this list any more. */
function RemovedCard({ order, removal }: { order: RepairOrder; removal: 'closed' | 'elsewhere' }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-13 font-medium">{t(`table.${removal}`)}</p>
      <p className="font-mono text-13 text-quiet">{order.roNumber}</p>
      <p className="truncate text-13 text-quiet normal-nums" title={order.customer}>
        {order.customer}
      </p>
    </>
  );
}

interface CardFactsProps {
  order: RepairOrder;
  mayMove: boolean;
  opensHolds: boolean;
  isStop: boolean;
}

function CardFacts({ order, mayMove, opensHolds, isStop }: CardFactsProps) {
  return (
    <>
      <span className={`flex h-5 items-center gap-2 ${mayMove ? 'pr-6 pointer-coarse:pr-10' : ''}`}>
        <RowControls value={isStop ? undefined : -1}>
          <NumberLink order={order} />
        </RowControls>
        <StatusWord order={order} />
        <TagNumber order={order} />
        <PresenceIndicator roNumber={order.key} />
      </span>
      {mayMove && <MoveButton order={order} />}
      <CarFacts order={order} />
      <span className="flex h-[1.125rem] min-w-0 items-center gap-1.5">
        <span className="min-w-0 flex-1">
          <DueFlag order={order} />
        </span>
        {order.promised !== null && (
          <span className="flex shrink-0">
            <PromiseFlag order={order} />
          </span>
        )}
      </span>
      <span className="mt-0.5 flex min-w-0 items-center gap-2">
        <span className="min-w-0 shrink-0 max-w-3/5">
          <TimeInStage order={order} />
        </span>
        <span className="min-w-0 flex-1">
          <HoldNote order={order} readOnly={!opensHolds} />
        </span>
      </span>
    </>
  );
}

/** Also under the pointer, while the car is dragged. */
function CarFacts({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="block truncate text-13 leading-5 font-medium normal-nums" title={order.customer}>
        {order.customer}
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-12 leading-[1.125rem]">
        <span className="min-w-0 flex-1 truncate text-quiet normal-nums" title={order.vehicle}>
          {order.vehicle}
        </span>
        <span
          className={`max-w-1/2 shrink-0 truncate ${order.technician === '' ? 'text-quiet' : 'font-medium'}`}
          title={order.allRegularTechs || t('order.unassigned')}
        >
          {order.technician || t('order.unassigned')}
        </span>
      </span>
    </>
  );
}

function StatusWord({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const { glyph: Glyph, ink } = statusAppearance[order.status];
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className={`flex min-w-0 items-center gap-1 text-12 font-medium ${ink}`}>
        <Glyph aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{t(`status.${order.status}`)}</span>
      </span>
      <PriorityIcon priority={order.priority} isRepeated />
    </span>
  );
}

function MoveButton({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const { control, open, toggle } = usePickerControl('stage', order.key);
  const label = t('stages.board.move', { number: order.roNumber });
  return (
    <button
      ref={control}
      type="button"
      tabIndex={-1}
      data-opened-by="stage"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={label}
      title={label}
      onClick={toggle}
      className="absolute top-1 right-1 grid size-7 place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 max-md:top-0 max-md:right-0 max-md:size-11 pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:size-11 md:pointer-fine:opacity-0 md:pointer-fine:group-hover/card:opacity-100 md:pointer-fine:group-has-[a:focus-visible]/card:opacity-100"
    >
      <ChevronDown aria-hidden className="size-4" />
    </button>
  );
}

/** The card under the pointer while it is dragged. */
export function HeldCard({ cached: { order } }: { cached: OpenOrder }) {
  return (
    <div
      style={{ height: CARD_HEIGHT }}
      className="cursor-grabbing overflow-hidden rounded-md border border-accent bg-raised px-2.5 py-2 shadow-pop"
    >
      <span className="flex h-5 items-center gap-2">
        <span className="font-mono text-13 font-medium">{order.roNumber}</span>
        <StatusWord order={order} />
      </span>
      <CarFacts order={order} />
    </div>
  );
}
