// Selecting orders on the tab Unassigned: the checkbox of a row, of all rows, and the actions on the selection.
import { X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { openDialog } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { clearSelection, toggleAll, toggleRange, toggleSelected } from './selection.ts';

/** The whole cell is the target; the box in it is small. */
const target =
  'grid size-full cursor-pointer place-items-center max-md:size-11 has-[:focus-visible]:rounded-md';
const box = 'size-4 cursor-pointer accent-accent max-md:size-5 pointer-coarse:size-5';

export function SelectOrder({
  order,
  selected,
  onScreen,
}: {
  order: RepairOrder;
  selected: boolean;
  /** The keys in the order they stand on screen. */
  onScreen: () => readonly number[];
}) {
  const { t } = useTranslation();
  // A click on the label triggers a second click on the checkbox, which may lack the modifier key.
  const shift = useRef(false);
  const begin = (event: KeyboardEvent | MouseEvent) => {
    shift.current = event.shiftKey;
    // Otherwise a range selection would also select the text between its ends.
    if (event.type === 'mousedown' && event.shiftKey) event.preventDefault();
  };
  return (
    <label onMouseDown={begin} onKeyDown={begin} className={target}>
      <input
        type="checkbox"
        checked={selected}
        onChange={() => (shift.current ? toggleRange(order.key, onScreen()) : toggleSelected(order.key))}
        aria-label={t('table.select', { number: order.roNumber })}
        className={box}
      />
    </label>
  );
}

export function SelectAll({ keys, selected }: { keys: readonly number[]; selected: ReadonlySet<number> }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const count = keys.filter((key) => selected.has(key)).length;
  const some = count > 0 && count < keys.length;
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = some;
  }, [some]);
  return (
    <label className={target}>
      <input
        ref={input}
        type="checkbox"
        checked={count > 0 && !some}
        onChange={() => toggleAll(keys)}
        aria-label={t('table.selectAll')}
        className={box}
      />
    </label>
  );
}

/** Over the foot of the list, so that ticking the first order moves no row. */
export function SelectionBar({ keys }: { keys: readonly number[] }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t('table.selected', { number: keys.length })}
      className="fade absolute inset-x-0 bottom-7 z-30 mx-auto flex w-fit max-w-[calc(100%-1rem)] items-center gap-3 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-pop max-md:bottom-2"
    >
      <p role="status" className="text-13 font-medium whitespace-nowrap">
        {t('table.selected', { number: keys.length })}
      </p>
      <Button
        variant="primary"
        className="max-md:h-11 pointer-coarse:h-11"
        onClick={() => openDialog({ kind: 'dispatch', orders: keys })}
      >
        {t('table.batchDispatch')}
      </Button>
      <IconButton
        label={t('table.clearSelection')}
        title={t('table.clearSelection')}
        onClick={clearSelection}
        className="pointer-coarse:size-11"
      >
        <X aria-hidden className="size-[18px]" />
      </IconButton>
    </section>
  );
}
