// Asks before something that is not easily undone. Cancel has the focus, so that a key pressed once too often does
// nothing; Escape and Back cancel. It knows no language: texts are passed in.
import { AlertDialog } from 'radix-ui';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { useHistoryEntry } from './history-entries.ts';

interface ConfirmDialogProps {
  title: string;
  detail: string;
  verb: string;
  cancelLabel: string;
  /** Red where something is lost. */
  variant?: 'destructive' | 'primary';
  /** While it is true only Back closes the dialog; what was confirmed goes on. */
  busy?: boolean;
  confirm(): void;
  close(): void;
  /** Gets the focus when what opened the dialog is gone; by default the dialog below this one. */
  fallback?: () => HTMLElement | null;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, detail, verb, cancelLabel, variant = 'destructive', busy = false, confirm, close } = props;
  const { fallback = dialogBelow } = props;
  const opener = useRef<Element | null>(null);
  useHistoryEntry(true, close);
  return (
    <AlertDialog.Root
      open
      onOpenChange={(next) => {
        if (!next && !busy) close();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fade fixed inset-0 z-50 bg-black/35" />
        <AlertDialog.Content
          // Radix then focuses Cancel.
          onOpenAutoFocus={() => {
            opener.current = openerOf(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const back = opener.current?.isConnected === true ? opener.current : fallback();
            if (back instanceof HTMLElement) back.focus({ preventScroll: true });
          }}
          className="fade fixed top-1/2 left-1/2 z-50 w-[min(440px,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-xl border border-line bg-raised p-5 shadow-pop"
        >
          <AlertDialog.Title className="text-16 font-semibold break-words">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-13 text-pretty break-words text-quiet">
            {detail}
          </AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2.5">
            <AlertDialog.Cancel asChild>
              <Button>{cancelLabel}</Button>
            </AlertDialog.Cancel>
            <Button
              variant={variant}
              // Not disabled: the focus stays on it.
              aria-disabled={busy}
              onClick={() => {
                if (!busy) confirm();
              }}
              className="aria-disabled:opacity-60"
            >
              {verb}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** A menu is gone when the question is answered: its button is there. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]') ?? null;
  return menu === null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
}

function dialogBelow(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role="dialog"]');
}
