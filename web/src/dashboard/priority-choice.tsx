import type { Priority } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';
import { priorities } from '../repair-order/statuses.ts';
import { Picker } from '../ui/picker.tsx';

interface PriorityChoiceProps {
  order: Pick<RepairOrder, 'roNumber' | 'priority'>;
  anchor: HTMLElement;
  concurrentChange: string;
  pick(priority: Priority): void;
  close(): void;
}

export function PriorityChoice({ order, anchor, concurrentChange, pick, close }: PriorityChoiceProps) {
  const { t } = useTranslation();
  return (
    <Picker
      anchor={anchor}
      label={t('table.priority', { number: order.roNumber })}
      closeLabel={t('details.close')}
      placeholder={t('picker.priority')}
      none={t('picker.none')}
      options={priorities.map((priority) => ({
        value: priority,
        priority,
        text: t(`priority.${priority}`),
        current: priority === order.priority,
      }))}
      concurrentChange={concurrentChange}
      pick={({ priority }) => pick(priority)}
      close={close}
      draw={({ priority }) => <PriorityIcon priority={priority} />}
    />
  );
}
