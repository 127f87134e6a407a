// Selecting orders on the tab Unassigned: the checkbox of a row, of all rows, and the actions on the selection.
import { EyeOff, UserPlus, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useScreenTool } from '../ui/screen-tools.ts';
import { openBatchDispatch } from './batch-dispatch.ts';
import { useControlTabIndex } from './row-controls.ts';
import { clearSelection, deselect, toggleAll, toggleRange, toggleSelected } from './selection.ts';

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
  const tabIndex = useControlTabIndex();
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
        tabIndex={tabIndex}
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

interface SelectionBarProps {
  keys: readonly number[];
  /** Those of them that the search or a filter hides. */
  hidden: readonly number[];
  /** Drops the search and the filters. */
  showHidden(): void;
}

/** Over the foot of the list, so that ticking the first order moves no row. */
export function SelectionBar({ keys, hidden, showHidden }: SelectionBarProps) {
  const { t } = useTranslation();
  const dispatch = () => openBatchDispatch(keys, hidden);
  const batch = t('decision.dispatch.batchTitle', { n: keys.length });
  useScreenTool(
    { id: 'batch-dispatch', glyph: UserPlus, text: batch, keys: 'D', isAboutSelection: true },
    dispatch,
  );
  return (
    <section
      aria-label={t('table.selected', { count: keys.length })}
      className={`fade absolute inset-x-0 bottom-7 z-30 mx-auto flex w-fit max-w-[calc(100%-1rem)] flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-pop max-md:bottom-2 max-md:gap-x-1.5 max-md:pl-3 ${hidden.length > 0 ? '' : 'max-md:flex-nowrap'}`}
    >
      <div
        role="status"
        className={`flex flex-wrap items-center gap-x-2 text-13 font-medium ${hidden.length > 0 ? 'max-md:basis-[calc(100%-4rem)]' : ''}`}
      >
        {/* In two lines rather than that the last button falls into a second one. */}
        <p className="md:whitespace-nowrap">{t('table.selected', { count: keys.length })}</p>
        {hidden.length > 0 && (
          <p className="flex items-center gap-1.5 whitespace-nowrap text-stale">
            <EyeOff aria-hidden className="size-4 shrink-0" />
            {t('table.notShown', { number: hidden.length })}
          </p>
        )}
      </div>
      {hidden.length > 0 && (
        // A phone has no room for these beside the rest: they come first in a second line.
        <div className="flex items-center max-md:order-1">
          <button type="button" onClick={showHidden} className={textButton}>
            {t('table.showHidden')}
          </button>
          <button type="button" onClick={() => deselect(hidden)} className={textButton}>
            {t('table.dropHidden')}
          </button>
        </div>
      )}
      <Button
        variant="primary"
        className={`max-md:h-11 max-md:shrink-0 max-md:px-3 pointer-coarse:h-11 ${hidden.length > 0 ? 'max-md:order-1' : ''}`}
        onClick={dispatch}
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

const textButton =
  'h-9 rounded-md px-2.5 text-13 font-semibold text-accent hover:bg-accent-tint max-md:h-11 pointer-coarse:h-11';
