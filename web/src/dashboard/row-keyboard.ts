// Keyboard control of the rows. One row is the Tab stop; arrows and letters move between rows, and action keys act on
// the focused row like its buttons.
import { type KeyboardEvent, useEffect } from 'react';
import {
  actionKey,
  actionsOn,
  type OrderAction,
  type OrderPermissions,
  orderActions,
  type StartAction,
} from '../repair-order/order-actions.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { clearSelection, selection, toggleSelected } from './selection.ts';

interface RowEvent {
  rows: readonly FrozenRow[];
  /** The focused row's place. */
  index: number;
  /** How many rows a page has. */
  page(): number;
  may: OrderPermissions;
  selectable: boolean;
  ask: StartAction;
  goTo(index: number): void;
  openDetails(key: number): void;
}

/** Handles the key; unknown keys are left to others. */
export function rowKey(event: KeyboardEvent<HTMLElement>, at: RowEvent): void {
  const target = event.target instanceof HTMLElement ? event.target : null;
  // A menu that a row opened is rendered elsewhere and handles its own keys.
  if (target === null || !event.currentTarget.contains(target) || isHandledElsewhere(event.nativeEvent))
    return;

  const to = destination(event.key, at);
  if (to !== null) at.goTo(to);
  else if (!actOn(event, target, at)) return;
  event.preventDefault();
}

function destination(key: string, { rows, index, page }: RowEvent): number | null {
  const last = rows.length - 1;
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    j: index + 1,
    ArrowUp: index - 1,
    k: index - 1,
    PageDown: index + page(),
    PageUp: index - page(),
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), last);
}

function actOn(event: KeyboardEvent<HTMLElement>, target: HTMLElement, at: RowEvent): boolean {
  const row = at.rows[at.index];
  const element = target.closest<HTMLElement>('[data-key]');
  if (row === undefined || row.removal !== null || element === null) return false;
  const { order } = row.cached;

  // Buttons, links and checkboxes in the row handle Enter and Space themselves.
  const onRow = target === element;
  if (event.key === 'x' || (event.key === ' ' && onRow)) {
    if (at.selectable) toggleSelected(order.key);
    // Space would scroll.
    return at.selectable || event.key === ' ';
  }
  const action = event.key === 'Enter' ? (onRow ? 'details' : undefined) : actionOf(event.key);
  if (action === undefined || !actionsOn(order, at.may).includes(action)) return false;
  if (action === 'details') at.openDetails(order.key);
  else if (action === 'status') element.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
  else at.ask(action, order.key);
  return true;
}

function actionOf(key: string): OrderAction | undefined {
  return orderActions.find((action) => actionKey[action] === key);
}

/** `/` searches, `.` shows the newest order, Escape unticks: wherever the focus is on the desk. */
export function useDeskKeys(focusSearch: () => void, showNow: () => void): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (isHandledElsewhere(event)) return;
      if (event.key === '/') focusSearch();
      else if (event.key === '.') showNow();
      else if (event.key === 'Escape' && selection().size > 0) clearSelection();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [focusSearch, showNow]);
}

/** The user is typing, uses a browser shortcut, or a dialog or menu owns the keyboard. */
function isHandledElsewhere(event: globalThis.KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
