// The frame of every dialog that changes orders: the orders, who else has them open, concurrent changes, the choice,
// and two buttons. Enter submits, Escape closes.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { OrderVersion } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { focusInvalidField } from '../ui/form-field.tsx';
import { hasTypedText, keepTypedText } from '../ui/key-hold.ts';
import { Sheet } from '../ui/sheet.tsx';
import type { Outcome } from './change-execution.ts';
import { ASKS_FOR_DECISION, useConflictInSight } from './conflict-in-sight.ts';
import type { DialogOrder, DialogOrders } from './dialog-orders.ts';
import { type Difference, differences } from './differences.ts';
import { cachedOrders } from './live-orders.ts';
import { useIsQuestion } from './open-dialog.ts';
import type { RepairOrder } from './order.ts';
import { usePresenceAt } from './presence.ts';
import { PresenceLine } from './presence-indicator.tsx';
import { showOvertaken } from './refusal-toast.ts';
import { stageNameById, useStages } from './stages.ts';

/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

interface DecisionProps {
  title: string;
  orders: DialogOrders;
  /** The label of the button; `doing` is its label while the request is pending. */
  verb: string;
  doing?: string;
  destructive?: boolean;
  /** The label of the button that closes it and changes nothing. */
  leave?: string;
  /** Whether something is chosen. */
  ready: boolean;
  /** The button has the focus first, as soon as something is chosen: Enter takes what is proposed. */
  startsAtVerb?: boolean;
  send(orders: OrderVersion[]): Promise<Outcome>;
  /** Called when the user takes the other's value in place of their own choice. */
  takeTheirs(orders: readonly number[]): void;
  close(): void;
  children: ReactNode;
}

export function DecisionDialog(props: DecisionProps) {
  const { title, orders, verb, doing = verb, ready, close, startsAtVerb = false } = props;
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const { busy, submit } = useSubmit(props);
  const isDisabled = busy || !ready || !orders.settled || orders.all.length === 0;
  const verbButton = useVerbButton(startsAtVerb && !isDisabled);
  const isQuestion = useIsQuestion();
  useConflictInSight(form, orders);
  usePresenceAt(orders.all.map(({ original }) => original.order.key));
  return (
    <Sheet
      open
      close={close}
      title={title}
      closeLabel={t('details.close')}
      initialFocus={() => {
        // The dialog itself has it, which takes no key: what is pressed next was meant for what was there before.
        if (isQuestion) return null;
        if (startsAtVerb) return isDisabled ? null : verbButton.current;
        return form.current?.querySelector<HTMLElement>('[data-first-focus]') ?? null;
      }}
      onKeyDown={(event) => {
        if (startsAtVerb) goOnInField(event, form.current, verbButton.current);
      }}
      footer={
        <>
          <Button onClick={close}>{props.leave ?? t('decision.cancel')}</Button>
          <Button
            ref={verbButton}
            type="submit"
            form={FORM_ID}
            variant={props.destructive ? 'destructive' : 'primary'}
            disabled={isDisabled}
            onKeyDown={(event) => {
              // Enter may still be held from what opened the dialog.
              if (event.repeat) event.preventDefault();
            }}
          >
            {busy ? doing : verb}
          </Button>
        </>
      }
    >
      <form
        id={FORM_ID}
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!focusInvalidField(event.currentTarget)) submit();
        }}
        className="flex flex-col gap-4"
      >
        <OrdersState orders={orders} takeTheirs={props.takeTheirs} />
        {props.children}
      </form>
    </Sheet>
  );
}

/** Sends the decision, again where the order was changed in another field meanwhile. */
function useSubmit({ title, orders, ready, send, close }: DecisionProps) {
  const client = useQueryClient();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const execute = async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const decidedOn = orders.decidedOn(cachedOrders(client));
      // A concurrent change is shown in the dialog, and waits for the user.
      if (decidedOn === null || decidedOn.length === 0) break;
      const outcome = await send(decidedOn);
      if (outcome.kind === 'partly') orders.drop(remainingNumbers(decidedOn, outcome.refused));
      if (outcome.kind === 'done') close();
      if (outcome.kind !== 'stale') return;
    }
    if (!isOpen.current) reportUndecided(client, title, orders);
  };
  const mutationKey = ['decision', useId()];
  const { isPending: busy, mutate } = useMutation({ mutationKey, mutationFn: execute });
  const submit = () => {
    // A second press may come before the page shows that the first is on its way.
    if (client.isMutating({ mutationKey }) === 0 && ready && orders.settled) mutate();
  };
  return { busy, submit };
}

/** The user has closed the dialog while the decision was sent, and it was not made. */
function reportUndecided(client: QueryClient, title: string, { all }: DialogOrders): void {
  const { open } = cachedOrders(client);
  for (const { original } of all) {
    const now = open.get(original.order.key);
    if (now !== undefined && now.version > original.version) showOvertaken(client, title, now);
  }
}

/** A button that gets the focus when it may have it, unless the user has put it elsewhere or types. */
function useVerbButton(mayHaveFocus: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = ref.current;
    if (!mayHaveFocus || button === null || hasTypedText()) return;
    // The dialog has it before the button can, and the page when the button was disabled meanwhile.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === button.closest('[role="dialog"]'))
      button.focus({ preventScroll: true });
  }, [mayHaveFocus]);
  return ref;
}

