// The four dialogs about who works on an order: dispatch (one or several), add, reassign, remove.
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { ChoiceList } from '../ui/choice-list.tsx';
import { useChanges } from './changes.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { type DialogOrder, techniciansField, useDialogOrders } from './dialog-orders.ts';
import type { AssignedTechnician } from './order.ts';
import { TechnicianChoice } from './technician-choice.tsx';

interface OneOrderProps {
  order: number;
  close(): void;
}

interface DispatchProps {
  orders: readonly number[];
  /** All of them were dispatched. */
  done(): void;
  close(): void;
}

export function DispatchDialog({ orders: requested, done, close }: DispatchProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const orders = useDialogOrders(requested, techniciansField);
  const [chosen, choose] = useState<number | null>(null);
  const [only] = orders.all;
  const isBatch = requested.length > 1;
  return (
    <DecisionDialog
      title={
        isBatch
          ? t('decision.dispatch.batchTitle', { n: orders.all.length })
          : t('decision.dispatch.title', { number: only?.original.order.roNumber ?? requested.join() })
      }
      orders={orders}
      verb={t('decision.dispatch.verb')}
      doing={t('decision.dispatch.doing')}
      ready={chosen !== null}
      send={(orderVersions) => {
        const [first, ...others] = orderVersions;
        if (first === undefined || chosen === null) throw new Error('There is nothing to send.');
        return others.length === 0 ? changes.assign(first, chosen) : changes.dispatch(orderVersions, chosen);
      }}
      // Somebody else has dispatched the order.
      takeTheirs={(seenTo) => {
        if (orders.all.length <= seenTo.length) close();
        else orders.drop(seenTo);
      }}
      done={done}
      close={close}
    >
      {isBatch && <OrderNumbers orders={orders.all} />}
      <TechnicianChoice
        chosen={chosen}
        choose={choose}
        orders={requested}
        without={only && !isBatch ? idsOn(only) : []}
      />
    </DecisionDialog>
  );
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
        return changes.assign(orderVersion, chosen);
      }}
      takeTheirs={() => {
        if (only?.kind === 'closed') close();
        choose(null);
        orders.keep();
      }}
      close={close}
    >
      {only && <TechnicianChoice chosen={chosen} choose={choose} orders={[order]} without={idsOn(only)} />}
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
        return changes.reassign(orderVersion, old, to);
      }}
      takeTheirs={() => {
        if (only?.kind === 'closed') close();
        chooseFrom(null);
        chooseTo(null);
        orders.keep();
      }}
      close={close}
    >
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
        return changes.unassign(orderVersion, removed);
      }}
      takeTheirs={() => {
        if (only?.kind === 'closed') close();
        choose(null);
        orders.keep();
      }}
      close={close}
    >
      <AssignedTechnicians label={t('decision.remove.title')} on={on} chosen={chosen} choose={choose} />
    </DecisionDialog>
  );
}

/** Uses the current order: assignments made meanwhile count. */
function techniciansOn(order: DialogOrder): readonly AssignedTechnician[] {
  return order.kind === 'closed' ? order.original.order.technicians : order.now.order.technicians;
}

function idsOn(order: DialogOrder): number[] {
  return techniciansOn(order).map(({ id }) => id);
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

function OrderNumbers({ orders }: { orders: readonly DialogOrder[] }) {
  return (
    <ul className="flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
      {orders.map(({ original: { order } }) => (
        <li
          key={order.key}
          title={`${order.customer}, ${order.vehicle}`}
          className="rounded-md bg-sunken px-2 py-0.5 font-mono text-12"
        >
          {order.roNumber}
        </li>
      ))}
    </ul>
  );
}
