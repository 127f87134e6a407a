// The keys of the stage view: arrows lead between cards and columns, and the letters of the list's rows act on the card
// that has the focus.
import type { KeyboardEvent } from 'react';
import { openPicker } from '../repair-order/open-picker.ts';
import { keyActionsOn, type OrderPermissions, type StartAction } from '../repair-order/order-actions.ts';
import { type CardFocus, keyAt } from './card-focus.ts';
import type { ListDetails } from './desk-details.ts';
import {
  actionOf,
  holdKeysForDialog,
  holdKeysForPicker,
  isHandledElsewhere,
  useReturnKeys,
} from './row-keyboard.ts';
import { placeByKey, type StageColumn } from './stage-columns.ts';

export interface CardEvent {
  columns: readonly StageColumn[];
  focus: CardFocus;
  may: OrderPermissions;
  start: StartAction;
  details: ListDetails;
}

/** Handles the key; unknown keys are left to others. */
export function cardKey(event: KeyboardEvent<HTMLElement>, at: CardEvent): void {
  const { target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
  const card = target.closest<HTMLElement>('[data-card]');
  if (card === null || isHandledElsewhere(event.nativeEvent)) return;
  const { columns, focus, details } = at;
  const to = focus.place === null ? null : placeByKey(columns, focus.place, event.key);
  if (to !== null) {
    focus.goTo(to);
    const key = keyAt(columns, to);
    if (key !== null) details.follow(key);
  } else if (!actOn(event.key, target, card, at)) return;
  event.preventDefault();
}

/** From anywhere on the desk: to the card where one was last. */
export function useCardKeysAnywhere({ focus: { place, goTo } }: CardEvent): void {
  useReturnKeys(place === null ? null : () => goTo(place));
}

function actOn(key: string, target: HTMLElement, card: HTMLElement, at: CardEvent): boolean {
  const { columns, focus, may, start, details } = at;
  const row = focus.place === null ? undefined : columns[focus.place.column]?.rows[focus.place.index];
  const link = card.querySelector('a');
  if (row === undefined || row.removal !== null || link === null) return false;
  const { order } = row.cached;
  // The card's buttons handle Enter themselves.
  const action = key === 'Enter' ? (target === link ? 'details' : undefined) : actionOf(key);
  if (action === undefined || !keyActionsOn(order, may).includes(action)) return false;
  switch (action) {
    case 'details':
      details.enter(order.key);
      break;
    case 'status':
    case 'priority':
    case 'stage':
      openPicker({ field: action, order: order.key, anchor: link });
      holdKeysForPicker();
      break;
    default:
      start(action, order.key);
      holdKeysForDialog();
  }
  return true;
}
