// Somebody changed the field while the user chose: both values, and the choice to keep the own one or leave theirs.
import { useTranslation } from '../i18n/use-translation.ts';
import { techniciansOn } from './assigned-technicians.ts';
import { useChanges } from './change-execution.ts';
import { type Choice, decidedField, type OrderChange } from './choice.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { type DialogOrder, useDialogOrders } from './dialog-orders.ts';
import type { OpenOrder } from './order-cache.ts';

interface ConflictDialogProps {
  /** The order that the choice was made on. */
  shown: OpenOrder;
  choice: Choice;
  close(): void;
}

/** Of two conflicts that follow each other, the second begins with its own order. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { shown, choice } = props;
  return <OneConflict key={JSON.stringify([shown.order.key, shown.version, choice])} {...props} />;
}

function OneConflict({ shown, choice, close }: ConflictDialogProps) {
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
        return changes.send(order, changeNow(choice, orders.all[0]));
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

/** Whoever should have given the order up may be off it: then the one who has it now does. */
function changeNow(choice: Choice, order: DialogOrder | undefined): OrderChange {
  if (choice.field !== 'technicians' || choice.action !== 'reassign' || order === undefined) return choice;
  const { technician } = choice;
  const on = techniciansOn(order);
  if (on.some(({ id }) => id === choice.from.id)) return choice;
  const [only, ...others] = on;
  return only === undefined || others.length > 0
    ? { field: 'technicians', action: 'assign', technician }
    : { ...choice, from: only };
}

function useWords(number: string, choice: Choice): { title: string; verb: string; chosen: string } {
  const { t } = useTranslation();
  if (choice.field === 'technicians' && choice.action === 'reassign') {
    return {
      title: t('decision.reassign.title'),
      verb: t('decision.reassign.verb'),
      chosen: `${choice.from.name} → ${choice.technician.name}`,
    };
  }
  if (choice.field === 'technicians') {
    const isAssigned = choice.action === 'assign';
    return {
      title: t(isAssigned ? 'decision.dispatch.title' : 'table.remove', { number }),
      verb: t(isAssigned ? 'decision.dispatch.verb' : 'decision.remove.verb'),
      chosen: choice.technician.name,
    };
  }
  if (choice.field === 'stage') {
    return {
      title: t('stages.picker.label', { number }),
      verb: t('conflict.setAnyway', { value: choice.name }),
      chosen: choice.name,
    };
  }
  if (choice.field === 'holds') {
    const isEnd = choice.action === 'end';
    return {
      title: t('stages.hold.title', { number }),
      verb: t(isEnd ? 'stages.hold.end' : 'stages.hold.save'),
      chosen: t(isEnd ? 'stages.hold.end' : `stages.reason.${choice.hold.reason}`),
    };
  }
  const value = choice.field === 'status' ? t(`status.${choice.status}`) : t(`priority.${choice.priority}`);
  return {
    title: t(choice.field === 'status' ? 'statusPicker.menu' : 'decision.priority.title', { number }),
    verb: t('conflict.setAnyway', { value }),
    chosen: value,
  };
}
