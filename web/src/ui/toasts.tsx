// The toast of the moment. Not a layer as dialogs and menus are: Escape is theirs, whichever came first, and the toast's
// when nobody else has taken it.
import { DismissableLayer } from 'radix-ui/internal';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ToastCard } from './toast-card.tsx';
import { currentToast, dismissToast, onToast } from './toaster.ts';

const HOTKEY = 'F8';

interface ToastsProps {
  /** Names the place where toasts appear, '{hotkey}' in it being the key that jumps there. */
  region: string;
  /** Names a toast. */
  one: string;
  closeLabel: string;
}

export function Toasts({ region, one, closeLabel }: ToastsProps) {
  const toast = useSyncExternalStore(onToast, currentToast);
  const list = useRef<HTMLOListElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const shown = toast?.open === true ? toast : null;
  const shownId = shown?.id;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === HOTKEY) {
        if (!list.current?.contains(document.activeElement)) cameFrom.current = document.activeElement;
        list.current?.focus();
      }
      if (event.key === 'Escape' && !event.defaultPrevented) dismissAndReturn(list.current, cameFrom.current);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  // A button that had the focus and is gone with its toast was never left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another toast is what it is about
  useEffect(() => setHasFocus(list.current?.contains(document.activeElement) ?? false), [shownId]);

  return (
    // A dialog hides from screen readers whatever is beside it, but not what is marked as live, however quiet.
    <div aria-live="off">
      {/* What is done here is not done outside a dialog, which would close it. */}
      <DismissableLayer.Branch
        role="region"
        aria-label={region.replace('{hotkey}', HOTKEY)}
        tabIndex={-1}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
      >
        <ol
          ref={list}
          tabIndex={-1}
          // Dialogs and their buttons are on the right of a wide screen and at the bottom of a phone.
          className="pointer-events-none fixed bottom-4 left-22 z-50 flex w-[min(420px,calc(100vw-1.5rem))] flex-col max-md:top-14 max-md:bottom-auto max-md:left-3 print:hidden"
        >
          {shown !== null && (
            <ToastCard
              key={shown.id}
              toast={shown}
              one={one}
              closeLabel={closeLabel}
              isRead={hasFocus}
              dismiss={() => dismissAndReturn(list.current, cameFrom.current)}
            />
          )}
        </ol>
      </DismissableLayer.Branch>
    </div>
  );
}

/** With the focus back where the key for toasts took it from, before what has it now is gone. */
function dismissAndReturn(list: HTMLElement | null, cameFrom: Element | null): void {
  if (list?.contains(document.activeElement)) {
    list.focus();
    if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus();
  }
  dismissToast(currentToast()?.id ?? 0);
}
