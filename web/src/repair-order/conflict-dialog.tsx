// Somebody changed the field while the user chose: both values, and the choice to keep the own one or leave theirs.
import { useTranslation } from '../i18n/use-translation.ts';
import { useChanges } from './change-execution.ts';
import { type Choice, decidedField } from './choice.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { useDialogOrders } from './dialog-orders.ts';
import type { OpenOrder } from './order-cache.ts';

interface ConflictDialogProps {
  /** The order that the choice was made on. */
  shown: OpenOrder;
  choice: Choice;
  close(): void;
}

export function ConflictDialog({ shown, choice, close }: ConflictDialogProps) {
  const changes = useChanges();
  const { title, verb, chosen } = useWords(shown.order.roNumber, choice);
  const { t } = useTranslation();
  const orders = useDialogOrders([shown.order.key], decidedField[choice.field], [shown]);
  return (
    <DecisionDialog
      title={title}
      orders={orders}
      verb={verb}
      ready
      send={([order]) => {
        if (order === undefined) throw new Error('There is nothing to send.');
        return changes.send(order, choice);
      }}
      takeTheirs={close}
      close={close}
    >
      <p className="text-13">
        <span className="text-quiet">{t('conflict.yourChoice')}</span>{' '}
        <span className="font-medium">{chosen}</span>
      </p>
    </DecisionDialog>
  );
}

function useWords(number: string, choice: Choice): { title: string; verb: string; chosen: string } {
  const { t } = useTranslation();
  if (choice.field === 'technicians') {
    const isAssigned = choice.action === 'assign';
    return {
      title: t(isAssigned ? 'decision.dispatch.title' : 'table.remove', { number }),
      verb: t(isAssigned ? 'decision.dispatch.verb' : 'decision.remove.verb'),
      chosen: choice.technician.name,
    };
  }
  const value = choice.field === 'status' ? t(`status.${choice.status}`) : t(`priority.${choice.priority}`);
  return {
    title: t(choice.field === 'status' ? 'statusPicker.menu' : 'decision.priority.title', { number }),
    verb: t('conflict.setAnyway', { value }),
    chosen: value,
  };
}