/** A name that is typed goes on in the search field. */
function goOnInField(
  event: KeyboardEvent<HTMLElement>,
  form: HTMLElement | null,
  verbButton: HTMLElement | null,
): void {
  // The dialog itself has the focus until there is something to press the button for.
  const isAtStart = event.target === event.currentTarget || event.target === verbButton;
  if (!isAtStart || !isText(event)) return;
  const field = findSearchField(form);
  if (field !== null) field.focus();
  // The technicians are still loading. A space that follows would press the button.
  else keepTypedText(event.key, event.currentTarget);
}

/** A space alone presses the button. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}

function findSearchField(form: HTMLElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>('input[role="combobox"]') ?? null;
}

/** Which order it is, who else has it open, and what has changed since the dialog was opened. */
function OrdersState({ orders, takeTheirs }: Pick<DecisionProps, 'orders' | 'takeTheirs'>) {
  const { t } = useTranslation();
  const [only, ...others] = orders.all;
  return (
    <>
      {only !== undefined && others.length === 0 && (
        <>
          <OrderLine order={only.original.order} />
          <PresenceLine roNumber={only.original.order.key} />
        </>
      )}
      {orders.restored && (
        <p role="alert" className={`${box} bg-stale-tint font-medium text-stale`}>
          {t('conflict.dataRestored')}
        </p>
      )}
      {orders.all.map((one) => (
        <ChangedMeanwhile
          key={one.original.order.key}
          order={one}
          restored={orders.restored}
          keep={() => orders.keep([one.original.order.key])}
          takeTheirs={() => takeTheirs([one.original.order.key])}
        />
      ))}
    </>
  );
}

/** One dialog is open at a time. */
const FORM_ID = 'decision';

function remainingNumbers(all: readonly OrderVersion[], refused: readonly number[]): number[] {
  return all.map(({ roNumber }) => roNumber).filter((roNumber) => !refused.includes(roNumber));
}

function OrderLine({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  return (
    <p className="text-13">
      <span className="font-mono font-medium">{order.roNumber}</span> <span aria-hidden>·</span>{' '}
      {order.customer}
      <span className="block text-quiet">
        {order.vehicle} <span aria-hidden>·</span>{' '}
        {t('order.technicians', { names: order.allRegularTechs || t('order.unassigned') })}
      </span>
    </p>
  );
}

interface ChangedMeanwhileProps {
  order: DialogOrder;
  /** The data was restored: nobody made these differences. */
  restored: boolean;
  keep(): void;
  takeTheirs(): void;
}

function ChangedMeanwhile({ order, restored, keep, takeTheirs }: ChangedMeanwhileProps) {
  const { t, language } = useTranslation();
  const clock = useClock();
  const stages = useStages(false);
  if (order.kind === 'same' || order.kind === 'loading') return null;
  const by = order.kind === 'closed' ? order.by : order.now.by;
  const values = {
    number: order.original.order.roNumber,
    name: by?.person.name ?? t('conflict.somebody'),
    time: clock.time(by?.at ?? clock.now),
  };
  const asks = { [ASKS_FOR_DECISION]: order.original.order.key, tabIndex: -1 };
  if (order.kind === 'closed') {
    return (
      <div role="alert" {...asks} className={`${box} bg-stale-tint`}>
        <p className="font-medium text-stale">
          {t(restored ? 'conflict.notInRestored' : 'conflict.closedAt', values)}
        </p>
        <Button onClick={takeTheirs} className="mt-2.5 h-8">
          {t('conflict.leaveOut')}
        </Button>
      </div>
    );
  }
  const stageName = (id: string) => (stages === null ? id : stageNameById(stages, id, language));
  const changed = differences(order.original.order, order.now.order, t, { ...clock, stageName });
  if (order.kind === 'touched') {
    if (changed.length === 0) return null;
    return (
      <div role="status" className={`${box} bg-sunken`}>
        <p className="flex items-center gap-2 text-quiet">
          <History aria-hidden className="size-4 shrink-0" />
          {t(restored ? 'conflict.inRestored' : 'conflict.touched', values)}
        </p>
        <Differences all={changed} />
      </div>
    );
  }
  return (
    <div role="alert" {...asks} className={`${box} bg-stale-tint`}>
      <p className="font-medium text-stale">
        {t(restored ? 'conflict.inRestored' : 'conflict.changed', values)}
      </p>
      <Differences all={changed} />
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button onClick={keep} className="h-8">
          {t('conflict.keep')}
        </Button>
        <Button onClick={takeTheirs} className="h-8">
          {t(restored ? 'conflict.replaceRestored' : 'conflict.replace')}
        </Button>
      </div>
    </div>
  );
}

const box = 'rounded-lg px-3.5 py-3 text-13';

function Differences({ all }: { all: Difference[] }) {
  const { t } = useTranslation();
  return (
    <ul className="mt-1.5 flex flex-col gap-1">
      {all.map(({ field, from, to }) => (
        <li key={field}>
          <span className="text-quiet">{t(`conflict.field.${field}`)}:</span>{' '}
          <del className="text-quiet">{from}</del> <span aria-hidden>→</span>{' '}
          <ins className="font-medium no-underline">{to}</ins>
        </li>
      ))}
    </ul>
  );
}
