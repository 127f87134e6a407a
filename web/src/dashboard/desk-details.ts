// The details on the desk: which order's are open, and how the list and they follow each other.
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { RepairOrder } from '../repair-order/order.ts';
import { type OrderPermissions, useStartAction } from '../repair-order/order-actions.ts';
import type { OpenDetails } from '../repair-order/order-details.tsx';
import { holdKeys } from '../ui/key-hold.ts';
import { isLeftByEscape } from '../ui/left-by-escape.ts';
import { detailsKey } from './details-keys.ts';
import { useSteps } from './details-steps.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { useOpenDetails, useOpenOrder } from './open-details.ts';
import { isHandledElsewhere } from './row-keyboard.ts';
import { useDetailsBeside } from './view-params.ts';

/** ms; beside the list the details follow its keys when these pause. */
const FOLLOW_DELAY_MS = 150;

/** What the list knows of the details; the same object while the same order is open. */
export interface ListDetails {
  /** The order whose details stand beside the list. */
  beside: number | null;
  open(key: number): void;
  /** By key: opens them and keeps the focus; where they are open already, it moves into them. */
  enter(key: number): void;
  /** A key has moved the focus to this order. */
  follow(key: number): void;
}

export interface DeskDetails {
  order: number | null;
  isBeside: boolean;
  pane: RefObject<HTMLElement | null>;
  close(): void;
  list: ListDetails;
}

export function useDeskDetails(): DeskDetails {
  const [order, close] = useOpenOrder();
  const open = useOpenDetails();
  const isBeside = useDetailsBeside();
  const pane = useRef<HTMLElement>(null);
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);
  const beside = isBeside ? order : null;
  const isOpen = beside !== null;
  useEffect(() => {
    if (isOpen) return () => clearTimeout(following.current);
  }, [isOpen]);

  const list = useMemo(
    () => ({
      beside,
      open,
      enter: (key: number) => {
        if (key === beside) pane.current?.focus();
        else {
          holdKeys({ cancel: close });
          open(key);
        }
      },
      follow: (key: number) => {
        clearTimeout(following.current);
        if (beside !== null) following.current = setTimeout(() => open(key), FOLLOW_DELAY_MS);
      },
    }),
    [beside, open, close],
  );
  return { order, isBeside, pane, close, list };
}

/** `rows`: the list as it stands on screen. `shown`: the open order, if it is known. */
export function useDetailsProps(
  { order, isBeside, pane, close, list }: DeskDetails,
  rows: readonly FrozenRow[],
  shown: RepairOrder | undefined,
  may: OrderPermissions,
): OpenDetails {
  const steps = useSteps(rows, order);
  const start = useStartAction();
  const { open } = list;
  useCloseOnEscape(list.beside !== null, close);
  return {
    roNumber: order,
    beside: isBeside,
    pane,
    steps,
    open,
    close,
    returnFocus: () => focusRow(order),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
      detailsKey(event, { order: shown, may, steps, open, start }),
  };
}

/** Wherever the focus is on the desk. To be called after what else Escape does there: that goes first. */
function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || isHandledElsewhere(event) || isLeftByEscape(event.target)) return;
      event.preventDefault();
      close();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [isOpen, close]);
}

/** The order's row, open or closed, or else the list's Tab stop. */
function focusRow(order: number | null): void {
  const row =
    document.querySelector<HTMLElement>(
      `tr[data-key="${order}"], [data-card="${order}"] a, [data-closed-order="${order}"]`,
    ) ?? document.querySelector<HTMLElement>('tr[data-key][tabindex="0"], [data-card] a:not([tabindex])');
  row?.focus({ preventScroll: true });
}
