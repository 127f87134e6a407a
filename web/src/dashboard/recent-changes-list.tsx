// The user's last changes, each with Undo or with the reason why it cannot be undone any more.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { changeLines } from '../repair-order/change-lines.ts';
import { type RecentChange, useRecentChanges } from '../repair-order/recent-changes.ts';
import { undo } from '../repair-order/undo.ts';
import { type UndoObstacle, undoObstacle } from '../repair-order/undo-obstacles.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { useClock } from '../shop/clock.ts';
import { OpenedPopover } from '../ui/opened-popover.tsx';
import type { Opened } from '../ui/opener.ts';

interface RecentChangesListProps {
  opened: Opened;
  /** Where the focus was when a key opened it. */
  cameFrom: RefObject<Element | null>;
  /** How many changes wait to be sent: each is listed once it is. */
  waiting: number;
}

export function RecentChangesList({ opened, cameFrom, waiting }: RecentChangesListProps) {
  const { t } = useTranslation();
  return (
    <OpenedPopover
      opened={opened}
      label={t('recent.title')}
      onCloseAutoFocus={(event) => {
        const back = cameFrom.current;
        cameFrom.current = null;
        if (!(back instanceof HTMLElement) || !back.isConnected || back === document.body) return;
        event.preventDefault();
        back.focus({ preventScroll: true });
      }}
      className="flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-[min(24rem,calc(100vw-1rem))] flex-col"
    >
      <h2 className="border-b border-line px-3.5 py-2.5 text-13 font-semibold">{t('recent.title')}</h2>
      {waiting > 0 && (
        <p className="border-b border-line px-3.5 py-2.5 text-13 text-stale">
          {t('recent.waiting', { count: waiting })}
        </p>
      )}
      <ChangeList />
    </OpenedPopover>
  );
}

function ChangeList() {
  const { t } = useTranslation();
  const cache = useOrders();
  const changes = useRecentChanges();
  if (changes.length === 0) {
    return <p className="px-3.5 py-4 text-13 text-quiet">{t('recent.empty')}</p>;
  }
  return (
    <ol className="min-h-0 overflow-y-auto py-1">
      {changes.map((change) => (
        <ChangeItem key={change.seq} change={change} obstacle={undoObstacle(change, changes, cache)} />
      ))}
    </ol>
  );
}

function ChangeItem({ change, obstacle }: { change: RecentChange; obstacle: UndoObstacle | null }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const clock = useClock();
  const { isPending, mutate: undoThis } = useMutation({ mutationFn: () => undo(client, change) });
  const subject = subjectOf(change, t);
  return (
    <li className="flex items-center gap-3 px-3.5 py-1.5">
      <div className={`min-w-0 flex-1 text-13 ${obstacle === null ? '' : 'text-quiet'}`}>
        <p className="truncate font-medium" title={subject}>
          {subject}
        </p>
        {describeChange(change, t).map((line) => (
          <p key={line} className="break-words">
            {line}
          </p>
        ))}
        <p className="text-12 text-quiet">
          <span title={clock.full(change.at)}>{clock.beginning(change.at)}</span>
          {obstacle !== null && <> · {describeObstacle(obstacle, t)}</>}
        </p>
      </div>
      {obstacle === null && (
        <button
          type="button"
          disabled={isPending}
          aria-label={`${t('undo.undo')}: ${subject}`}
          onClick={() => undoThis()}
          className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-13 font-semibold text-accent hover:bg-accent-tint disabled:opacity-60 max-md:h-11 pointer-coarse:h-11"
        >
          <Undo2 aria-hidden className="size-4" />
          {t('undo.undo')}
        </button>
      )}
    </li>
  );
}

/** The order and its customer, or how many orders and which. */
function subjectOf({ roNumber, orders }: RecentChange, t: TFunction): string {
  const [first, ...others] = orders;
  if (first === undefined) return t('recent.order', { number: roNumber });
  if (others.length === 0) {
    return `${t('recent.order', { number: first.after.roNumber })} · ${first.after.customer}`;
  }
  const numbers = orders.map(({ after }) => after.roNumber).join(', ');
  return `${t('toast.orders', { count: orders.length })}: ${numbers}`;
}

/** Of several orders the first: the same was done to all of them. */
function describeChange({ orders: [first], text }: RecentChange, t: TFunction): string[] {
  const lines = first === undefined ? [] : changeLines(first, t);
  return lines.length === 0 ? [text ?? t('history.action.JOB_CHANGED')] : lines;
}

function describeObstacle(obstacle: UndoObstacle, t: TFunction): string {
  switch (obstacle.kind) {
    case 'undone':
      return t('recent.undone');
    case 'reset':
      return t('recent.reset');
    case 'refused':
      return obstacle.reason;
    case 'closed':
      return t('recent.closed', { number: obstacle.order.roNumber });
    case 'changed': {
      const { field, now } = obstacle;
      const values = {
        status: t(`status.${now.status}`),
        priority: t(`priority.${now.priority}`),
        technicians: now.allRegularTechs || t('order.unassigned'),
      };
      return t('recent.changed', { field: t(`conflict.field.${field}`), value: values[field] });
    }
  }
}
