// A tooltip: when it opens, and what is said of it beside its trigger. What draws it (shown-tip.tsx) is a part of the
// page of its own, since a page has dozens of triggers from its start and shows one tooltip at a time, later.
import { Slot } from 'radix-ui';
import {
  type ComponentType,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { part, usePreload } from './part.ts';
import type { ShownTipProps } from './shown-tip.tsx';

const DELAY_MS = 700;
/** Within this time after a tooltip the next one opens without delay. */
const SKIP_DELAY_MS = 300;

const shownTip = part<ShownTipProps>(async () => (await import('./shown-tip.tsx')).ShownTip);

/** Closes the tooltip that is open. */
let closeOpenTip: (() => void) | null = null;
let isDelayed = true;
let delayTimer: ReturnType<typeof setTimeout> | undefined;

interface TipProps {
  text: string;
  detail?: string;
  side?: ShownTipProps['side'];
  /** One element, whose name it says in more words. */
  children: ReactNode;
}

/** A tooltip: `text`, and below it a quieter `detail`. The child says what it is without it, too. */
export function Tip({ text, detail, side = 'bottom', children }: TipProps) {
  const trigger = useRef<HTMLElement>(null);
  const id = useId();
  const { isOpen, open, close } = useTip();
  const Shown = useShownTip(isOpen);
  const handlers = useTriggerHandlers(isOpen && Shown !== null, open, close);
  return (
    <>
      <Slot.Root ref={trigger} {...(isOpen && { 'aria-describedby': id })} {...handlers}>
        {children}
      </Slot.Root>
      {isOpen && Shown !== null && (
        <Shown trigger={trigger} id={id} text={text} detail={detail} side={side} close={close} />
      )}
    </>
  );
}

/** One is open at a time. */
function useTip() {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => {
    if (closeOpenTip === close) {
      closeOpenTip = null;
      delayTimer = setTimeout(() => {
        isDelayed = true;
      }, SKIP_DELAY_MS);
    }
    setIsOpen(false);
  }, []);
  const open = useCallback(() => {
    if (closeOpenTip !== close) closeOpenTip?.();
    closeOpenTip = close;
    clearTimeout(delayTimer);
    isDelayed = false;
    setIsOpen(true);
  }, [close]);
  useEffect(() => close, [close]);
  return { isOpen, open, close };
}

/** Null until it is loaded. */
function useShownTip(isWanted: boolean): ComponentType<ShownTipProps> | null {
  usePreload(shownTip);
  const [Shown, show] = useState(() => shownTip.loaded);
  useEffect(() => {
    if (!isWanted || Shown !== null) return;
    // Without it the page lacks what its triggers say anyway.
    shownTip
      .load()
      .then((loaded) => show(() => loaded))
      .catch(() => undefined);
  }, [isWanted, Shown]);
  return Shown;
}

/** `isShown`: its drawing closes it when the pointer has left both it and its trigger. */
function useTriggerHandlers(isShown: boolean, open: () => void, close: () => void) {
  const isInside = useRef(false);
  const isPressed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const closeNow = () => {
    clearTimeout(timer.current);
    close();
  };
  return {
    onPointerMove: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'touch' || isInside.current) return;
      isInside.current = true;
      clearTimeout(timer.current);
      if (isDelayed) timer.current = setTimeout(open, DELAY_MS);
      else open();
    },
    onPointerLeave: () => {
      isInside.current = false;
      clearTimeout(timer.current);
      if (!isShown) close();
    },
    onPointerDown: () => {
      close();
      isPressed.current = true;
      document.addEventListener('pointerup', () => release(isPressed), { once: true });
    },
    onFocus: () => {
      // A press gives the focus, too.
      if (!isPressed.current) open();
    },
    onBlur: closeNow,
    onClick: closeNow,
  };
}

function release(isPressed: RefObject<boolean>): void {
  isPressed.current = false;
}
