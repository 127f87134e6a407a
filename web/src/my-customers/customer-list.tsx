// The customers of an advisor who are to be called, the most urgent first, and below them those who were called.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, PhoneCall } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { CustomerToCall } from '../api/customer-calls.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { Button } from '../ui/button.tsx';
import { pressGuard } from '../ui/double-click.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { openReasons } from './customers.ts';
import { ReasonLine } from './reason-line.tsx';

export interface ListedCustomer {
  customer: CustomerToCall;
  order: RepairOrder;
}

interface CustomerListProps {
  customers: readonly ListedCustomer[];
  /** Resolves once the list has been asked for again. */
  call(customer: CustomerToCall): Promise<void>;
}

export function CustomerList({ customers, call }: CustomerListProps) {
  const { t } = useTranslation();
  const toCall = customers.filter(({ customer }) => openReasons(customer).length > 0);
  const called = customers.filter(({ customer }) => openReasons(customer).length === 0);
  const { list, heading, follow } = useFocusOnNext(toCall);
  return (
    <>
      <section aria-labelledby="to-call" className="flex flex-col gap-2">
        <h2 id="to-call" ref={heading} tabIndex={-1} className="text-14 font-semibold outline-none">
          {t('stages.calls.toCall')} <span className="text-quiet">{toCall.length}</span>
        </h2>
        {toCall.length === 0 ? (
          <MessagePanel
            glyph={PhoneCall}
            text={t('stages.calls.nobody')}
            hint={t('stages.calls.nobodyHint')}
          />
        ) : (
          // Who was called leaves the list, and the next one's button comes in the place of theirs.
          <ul ref={list} onKeyDown={moveByArrows} {...pressGuard} className="flex flex-col gap-2">
            {toCall.map((listed) => (
              <CustomerCard
                key={listed.order.key}
                listed={listed}
                call={(button) => {
                  follow(button);
                  return call(listed.customer);
                }}
              />
            ))}
          </ul>
        )}
      </section>
      {called.length > 0 && (
        <section aria-labelledby="called" className="flex flex-col gap-2">
          <h2 id="called" className="mt-3 text-14 font-semibold">
            {t('stages.calls.called')} <span className="text-quiet">{called.length}</span>
          </h2>
          <ul className="flex flex-col gap-2">
            {called.map((listed) => (
              <CustomerCard key={listed.order.key} listed={listed} call={null} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const buttonsIn = (list: HTMLElement): Element[] => [...list.querySelectorAll('[data-call]')];

function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus();
}

function moveByArrows(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const buttons = buttonsIn(event.currentTarget);
  const place = document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
  if (step === 0 || place < 0) return;
  event.preventDefault();
  focusOn(buttons[place + step]);
}

/** Who was called leaves the list: whoever works by keys goes on at the next. */
function useFocusOnNext(toCall: readonly ListedCustomer[]) {
  const list = useRef<HTMLUListElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const pressed = useRef<{ button: HTMLElement; place: number } | null>(null);
  const listed = toCall.map(({ order }) => order.key).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the list
  useEffect(() => {
    if (pressed.current === null || pressed.current.button.isConnected) return;
    const { place } = pressed.current;
    pressed.current = null;
    if (document.activeElement !== document.body) return;
    const buttons = list.current === null ? [] : buttonsIn(list.current);
    focusOn(buttons[Math.min(place, buttons.length - 1)] ?? heading.current);
  }, [listed]);
  const follow = (button: HTMLElement) => {
    const place = list.current === null ? -1 : buttonsIn(list.current).indexOf(button);
    pressed.current = { button, place };
  };
  return { list, heading, follow };
}

interface CustomerCardProps {
  listed: ListedCustomer;
  /** Null: they were called about everything. */
  call: ((button: HTMLElement) => Promise<void>) | null;
}

function CustomerCard({ listed: { customer, order }, call }: CustomerCardProps) {
  const { t } = useTranslation();
  return (
    <li className="flex items-center gap-x-4 gap-y-2.5 rounded-lg border border-line bg-raised px-4 py-3 max-md:flex-col max-md:items-stretch max-md:px-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className={`min-w-0 text-16 break-words ${call === null ? '' : 'font-semibold'}`}>
            {order.customer}
          </span>
          <Link
            to={`/dashboard?ro=${order.key}`}
            title={t('stages.calls.open')}
            className="font-mono text-13 font-medium text-accent hover:underline max-md:-my-3 max-md:inline-flex max-md:min-h-11 max-md:min-w-11 max-md:items-center"
          >
            {order.roNumber}
          </Link>
          <span className="min-w-0 text-13 text-quiet">
            {[order.vehicle, order.tagNumber && t('stages.calls.tag', { tag: order.tagNumber })]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
        <ul className="mt-1.5 flex flex-col gap-1">
          {customer.reasons.map((reason) => (
            <ReasonLine key={reason.reason} reason={reason} customer={customer} order={order} />
          ))}
        </ul>
      </div>
      {call !== null && <CallButton order={order} call={call} />}
    </li>
  );
}

interface CallButtonProps {
  order: RepairOrder;
  call(button: HTMLElement): Promise<void>;
}

/** Busy until the list has been asked for again: until then the card is the old one. */
function CallButton({ order, call }: CallButtonProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mutationKey = ['call', order.key];
  const { isPending, mutate } = useMutation({ mutationKey, mutationFn: call, networkMode: 'always' });
  const isSaving = useIsChanging('calls', order.key) || isPending;
  return (
    <Button
      data-call
      aria-label={t('stages.calls.callOf', { customer: order.customer, number: order.roNumber })}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isSaving || undefined}
      onClick={({ currentTarget }) => {
        // A second press may come before the page shows that the first is on its way.
        if (!isSaving && client.isMutating({ mutationKey }) === 0) mutate(currentTarget);
      }}
      className="shrink-0 max-md:h-11 aria-disabled:opacity-60"
    >
      <Check aria-hidden className="size-4" />
      {t('stages.calls.call')}
    </Button>
  );
}
