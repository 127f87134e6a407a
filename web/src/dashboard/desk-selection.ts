// The ticked orders of the desk, as the tab and the orders on it allow them.
import { useEffect, useMemo } from 'react';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { clearSelection, keepSelected, useSelection } from './selection.ts';

/**
 * The ticked orders that are still unassigned; null where none can be ticked. Leaving the tab unticks them. `open`
 * null: the list is loading.
 */
export function useDeskSelection(
  selectable: boolean,
  open: ReadonlyMap<number, OpenOrder> | null,
): ReadonlySet<number> | null {
  const ticked = useSelection();
  const selected = useMemo(() => {
    if (open === null) return ticked;
    const isStillThere = (key: number) => open.get(key)?.order.technician === '';
    return [...ticked].every(isStillThere) ? ticked : new Set([...ticked].filter(isStillThere));
  }, [ticked, open]);

  useEffect(() => {
    keepSelected((key) => selected.has(key));
  }, [selected]);
  useEffect(() => (selectable ? clearSelection : undefined), [selectable]);
  return selectable ? selected : null;
}
