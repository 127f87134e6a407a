// The dialogs about who works on an order that has somebody already: add, reassign, remove.
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { ChoiceList } from '../ui/choice-list.tsx';
import { idsOn, techniciansOn } from './assigned-technicians.ts';
import { useChanges } from './change-execution.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { techniciansField, useDialogOrders } from './dialog-orders.ts';
import { OrderWork } from './dispatch/order-work.tsx';
import type { AssignedTechnician } from './order.ts';
import { TechnicianChoice } from './technician-choice.tsx';

interface OneOrderProps {
  order: number;
  close(): void;
}

export function AddDialog({ order, close }: OneOrderProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders([order], techniciansField);
  const [chosen, choose] = useState<number | null>(null);
  const [only] = orders.all;
  return (
    <DecisionDialog
      title={t('decision.add.title')}
      orders={orders}
      verb={t('decision.add.verb')}
      doing={t('decision.add.doing')}
      ready={chosen !== null && only !== undefined && !idsOn(only).includes(chosen)}
      send={([orderVersion]) => {
        if (orderVersion === undefined || chosen === null) throw new Error('There is nothing to send.');
        return changes.send(orderVersion, {
          field: 'technicians',
          action: 'assign',
          technician: { id: chosen },
        });
      }}
      takeTheirs={(seenTo) => {
        if (only?.kind === 'closed') close();
        choose(null);
        orders.keep(seenTo);
      }}
      close={close}
    >
      {only && (
        <>
          <OrderWork order={only.original.order} />
          <TechnicianChoice chosen={chosen} choose={choose} orders={[order]} without={idsOn(only)} />
        </>
      )}
    </DecisionDialog>
  );
}

export function ReassignDialog({ order, close }: OneOrderProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders([order], techniciansField);
  const [only] = orders.all;
  const on = only === undefined ? [] : techniciansOn(only);
  const [from, chooseFrom] = useState<number | null>(null);
  const [to, chooseTo] = useState<number | null>(null);
  // With one technician assigned there is nothing to choose.
  const old = on.length === 1 ? on[0]?.id : on.find(({ id }) => id === from)?.id;
  return (
    <DecisionDialog
      title={t('decision.reassign.title')}
      orders={orders}
      verb={t('decision.reassign.verb')}
      doing={t('decision.reassign.doing')}
      ready={old !== undefined && to !== null && !on.some(({ id }) => id === to)}
      send={([orderVersion]) => {
        if (orderVersion === undefined || old === undefined || to === null)
          throw new Error('There is nothing to send.');
        return changes.send(orderVersion, {
          field: 'technicians',
          action: 'reassign',
          from: { id: old },
          technician: { id: to },
        });
      }}
      takeTheirs={(seenTo) => {
        if (only?.kind === 'closed') close();
        chooseFrom(null);
        chooseTo(null);
        orders.keep(seenTo);
      }}
      close={close}
    >
      {only && <OrderWork order={only.original.order} />}
      {on.length > 1 && (
        <Field label={t('decision.reassign.from')}>
          <AssignedTechnicians
            label={t('decision.reassign.from')}
            on={on}
            chosen={from}
            choose={chooseFrom}
          />
        </Field>
      )}
      {only && (
        <Field label={t('decision.reassign.to')}>
          <TechnicianChoice chosen={to} choose={chooseTo} orders={[order]} without={idsOn(only)} />
        </Field>
      )}
    </DecisionDialog>
  );
}

export function RemoveDialog({ order, close }: OneOrderProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders([order], techniciansField);
  const [chosen, choose] = useState<number | null>(null);
  const [only] = orders.all;
  const on = only === undefined ? [] : techniciansOn(only);
  const removed = on.find(({ id }) => id === chosen)?.id;
  return (
    <DecisionDialog
      title={t('decision.remove.title')}
      orders={orders}
      verb={t('decision.remove.verb')}
      doing={t('decision.remove.doing')}
      destructive
      ready={removed !== undefined}
      send={([orderVersion]) => {
        if (orderVersion === undefined || removed === undefined) throw new Error('There is nothing to send.');
        return changes.send(orderVersion, {
          field: 'technicians',
          action: 'unassign',
          technician: { id: removed },
        });
      }}
      takeTheirs={(seenTo) => {
        if (only?.kind === 'closed') close();
        choose(null);
        orders.keep(seenTo);
      }}
      close={close}
    >
      <AssignedTechnicians label={t('decision.remove.title')} on={on} chosen={chosen} choose={choose} />
    </DecisionDialog>
  );
}

interface AssignedProps {
  label: string;
  on: readonly AssignedTechnician[];
  chosen: number | null;
  choose(technician: number): void;
}

function AssignedTechnicians({ label, on, chosen, choose }: AssignedProps) {
  return (
    <ChoiceList
      label={label}
      choices={on.map(({ id, name }) => ({ value: String(id), text: name }))}
      chosen={chosen === null ? null : String(chosen)}
      choose={(value) => choose(Number(value))}
      draw={({ text }) => <span className="font-medium">{text}</span>}
    />
  );
}

function Field({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-13 font-semibold">{label}</h3>
      {children}
    </div>
  );
}
