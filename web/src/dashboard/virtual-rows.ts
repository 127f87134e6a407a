// Which rows of the table are rendered, and where: those in sight, some beyond, and the one with the focus.
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react';

/** Rows drawn beyond those in sight, above and below. */
const OVERSCAN = 5;
/** New rows of one frame. A screenful at once would hold up the next key or turn of the wheel. */
const DRAWN_IN_A_FRAME = 4;
/** New rows of a frame where the list is another one, as after a search: the first come the sooner, the others in larger steps. */
const DRAWN_OF_ANOTHER_LIST = { first: 2, others: 5 };
/** Of the first screenful some are painted at once, and then the rest: nobody types or scrolls yet. */
const DRAWN_FIRST = 5;
/** px of a window that are not the list's: about what the bar and the desk's head take. */
const HEIGHT_BESIDE = 200;

/** The sizes are in px. */
interface VirtualRowsProps {
  /** Which list the rows are: of another one the first rows come sooner. None: it is always the same one. */
  list?: string;
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
  const { list, scroller, keys, rowHeight, headerHeight, foot, focused } = props;
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
  return { virtualizer, rendered: useRenderedRows(virtualizer, list, keys, focused) };
}

/** Rows on the screen stay while they are near. New ones come some in each frame, those in sight first, from the top. */
function useRenderedRows(
  virtualizer: Virtualizer<HTMLElement, Element>,
  list: string | undefined,
  keys: readonly number[],
  focused: number,
): VirtualItem[] {
  const items = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? -1;
  const onScreen = useRef<ReadonlySet<number>>(new Set());
  const isFilled = useRef(false);
  const newest = useRef<{ frame: unknown; keys: ReadonlySet<number> }>({ frame: null, keys: new Set() });
  const drawnList = useRef({ name: list, isFilling: false });
  const [pass, drawMore] = useReducer((passes: number) => passes + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pass has more rows on the screen than the one before
  const [rendered, isComplete] = useMemo(() => {
    const isIn = (drawn: ReadonlySet<number>) => (item: VirtualItem) => drawn.has(keyOf(item, keys));
    const isOnScreen = isIn(onScreen.current);
    const isInSight = ({ index }: VirtualItem) => index >= first && index <= last;
    const added = items.filter((item) => item.index !== focused && !isOnScreen(item));
    const inOrder = [...added.filter(isInSight), ...added.filter((item) => !isInSight(item))];
    // What is committed twice before a frame is laid out and painted together.
    const isSameFrame = newest.current.frame === currentFrame();
    const drawnNow = () => {
      const drawnAlready = isSameFrame ? items.filter(isIn(newest.current.keys)).length : 0;
      return Math.max(0, inThisFrame() - drawnAlready);
    };
    const inThisFrame = () => {
      if (!isFilled.current) return onScreen.current.size === 0 || isSameFrame ? DRAWN_FIRST : inOrder.length;
      if (drawnList.current.name !== list) return DRAWN_OF_ANOTHER_LIST.first;
      return drawnList.current.isFilling ? DRAWN_OF_ANOTHER_LIST.others : DRAWN_IN_A_FRAME;
    };
    const later = new Set(inOrder.slice(drawnNow()));
    return [items.filter((item) => !later.has(item)), later.size === 0] as const;
  }, [items, list, keys, first, last, focused, pass]);
  useLayoutEffect(() => {
    const drawn = new Set(rendered.map((item) => keyOf(item, keys)));
    const added = [...drawn].filter((key) => !onScreen.current.has(key));
    const frame = currentFrame();
    const before = newest.current.frame === frame ? newest.current.keys : [];
    newest.current = { frame, keys: new Set([...before, ...added]) };
    onScreen.current = drawn;
    const isFilling = !isComplete && (drawnList.current.name !== list || drawnList.current.isFilling);
    drawnList.current = { name: list, isFilling };
  }, [rendered, isComplete, list, keys]);
  useEffect(() => {
    if (isComplete) {
      isFilled.current ||= rendered.length > 0;
      return;
    }
    const next = requestAnimationFrame(() => startTransition(drawMore));
    return () => cancelAnimationFrame(next);
  });
  return rendered;
}

function keyOf({ index }: VirtualItem, keys: readonly number[]): number {
  return keys[index] ?? Number.NaN;
}

/** Another one for each frame. */
function currentFrame(): unknown {
  return document.timeline.currentTime;
}

function withIndex(range: number[], index: number): number[] {
  return index < 0 || range.includes(index) ? range : [...range, index].sort((a, b) => a - b);
}
