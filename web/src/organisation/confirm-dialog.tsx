// Asks before deleting something that others depend on. Enter confirms, Escape cancels.
import { AlertDialog } from 'radix-ui';
import { useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';

interface ConfirmDialogProps {
  title: string;
  detail: string;
  verb: string;
  busy: boolean;
  confirm(): void;
  close(): void;
}

export function ConfirmDialog({ title, detail, verb, busy, confirm, close }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element | null>(null);
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
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            event.preventDefault();
            button.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The element that opened it may be deleted.
            const back =
              opener.current?.isConnected === true
                ? opener.current
                : document.querySelector('[role="dialog"]');
            if (back instanceof HTMLElement) back.focus({ preventScroll: true });
          }}
          className="fade fixed top-1/2 left-1/2 z-50 w-[min(420px,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-xl border border-line bg-raised p-5 shadow-pop"
        >
          <AlertDialog.Title className="text-16 font-semibold break-words">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-13 text-quiet">{detail}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2.5">
            <AlertDialog.Cancel asChild>
              <Button>{t('organisation.cancel')}</Button>
            </AlertDialog.Cancel>
            <Button
              ref={button}
              variant="destructive"
              aria-disabled={busy}
              onClick={confirm}
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
