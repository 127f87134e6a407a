// The picker that is open at a cell, a card or in the details: one for all of them, mounted while it is open. What is
// picked is decided on the order as it is shown at that moment.
import { useEffect } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useChanges } from '../repair-order/change-execution.ts';
import type { Choice } from '../repair-order/choice.ts';
import { useConcurrentChange } from '../repair-order/concurrent-change.ts';
import { closePicker, type OpenPicker, useOpenPicker } from '../repair-order/open-picker.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { usePresenceAt } from '../repair-order/presence.ts';
import { stageNameById, useStages } from '../repair-order/stages.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { PriorityChoice } from './priority-choice.tsx';
import { StageChoice } from './stage-choice.tsx';
import { StatusChoice } from './status-choice.tsx';
import { TechnicianPicker } from './technician-picker.tsx';

export function OrderPickers() {
  const picker = useOpenPicker();
  // With the screen its controls are gone.
  useEffect(() => closePicker, []);
  return picker === null ? null : <CurrentPicker key={`${picker.field} ${picker.order}`} {...picker} />;
}

function CurrentPicker({ field, order, anchor }: OpenPicker) {
  const cache = useOrders();
  const shown = cache?.open.get(order);
  const isOver = useIsChanging(field, order) || shown === undefined;
  usePresenceAt([order]);
  useEffect(() => {
    if (isOver) closePicker();
  }, [isOver]);
  return isOver ? null : <LivePicker field={field} shown={shown} anchor={anchor} />;
}

interface LivePickerProps extends Pick<OpenPicker, 'field' | 'anchor'> {
  shown: OpenOrder;
}

function LivePicker({ field, shown, anchor }: LivePickerProps) {
  const changes = useChanges();
  const value = useValue(field, shown.order);
  const concurrentChange = useConcurrentChange(shown, value);
  const pick = (choice: Choice) => {
    closePicker();
    void changes.pick(shown, choice);
  };
  const { order } = shown;
  const common = { order, anchor, concurrentChange, close: closePicker };
  switch (field) {
    case 'status':
      return <StatusChoice {...common} pick={(status) => pick({ field, status })} />;
    case 'priority':
      return <PriorityChoice {...common} pick={(priority) => pick({ field, priority })} />;
    case 'stage':
      return (
        <StageChoice {...common} order={order} pick={(stage) => pick({ field, ...stage, endHolds: false })} />
      );
    case 'technicians':
      return (
        <TechnicianPicker {...common} pick={(action, technician) => pick({ field, action, technician })} />
      );
  }
}

function useValue(field: OpenPicker['field'], order: RepairOrder): string {
  const { t, language } = useTranslation();
  const stages = useStages(false);
  switch (field) {
    case 'status':
      return t(`status.${order.status}`);
    case 'priority':
      return t(`priority.${order.priority}`);
    case 'stage':
      return stages === null || order.stage === null ? '' : stageNameById(stages, order.stage, language);
    case 'technicians':
      return order.allRegularTechs || t('order.unassigned');
  }
}
