// The current toast. It is not a layer like dialogs and menus: they handle Escape first, and the toast handles it
// when nobody else has.
import { DismissableLayer } from 'radix-ui/internal';
import { useEffect, useRef, useState } from 'react';
import { ToastCard } from './toast-card.tsx';
import { currentToast, dismissToast, useToast } from './toaster.ts';

const HOTKEY = 'F8';

interface ToastsProps {
  /** The name of the toast region; '{hotkey}' is replaced by the key that moves the focus there. */
  region: string;
  /** The name of a toast. */
  one: string;
  closeLabel: string;
}

export function Toasts({ region, one, closeLabel }: ToastsProps) {
  const toast = useToast();
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

  // The browser sends no blur event when a focused button disappears with its toast.
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
          // Dialogs and their buttons are on the right of a wide screen and at the bottom of a phone. At the very edge, where
          // it covers the least of a list's last rows; on a phone over the navigation bar, so that banners, the page's heading
          // and a dialog's stay in sight.
          className="pointer-events-none fixed bottom-1.5 left-22 z-50 flex w-[min(420px,calc(100vw-1.5rem))] flex-col max-md:top-0.5 max-md:bottom-auto max-md:left-3 print:hidden"
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

/** Returns the focus to where the hotkey took it from, before the focused element is gone. */
function dismissAndReturn(list: HTMLElement | null, cameFrom: Element | null): void {
  if (list?.contains(document.activeElement)) {
    list.focus();
    if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus();
  }
  dismissToast(currentToast()?.id ?? 0);
}
