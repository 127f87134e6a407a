// One order on a phone: what it is, when it is due and what can be done, in about the height of a thumb and a half;
// the rest of the table's facts unfolds.
import { ChevronDown } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { PresenceIndicator } from '../repair-order/presence-indicator.tsx';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';
import { ReceiptIndicator } from '../repair-order/receipt-indicator.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import { Assignment, Jobs, NumberLink, TagNumber, VinWithCopy } from './order-fields.tsx';
import { CardActions, PriorityControl } from './row-actions.tsx';
import { useRowHighlight } from './row-highlight.ts';
import { SelectOrder } from './row-selection.tsx';
import { DeskPromise, DeskStage } from './stage-parts.tsx';
import { StatusPicker } from './status-picker.tsx';
import { DueFlag, Timeline } from './timeline.tsx';

interface OrderCardProps extends FrozenRow {
  may: OrderPermissions;
  /** Null: it cannot be ticked. */
  selected: boolean | null;
  onScreen: () => readonly number[];
  isUnfolded: boolean;
  unfold(key: number): void;
}

export const OrderCard = memo(function OrderCard(props: OrderCardProps) {
  const { cached, removal, selected, isUnfolded } = props;
  const { t } = useTranslation();
  const highlight = useRowHighlight(cached.changedAt);
  const isGlowing = highlight.on && removal === null;
  const ground = selected === true ? 'border-accent bg-accent-tint' : 'border-line bg-raised';
  return (
    <article
      data-key={cached.order.key}
      data-glow={isGlowing || undefined}
      aria-disabled={removal !== null || undefined}
      style={highlight.style}
      className={`relative overflow-hidden rounded-lg border px-3 pt-2 pb-1.5 ${ground} ${isGlowing ? 'glow' : ''}`}
    >
      {removal !== null && <p className="mb-1 text-13 font-medium">{t(`table.${removal}`)}</p>}
      <div className={removal === null ? '' : 'opacity-45 saturate-50'}>
        <CardHead {...props} />
        {cached.order.stage !== null && (
          <DeskStage order={cached.order} readOnly={props.may.stage !== true || removal !== null} inLine />
        )}
        <CardControls {...props} />
        {(isUnfolded || removal !== null) && <CardFacts {...props} />}
      </div>
    </article>
  );
});

function CardHead({ cached: { order }, removal, selected, onScreen, isUnfolded, unfold }: OrderCardProps) {
  const { t } = useTranslation();
  const label = t(isUnfolded ? 'card.fold' : 'card.unfold', { number: order.roNumber });
  return (
    <div className="flex items-start gap-1">
      {selected !== null && removal === null && (
        <span className="-my-2 -ml-3">
          <SelectOrder order={order} selected={selected} onScreen={onScreen} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <div className="flex h-6 items-center gap-2">
          {removal === null ? (
            <span className="-my-2.5 inline-flex shrink-0 [&>a]:inline-flex [&>a]:min-h-11 [&>a]:min-w-11 [&>a]:items-center">
              <NumberLink order={order} />
            </span>
          ) : (
            <span className="font-mono text-13">{order.roNumber}</span>
          )}
          <span className="min-w-0 truncate text-14 font-medium normal-nums" title={order.customer}>
            {order.customer}
          </span>
          <TagNumber order={order} />
          <PresenceIndicator roNumber={order.key} />
        </div>
        <div className="flex items-center gap-1.5 text-13">
          <span className="min-w-0 truncate normal-nums" title={order.vehicle}>
            {order.vehicle}
          </span>
          <span aria-hidden className="text-quiet">
            ·
          </span>
          <span
            className={`min-w-0 shrink-0 truncate max-w-1/2 ${order.technician === '' ? 'text-quiet' : 'font-medium'}`}
            title={order.allRegularTechs}
          >
            {order.technician || t('order.unassigned')}
          </span>
          <ReceiptIndicator order={order} />
        </div>
        <div className="flex gap-x-1.5">
          <span className="min-w-0">
            <DueFlag order={order} />
          </span>
          <span className="ml-auto flex shrink-0">
            <DeskPromise order={order} />
          </span>
        </div>
      </div>
      {removal === null && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          aria-label={label}
          title={label}
          onClick={() => unfold(order.key)}
          className="-mt-2 -mr-3 grid size-11 shrink-0 place-items-center rounded-md text-quiet hover:text-ink"
        >
          <ChevronDown aria-hidden className={`size-4 ${isUnfolded ? 'rotate-180' : ''}`} />
        </button>
      )}
    </div>
  );
}

function CardControls({ cached: { order }, removal, may }: OrderCardProps) {
  return (
    <div className="@container mt-1 flex items-center gap-2">
      <StatusPicker order={order} readOnly={!may.status || removal !== null} />
      {removal === null ? (
        <PriorityControl order={order} may={may} />
      ) : (
        <PriorityIcon priority={order.priority} />
      )}
      {removal === null && <CardActions order={order} may={may} />}
    </div>
  );
}

function CardFacts({ cached: { order }, removal, may }: OrderCardProps) {
  return (
    <div className="mt-2 flex flex-col gap-2 border-t border-line py-2 text-13">
      <div className="-my-2">
        <VinWithCopy vin={order.vin} />
      </div>
      <div className="grid grid-cols-2 gap-x-3">
        <Assignment order={order} readOnly={!may.dispatch || removal !== null} />
        <Timeline order={order} />
      </div>
      <Jobs order={order} />
    </div>
  );
}
