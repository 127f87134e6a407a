// Facts of an order that the table and the cards show alike.
import { CloudUpload, PencilLine } from 'lucide-react';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { StatusChoice } from '../dashboard/status-choice.tsx';
import { StatusControl } from '../dashboard/status-control.tsx';
import { Timeline } from '../dashboard/timeline.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import { useConcurrentChange } from '../repair-order/concurrent-change.ts';
import { type RepairOrder, withFields } from '../repair-order/order.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import { useOrders } from '../repair-order/use-orders.ts';
import { useHasDrafts } from '../tech-story/drafts.ts';
import { isCarFinished } from './clock-state.ts';
import type { PortalOrder } from './order-list.ts';
import type { PickStatus } from './status-changes.ts';

/** The picked status shows at once, marked while it is being sent. */
export function Status({ listed, pick }: { listed: PortalOrder; pick: PickStatus | null }) {
  const { t } = useTranslation();
  const { waitingStatus } = listed;
  const shown = useMemo(() => asPicked(listed), [listed]);
  const control = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <StatusControl
        order={shown}
        readOnly={pick === null}
        control={control}
        open={isOpen}
        toggle={() => setOpen(!isOpen)}
      />
      {isOpen && pick !== null && control.current !== null && (
        <LiveStatusChoice
          order={shown}
          anchor={control.current}
          pick={(status) => {
            setOpen(false);
            pick(shown, status);
          }}
          close={() => setOpen(false)}
        />
      )}
      {waitingStatus !== null && (
        <CloudUpload aria-label={t('portal.waits')} role="img" className="size-4 shrink-0 text-stale" />
      )}
    </span>
  );
}

/** The order with the status picked here, if one is not sent yet. */
function asPicked({ order, waitingStatus }: PortalOrder): RepairOrder {
  return waitingStatus === null ? order : withFields(order, { status: waitingStatus });
}

export function Priority({ listed }: { listed: PortalOrder }) {
  return <PriorityIcon priority={listed.order.priority} isRepeated={repeatsStatus(asPicked(listed))} />;
}

type LiveStatusChoiceProps = Omit<ComponentProps<typeof StatusChoice>, 'concurrentChange' | 'order'> & {
  order: RepairOrder;
};

/** Says what somebody has made of the status since it was opened. */
function LiveStatusChoice({ order, ...picker }: LiveStatusChoiceProps) {
  const { t } = useTranslation();
  const cache = useOrders();
  const concurrentChange = useConcurrentChange(
    cache?.open.get(order.key) ?? { version: 0, by: null },
    t(`status.${order.status}`),
  );
  return <StatusChoice {...picker} order={order} concurrentChange={concurrentChange} />;
}

/** When it is due; a finished car is not late, however long it stays open. */
export function DueTimes({ order, clock }: { order: RepairOrder; clock: TechnicianClock | null }) {
  return <Timeline order={order} isDone={clock !== null && isCarFinished(clock, order)} />;
}

export function Advisor({ name, isEtl }: { name: string; isEtl: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="block min-w-0 break-words">
      {name}
      {isEtl && <em className="block text-12 text-quiet">{t('portal.etl')}</em>}
    </span>
  );
}

/** Marks an order with unsent drafts. */
export function DraftMark({ roNumber }: { roNumber: number }) {
  const { t } = useTranslation();
  const has = useHasDrafts(roNumber);
  if (!has) return null;
  return (
    <span title={t('portal.details.draft')} className="inline-flex text-stale">
      <PencilLine aria-label={t('portal.details.draft')} role="img" className="size-4 shrink-0" />
    </span>
  );
}
