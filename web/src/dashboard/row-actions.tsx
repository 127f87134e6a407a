// The actions in a row's cells and on the phone's cards. Their dialogs load on demand.
import { ArrowLeftRight, type LucideIcon, UserMinus, UserPlus, UserRoundPlus } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import {
  actionsOn,
  type OrderAction,
  type OrderPermissions,
  useStartAction,
} from '../repair-order/order-actions.ts';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';

interface OnOrder {
  order: RepairOrder;
  may: OrderPermissions;
}

/** The priority icon; a button for users who may change it. */
export function PriorityControl({ order, may }: OnOrder) {
  const { t } = useTranslation();
  const sign = useId();
  const ask = useStartAction();
  if (!may.priority) return <PriorityIcon priority={order.priority} />;
  return (
    <button
      type="button"
      aria-label={t('table.priority', { number: order.roNumber })}
      aria-describedby={sign}
      title={t('table.priority', { number: order.roNumber })}
      onClick={() => ask('priority', order.key)}
      className="-ml-1.5 inline-flex h-7 max-w-full items-center rounded-md px-1.5 hover:bg-line max-md:h-11 max-md:border max-md:border-line max-md:px-3 pointer-coarse:h-11"
    >
      <span id={sign} className="inline-flex">
        <PriorityIcon priority={order.priority} />
      </span>
    </button>
  );
}

/** The first possible action is the primary one. */
const assigning = ['dispatch', 'reassign', 'add', 'remove'] as const;
type Assigning = (typeof assigning)[number];

const glyphs: Record<Assigning, LucideIcon> = {
  dispatch: UserRoundPlus,
  reassign: ArrowLeftRight,
  add: UserPlus,
  remove: UserMinus,
};
const shortName = {
  dispatch: 'table.dispatchShort',
  reassign: 'table.reassignShort',
  add: 'table.addShort',
  remove: 'table.removeShort',
} as const;

function assigningOn({ order, may }: OnOrder): Assigning[] {
  const possible: readonly OrderAction[] = actionsOn(order, may);
  return assigning.filter((action) => possible.includes(action));
}

/** Beside the technician in the table: shown over the end of the cell on hover, always on touch screens. */
export function AssignmentButtons({ order, may }: OnOrder) {
  const actions = assigningOn({ order, may });
  if (actions.length === 0) return null;
  return (
    <span className="row-buttons on-row-hover flex shrink-0 items-center">
      {actions.map((action) => (
        <AssigningButton
          key={action}
          action={action}
          order={order}
          className="on-row-glyph size-7 pointer-coarse:size-11"
        />
      ))}
    </span>
  );
}

/**
 * At the bottom of a card: the primary action with its label, within the thumb's reach, the others as glyphs beside
 * it.
 */
export function CardActions({ order, may }: OnOrder) {
  const { t } = useTranslation();
  const ask = useStartAction();
  const [primary, ...others] = assigningOn({ order, may });
  if (primary === undefined) return null;
  const Glyph = glyphs[primary];
  return (
    <div className="mt-2.5 flex items-center justify-end gap-1 border-t border-line pt-2">
      {others.toReversed().map((action) => (
        <AssigningButton key={action} action={action} order={order} className="size-11" />
      ))}
      <button
        type="button"
        aria-label={t(`table.${primary}`, { number: order.roNumber })}
        onClick={() => ask(primary, order.key)}
        className="ml-1 inline-flex h-11 items-center gap-2 rounded-md border border-line px-4 text-14 font-medium text-accent hover:bg-sunken"
      >
        <Glyph aria-hidden className="size-[18px]" />
        {t(shortName[primary])}
      </button>
    </div>
  );
}

function AssigningButton({
  action,
  order,
  className,
}: {
  action: Assigning;
  order: RepairOrder;
  className: string;
}) {
  const { t } = useTranslation();
  const ask = useStartAction();
  const Glyph = glyphs[action];
  const name = t(`table.${action}`, { number: order.roNumber });
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={() => ask(action, order.key)}
      className={`grid shrink-0 place-items-center rounded-md text-quiet hover:bg-line hover:text-ink ${className}`}
    >
      <Glyph aria-hidden className="size-4 max-md:size-[18px]" />
    </button>
  );
}
