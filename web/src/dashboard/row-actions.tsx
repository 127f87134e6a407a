// The actions in a row's cells and on the phone's cards. Their dialogs load on demand.
import { EllipsisVertical } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import {
  actionsOn,
  type OrderAction,
  type OrderPermissions,
  useStartAction,
} from '../repair-order/order-actions.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import { IconButton } from '../ui/button.tsx';
import { useOpener } from '../ui/opener.ts';
import { part } from '../ui/part.ts';
import {
  ArrowLeftRight,
  Ellipsis,
  type Glyph,
  UserMinus,
  UserPlus,
  UserRoundPlus,
} from '../ui/row-glyphs.tsx';
import { useDrawnAfterTheRest } from './drawn-after-the-rest.ts';
import { useFocusAfterChange } from './focus-after-change.ts';
import { useControlTabIndex } from './row-controls.ts';
import { usePickerControl } from './use-picker-control.ts';

interface OnOrder {
  order: RepairOrder;
  may: OrderPermissions;
}

interface PriorityControlProps extends OnOrder {
  /** The status stands beside it: a word that both share is not shown a second time. */
  besideStatus?: boolean;
}

/** The priority icon; a button for users who may change it. */
export function PriorityControl({ order, may, besideStatus = false }: PriorityControlProps) {
  const { t } = useTranslation();
  const { control, open, toggle } = usePickerControl('priority', order.key);
  const updating = useIsChanging('priority', order.key);
  const tabIndex = useControlTabIndex();
  useFocusAfterChange(control, updating);
  const icon = <PriorityIcon priority={order.priority} isRepeated={besideStatus && repeatsStatus(order)} />;
  if (!may.priority) return icon;
  return (
    <button
      ref={control}
      type="button"
      tabIndex={tabIndex}
      disabled={updating}
      data-opened-by="priority"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={t('table.priorityIs', {
        number: order.roNumber,
        priority: t(`priority.${order.priority}`),
      })}
      title={t('table.priority', { number: order.roNumber })}
      onClick={toggle}
      className="md:-mx-1.5 inline-flex h-7 max-w-full items-center rounded-md px-1.5 md:max-w-[calc(100%+0.75rem)] hover:bg-line disabled:opacity-60 max-md:h-11 max-md:min-w-11 max-md:border max-md:border-line max-md:px-2 pointer-coarse:h-11"
    >
      {icon}
    </button>
  );
}

/** The first possible action is the primary one. */
const assigning = ['dispatch', 'reassign', 'add', 'remove'] as const;
export type Assigning = (typeof assigning)[number];

export const assignmentGlyphs: Record<Assigning, Glyph> = {
  dispatch: UserRoundPlus,
  reassign: ArrowLeftRight,
  add: UserPlus,
  remove: UserMinus,
};
export const assignmentNames = {
  dispatch: 'table.dispatchShort',
  reassign: 'table.reassignShort',
  add: 'table.addShort',
  remove: 'table.removeShort',
} as const;

export function assignmentActions({ order, may }: OnOrder): Assigning[] {
  const possible: readonly OrderAction[] = actionsOn(order, may);
  return assigning.filter((action) => possible.includes(action));
}

/** In the table: over the end of the line below the technician on hover; on touch beside them, always. */
export function AssignmentButtons({ order, may }: OnOrder) {
  const actions = assignmentActions({ order, may });
  const isDrawn = useDrawnAfterTheRest();
  if (actions.length === 0 || !isDrawn) return null;
  return (
    <span className="row-buttons on-row-hover flex shrink-0 items-center">
      {actions.map((action) => (
        <AssigningButton
          key={action}
          action={action}
          order={order}
          // Beside the call to assign somebody its glyph would stand there twice.
          glyph={action === 'dispatch' ? Ellipsis : assignmentGlyphs[action]}
          className="on-row-glyph h-full w-7 pointer-coarse:size-11"
        />
      ))}
    </span>
  );
}

/** On a card: the first possible action with its label, within the thumb's reach, and a menu of the others. */
export function CardActions({ order, may }: OnOrder) {
  const { t } = useTranslation();
  const ask = useStartAction();
  const [primary, ...others] = assignmentActions({ order, may });
  if (primary === undefined) return null;
  const Glyph = assignmentGlyphs[primary];
  return (
    <span className="-mr-3 ml-auto flex min-w-0 items-center *:mr-3">
      <button
        type="button"
        aria-label={t(`table.${primary}`, { number: order.roNumber })}
        onClick={() => ask(primary, order.key)}
        className="inline-flex h-11 min-w-11 items-center gap-2 rounded-md border border-line px-2 text-14 font-medium text-accent hover:bg-sunken @sm:px-2.5"
      >
        <Glyph aria-hidden className="size-[18px] shrink-0 @max-sm:hidden" />
        <span className="truncate">{t(assignmentNames[primary])}</span>
      </button>
      {others.length > 0 && <OtherActions order={order} actions={others} />}
    </span>
  );
}

const cardActionsItems = part(async () => (await import('./card-actions-items.tsx')).CardActionsItems);

function OtherActions(props: { order: RepairOrder; actions: readonly Assigning[] }) {
  const { t } = useTranslation();
  const { trigger, opened, Shown } = useOpener(cardActionsItems, 'menu');
  return (
    <>
      <IconButton
        {...trigger}
        label={t('card.otherActions', { number: props.order.roNumber })}
        className="mr-0! size-11"
      >
        <EllipsisVertical aria-hidden className="size-[18px]" />
      </IconButton>
      {Shown !== null && <Shown opened={opened} {...props} />}
    </>
  );
}

function AssigningButton({
  action,
  order,
  glyph: Glyph,
  className,
}: {
  action: Assigning;
  order: RepairOrder;
  glyph: Glyph;
  className: string;
}) {
  const { t } = useTranslation();
  const ask = useStartAction();
  const tabIndex = useControlTabIndex();
  const name = t(`table.${action}`, { number: order.roNumber });
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={name}
      title={name}
      onClick={() => ask(action, order.key)}
      className={`grid shrink-0 place-items-center rounded-md text-quiet hover:bg-line hover:text-ink ${className}`}
    >
      <Glyph aria-hidden className="size-4 max-md:size-[18px]" />
    </button>
  );
}
