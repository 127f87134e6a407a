// Which rows of the table are rendered, and where: those in sight, some beyond, and the one with the focus.
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useDeferredValue, useMemo } from 'react';

/** Rows drawn beyond those in sight, above and below. */
const OVERSCAN = 5;
/** px of a window that are not the list's: about what the bar and the desk's head take. */
const HEIGHT_BESIDE = 200;

/** The sizes are in px. */
interface VirtualRowsProps {
  scroller: RefObject<HTMLElement | null>;
  keys: readonly number[];
  rowHeight: number;
  headerHeight: number;
  /** Left free below the last row. */
  foot: number;
  focused: number;
}

export interface VirtualRows {
  virtualizer: Virtualizer<HTMLElement, Element>;
  rendered: readonly VirtualItem[];
}

export function useVirtualRows(props: VirtualRowsProps): VirtualRows {
  const { scroller, keys, rowHeight, headerHeight, foot, focused } = props;
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // The virtualizer lays all rows out anew when this is another function: when their height changes.
    // biome-ignore lint/correctness/useExhaustiveDependencies: for their height
    getItemKey: useCallback((index: number) => index, [rowHeight]),
    scrollPaddingStart: headerHeight,
    scrollPaddingEnd: 1,
    paddingEnd: foot,
    overscan: OVERSCAN,
    // A guess, so that the first render has rows.
    initialRect: { width: 0, height: innerHeight - HEIGHT_BESIDE },
    useFlushSync: false,
    // The row with the focus stays drawn, wherever the list is scrolled to.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), focused),
      [focused],
    ),
  });
  return { virtualizer, rendered: useRenderedRows(virtualizer, keys, focused) };
}

/**
 * Visible rows render at once. The overscan renders when the browser has time, also that of another list, and stays
 * while it is near.
 */
function useRenderedRows(
  virtualizer: Virtualizer<HTMLElement, Element>,
  keys: readonly number[],
  focused: number,
): VirtualItem[] {
  const items = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? -1;
  // As text, which is the same value while they are the same orders. None of it is in the first render.
  const near = keys.slice(Math.max(0, first - OVERSCAN), last + OVERSCAN + 1).join();
  const drawn = useDeferredValue(near, '');
  const drawnKeys = useMemo(() => new Set(drawn.split(',').map(Number)), [drawn]);
  return useMemo(
    () =>
      items.filter(
        ({ index }) =>
          (index >= first && index <= last) || index === focused || drawnKeys.has(keys[index] ?? Number.NaN),
      ),
    [items, keys, first, last, drawnKeys, focused],
  );
}

function withIndex(range: number[], index: number): number[] {
  return index < 0 || range.includes(index) ? range : [...range, index].sort((a, b) => a - b);
}
