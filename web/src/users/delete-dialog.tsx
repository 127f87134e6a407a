// Asks before deleting a user. Enter confirms, Escape cancels.
import { AlertDialog } from 'radix-ui';
import { useRef, useState } from 'react';
import type { StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';

interface DeleteDialogProps {
  member: StaffMember;
  remove(member: StaffMember): Promise<unknown>;
  close(): void;
  /** Gets the focus when what opened the dialog is gone. */
  fallback(): HTMLElement | null;
}

export function DeleteDialog({ member, remove, close, fallback }: DeleteDialogProps) {
  const { t } = useTranslation();
  const verb = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element | null>(null);
  const [busy, setBusy] = useState(false);

  const confirmDelete = async () => {
    if (busy) return;
    setBusy(true);
    await remove(member);
    close();
  };
  return (
    <AlertDialog.Root
      open
      onOpenChange={(next) => {
        if (!next && !busy) close();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fade fixed inset-0 z-40 bg-black/35" />
        <AlertDialog.Content
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            event.preventDefault();
            verb.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const back = opener.current?.isConnected === true ? opener.current : fallback();
            if (back instanceof HTMLElement) back.focus({ preventScroll: true });
          }}
          className="fade fixed top-1/2 left-1/2 z-40 w-[min(440px,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-xl border border-line bg-raised p-5 shadow-pop"
        >
          <AlertDialog.Title className="text-16 font-semibold break-words">
            {t('users.delete.title', { email: member.email })}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-13 text-quiet">
            {t('users.delete.detail')}
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2.5">
            <AlertDialog.Cancel asChild>
              <Button>{t('users.delete.cancel')}</Button>
            </AlertDialog.Cancel>
            <Button
              ref={verb}
              variant="destructive"
              aria-disabled={busy}
              onClick={() => void confirmDelete()}
              className="aria-disabled:opacity-60"
            >
              {busy ? t('users.delete.doing') : t('users.delete.verb')}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
