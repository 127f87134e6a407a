import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { useHistoryEntry } from './history-entries.ts';
import { releaseKeys } from './key-hold.ts';
import { isLeftByEscape, LEFT_BY_ESCAPE } from './left-by-escape.ts';
import { isTouchPointer } from './pointer-type.ts';

/** An attribute for a form inside a sheet: Escape closes the form and not the whole sheet. */
export function closeOnEscape(leave: () => void) {
  return {
    [LEFT_BY_ESCAPE]: '',
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape') leave();
    },
  };
}

interface SheetProps {
  open: boolean;
  close: () => void;
  title: string;
  /** What it is about, in a second, quieter line that belongs to its name. */
  subtitle?: string;
  closeLabel: string;
  /** The element that gets the focus first; by default the first focusable one. */
  initialFocus?: () => HTMLElement | null;
  /** Beside the title. */
  tools?: ReactNode;
  /** Stays in view below the scrolling content. */
  footer?: ReactNode;
  /** A narrow panel that leaves most of a wide screen visible: 96 units wide. */
  narrow?: boolean;
  /** It is open because of the address, which has its own entry in the history. */
  inAddress?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  children: ReactNode;
}

/**
 * A dialog that comes from the right on wide screens and from below on a phone. Escape, the backdrop and the browser's
 * Back close it.
 */
export function Sheet(props: SheetProps) {
  const { open, close, initialFocus, footer, narrow = false, inAddress = false, onKeyDown, children } = props;
  useHistoryEntry(open && !inAddress, close);
  const focus = useSheetFocus(initialFocus);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-black/35" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          onEscapeKeyDown={(event) => {
            // Escape ends an edit or a menu inside the sheet first.
            if (isLeftByEscape(event.target)) event.preventDefault();
          }}
          onKeyDown={onKeyDown}
          className={`sheet fixed inset-y-0 right-0 z-40 flex ${narrow ? 'w-96 max-w-full' : 'w-[min(560px,100vw)]'} scroll-pt-16 scroll-pb-20 flex-col overflow-y-auto border-l outline-none border-line bg-raised shadow-pop max-md:inset-x-0 max-md:top-auto max-md:max-h-[88dvh] max-md:w-full max-md:rounded-t-2xl max-md:border-t max-md:border-l-0`}
        >
          <SheetHead {...props} />
          <div className="flex-1 px-5 py-4">{children}</div>
          {footer !== undefined && (
            // Over what stays in sight in the content, such as a list's search field.
            <div className="sticky bottom-0 z-20 flex shrink-0 justify-end gap-2.5 border-t border-line bg-raised px-5 py-3 max-md:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              {footer}
            </div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Inside what scrolls, so that the keyboard has something to hold on to there. */
function SheetHead({
  title,
  subtitle,
  tools,
  closeLabel,
}: Pick<SheetProps, 'title' | 'subtitle' | 'tools' | 'closeLabel'>) {
  return (
    <div className="sticky top-0 z-20 flex shrink-0 items-center justify-between gap-3 border-b border-line bg-raised py-2.5 pr-3 pl-5">
      <Dialog.Title className="min-w-0 flex-1 text-16 font-semibold">
        {subtitle === undefined ? (
          title
        ) : (
          <>
            <span className="block">{title}</span>{' '}
            <span className="block text-13 leading-5 font-normal break-words text-quiet">{subtitle}</span>
          </>
        )}
      </Dialog.Title>
      <div className="flex shrink-0 items-center">
        {tools}
        <Dialog.Close asChild>
          <IconButton label={closeLabel}>
            <X aria-hidden className="size-[18px]" />
          </IconButton>
        </Dialog.Close>
      </div>
    </div>
  );
}

/** The sheet has no trigger: the element that had the focus gets it back, or its container if it is gone. */
function useSheetFocus(initialFocus: SheetProps['initialFocus']) {
  const ref = useRef<HTMLDivElement>(null);
  const openers = useRef<(HTMLElement | null | undefined)[]>([]);
  return {
    ref,
    onOpenAutoFocus: (event: Event) => {
      const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      openers.current = [opener, opener?.parentElement?.closest<HTMLElement>('[tabindex]')];
      // Once the focus is in it.
      queueMicrotask(releaseKeys);
      if (initialFocus === undefined) return;
      event.preventDefault();
      const first = initialFocus();
      // A focused field would open a phone's keyboard over the choices.
      const isWelcome = !(first instanceof HTMLInputElement && isTouchPointer());
      // An element that renders later takes the focus from the dialog itself.
      (isWelcome && first !== null ? first : ref.current)?.focus({ preventScroll: true });
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      openers.current.find((one) => one?.isConnected)?.focus({ preventScroll: true });
    },
  };
}
