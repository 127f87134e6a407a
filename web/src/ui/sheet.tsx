import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';

/** A dialog that comes from the right on wide screens and from below on a phone. Escape and the backdrop close it. */
export function Sheet({
  open,
  close,
  title,
  closeLabel,
  children,
}: {
  open: boolean;
  close: () => void;
  title: string;
  closeLabel: string;
  children: ReactNode;
}) {
  // Nothing here is its trigger: what had the focus when it opened gets it back, or what that was in, should it be gone.
  const openers = useRef<(HTMLElement | null | undefined)[]>([]);
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
          onOpenAutoFocus={() => {
            const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
            openers.current = [opener, opener?.parentElement?.closest<HTMLElement>('[tabindex]')];
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            openers.current.find((one) => one?.isConnected)?.focus({ preventScroll: true });
          }}
          className="sheet fixed inset-y-0 right-0 z-40 w-[min(560px,100vw)] overflow-y-auto border-l border-line bg-raised shadow-pop max-md:inset-x-0 max-md:top-auto max-md:max-h-[88dvh] max-md:w-full max-md:rounded-t-2xl max-md:border-t max-md:border-l-0"
        >
          {/* Inside what scrolls, so that the keyboard has something to hold on to there. */}
          <div className="sticky top-0 z-10 flex items-center justify-between gap-3 border-b border-line bg-raised py-2.5 pr-3 pl-5">
            <Dialog.Title className="text-16 font-semibold">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={closeLabel}>
                <X aria-hidden className="size-[18px]" />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className="px-5 py-4">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
