// Dispatching the ticked orders together, by the button and by the key: the dialog lists those that the list hides.
import { openDialog } from '../repair-order/open-dialog.ts';
import type { FrozenRow } from './frozen-row-order.ts';

export function openBatchDispatch(orders: readonly number[], hidden: readonly number[]): void {
  openDialog({ kind: 'dispatch', orders, ...(hidden.length > 0 && { hidden }) });
}

/** The selected orders that are not among the rows. */
export function hiddenOf(selected: ReadonlySet<number>, rows: readonly FrozenRow[]): number[] {
  if (selected.size === 0) return [];
  const shown = new Set(rows.map(({ cached }) => cached.order.key));
  return [...selected].filter((key) => !shown.has(key));
}
