// Keyboard control of the rows. One row is the Tab stop; arrows and letters move between rows and to the controls in
// one, and action keys act on the focused row like its buttons.
import { type KeyboardEvent, useEffect } from 'react';
import { closeDialog, currentDialog } from '../repair-order/open-dialog.ts';
import { closePicker, currentPicker } from '../repair-order/open-picker.ts';
import {
  actionKey,
  keyActionsOn,
  type OrderAction,
  type OrderPermissions,
  orderActions,
  type StartAction,
} from '../repair-order/order-actions.ts';
import { holdKeys } from '../ui/key-hold.ts';
import { isInOverlay, isOverlayOpen, isTyping } from '../ui/keyboard.ts';
import { useNewest } from '../ui/latest.ts';
import { hiddenOf, openBatchDispatch } from './batch-dispatch.ts';
import { focusFirstClosedRow } from './closed-rows.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { clearSelection, selection, toggleSelected } from './selection.ts';

export interface RowEvent {
  rows: readonly FrozenRow[];
  /** The Tab stop's place: the focused row, or the one that was focused last. */
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
  if (goesBelow(event.key, at) && focusFirstClosedRow()) {
    event.preventDefault();
    return;
  }
  if (to !== null) at.goTo(to);
  else if (!goWithinRow(event.key, target) && !actOn(event, target, at)) return;
  event.preventDefault();
}

/** From the last open order the way leads on to the closed ones that were found. */
function goesBelow(key: string, { rows, index }: RowEvent): boolean {
  return (key === 'ArrowDown' || key === 'j') && index === rows.length - 1;
}

/** From anywhere on the desk: to the row where one was last, or on from there. */
export function useRowKeysAnywhere({ rows, index, goTo }: RowEvent): void {
  useReturnKeys(rows.length === 0 ? null : () => goTo(index));
}

/** The keys that lead from anywhere on the desk back into the list. `goBack`: null where there is nothing to go to. */
export function useReturnKeys(goBack: (() => void) | null): void {
  const now = useNewest(goBack);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (!['ArrowDown', 'ArrowUp', 'j', 'k'].includes(event.key)) return;
      if (now.current === null || isHandledElsewhere(event) || isOverlayOpen()) return;
      now.current();
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [now]);
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

/** Right and left go through the row's controls, which are no Tab stops, and back to the row itself. */
function goWithinRow(key: string, target: HTMLElement): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false;
  const row = target.closest<HTMLElement>('[data-key]');
  if (row === null) return false;
  const stops = [row, ...row.querySelectorAll<HTMLElement>('[tabindex="-1"]:not(:disabled)')];
  const to = stops[stops.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)];
  to?.focus();
  return to !== undefined;
}

function actOn(event: KeyboardEvent<HTMLElement>, target: HTMLElement, at: RowEvent): boolean {
  if (dispatchSelected(event.key, at)) return true;
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
  if (action === undefined || !keyActionsOn(order, at.may).includes(action)) return false;
  if (action === 'details') at.openDetails(order.key);
  else startAction(element, action, order.key, at.ask);
  return true;
}

/** The picker at the control; the dialog where the control is hidden. */
export function startAction(
  place: Element,
  action: Exclude<OrderAction, 'details'>,
  order: number,
  ask: StartAction,
): void {
  const control = place.querySelector<HTMLElement>(`[data-opened-by="${action}"]`);
  if (control !== null) {
    control.click();
    holdKeysForPicker();
  } else if (action !== 'status' && action !== 'stage') {
    ask(action, order);
    holdKeysForDialog();
  }
}

/** Of a letter on a row or a card; Enter is its own matter. */
export function actionOf(key: string): OrderAction | undefined {
  return orderActions.find((action) => actionKey[action] === key);
}

/** With orders selected, the key that dispatches one order dispatches them all, wherever the focus is. */
function dispatchSelected(key: string, { rows, may }: Pick<RowEvent, 'rows' | 'may'>): boolean {
  const selected = selection();
  if (key !== actionKey.dispatch || selected.size === 0 || !may.dispatch) return false;
  openBatchDispatch([...selected], hiddenOf(selected, rows));
  holdKeysForDialog();
  return true;
}

/** Some actions are done at once and open none. */
export function holdKeysForDialog(): void {
  const isAwaited = () => currentDialog() !== null;
  if (isAwaited()) holdKeys({ cancel: closeDialog, isAwaited });
}

/** A click on the control of a picker that is open closes it. */
export function holdKeysForPicker(): void {
  const isAwaited = () => currentPicker() !== null;
  if (isAwaited()) holdKeys({ cancel: closePicker, isAwaited });
}

interface DeskKeys extends Pick<RowEvent, 'rows' | 'may'> {
  focusSearch(): void;
  showNow(): void;
}

/** `/` searches, `.` shows the newest order, Escape unticks, D dispatches what is ticked: wherever the focus is. */
export function useDeskKeys({ focusSearch, showNow, rows, may }: DeskKeys): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (isHandledElsewhere(event)) return;
      if (event.key === '/') focusSearch();
      else if (event.key === '.') showNow();
      else if (event.key === 'Escape' && selection().size > 0) clearSelection();
      else if (isOverlayOpen() || !dispatchSelected(event.key, { rows, may })) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [focusSearch, showNow, rows, may]);
}

/** The user is typing, uses a browser shortcut, or a dialog or menu owns the keyboard. */
export function isHandledElsewhere(event: globalThis.KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return true;
  return isInOverlay(event.target) || isTyping(event.target);
}
