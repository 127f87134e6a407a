import { useState } from 'react';
import type { Priority } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { ChoiceList } from '../ui/choice-list.tsx';
import { useChanges } from './change-execution.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { priorityField, useDialogOrders } from './dialog-orders.ts';
import { PriorityIcon } from './priority-icon.tsx';
import { priorities } from './statuses.ts';

export function PriorityDialog({ order, close }: { order: number; close: () => void }) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders([order], priorityField);
  const [chosen, choose] = useState<Priority | null>(null);
  const [only] = orders.all;
  const now = only === undefined || only.kind === 'closed' ? null : only.now.order;

  return (
    <DecisionDialog
      title={t('decision.priority.title', { number: only?.original.order.roNumber ?? order })}
      orders={orders}
      verb={t('decision.priority.verb')}
      doing={t('decision.priority.doing')}
      ready={chosen !== null}
      send={([orderVersion]) => {
        if (orderVersion === undefined || chosen === null) throw new Error('There is nothing to send.');
        return changes.send(orderVersion, { field: 'priority', priority: chosen });
      }}
      takeTheirs={(seenTo) => {
        if (now === null) close();
        choose(now?.priority ?? null);
        orders.keep(seenTo);
      }}
      close={close}
    >
      <ChoiceList
        label={t('decision.priority.choose')}
        choices={priorities.map((priority) => ({ value: priority, text: t(`priority.${priority}`) }))}
        chosen={chosen}
        choose={(value) => choose(priorities.find((one) => one === value) ?? null)}
        draw={({ value }) => {
          const priority = priorities.find((one) => one === value);
          return (
            <span className="flex flex-1 items-center justify-between gap-3">
              {priority !== undefined && <PriorityIcon priority={priority} />}
              {priority === now?.priority && (
                <span className="text-12 text-quiet">{t('decision.current')}</span>
              )}
            </span>
          );
        }}
      />
    </DecisionDialog>
  );
}
