// A button that opens a menu or a small dialog beside it, whose code is a part of its own. What is pressed before that is
// loaded opens it as soon as it is there.
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useId, useRef } from 'react';
import { type Part, usePart } from './part.ts';

/** What a part needs to appear at its button. */
export interface Opened {
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  setIsOpen(isOpen: boolean): void;
  /** Whether a key opened it. */
  byKey: RefObject<boolean>;
  arrived(): string;
}

export function useOpener<P>(source: Part<P & { opened: Opened }>, kind: 'menu' | 'dialog') {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const byKey = useRef(false);
  const { Shown, isOpen, setIsOpen, arrived } = usePart(source);
  const isMissing = isOpen && Shown === null;
  useCloseElsewhere(isMissing, button, setIsOpen);

  // Until it is there a second press means the same as the first.
  const press = (key: boolean) => {
    byKey.current = key;
    setIsOpen(!isOpen || isMissing);
  };
  const handlers =
    kind === 'dialog'
      ? { onClick: () => press(false) }
      : {
          onPointerDown: (event: PointerEvent) => {
            if (event.button !== 0 || event.ctrlKey) return;
            // The focus goes into the menu, not to the button.
            if (!isOpen) event.preventDefault();
            press(false);
          },
          onKeyDown: (event: KeyboardEvent) => {
            if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
            event.preventDefault();
            if (event.key !== 'ArrowDown' || !isOpen) press(true);
          },
        };
  return {
    Shown,
    open: () => setIsOpen(true),
    trigger: {
      ref: button,
      id: `${id}button`,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen && !isMissing ? id : undefined,
      'data-state': isOpen ? 'open' : 'closed',
      ...handlers,
    },
    opened: { id, button, isOpen, setIsOpen, byKey, arrived },
  } as const;
}

/** Whoever goes on elsewhere before it is there does not want it any more. */
function useCloseElsewhere(
  isMissing: boolean,
  button: RefObject<HTMLElement | null>,
  setIsOpen: (isOpen: boolean) => void,
): void {
  useEffect(() => {
    if (!isMissing) return;
    const clicked = ({ target }: MouseEvent) => {
      if (!(target instanceof Node && button.current?.contains(target))) setIsOpen(false);
    };
    document.addEventListener('click', clicked, true);
    return () => document.removeEventListener('click', clicked, true);
  }, [isMissing, button, setIsOpen]);
}
