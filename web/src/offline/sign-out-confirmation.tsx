import { useEffect, useState } from 'react';
import { addSignOutGuard } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { afterClosing } from '../ui/history-entries.ts';
import { deleteQueuedMutations } from './mutation-queue.ts';
import { callersAnswered, currentOutbox } from './outbox.ts';

interface SignOutQuestion {
  waiting: number;
  answer(confirmed: boolean): void;
}

/** Asks before a sign-out that would lose unsent changes. */
export function SignOutConfirmation() {
  const { t } = useTranslation();
  const { uid } = useUser();
  const [question, setQuestion] = useState<SignOutQuestion | null>(null);
  useEffect(
    () =>
      addSignOutGuard({
        mayLeave: async () => {
          await callersAnswered();
          const waiting = currentOutbox().waiting.length;
          if (waiting === 0) return true;
          return new Promise<boolean>((answer) => setQuestion({ waiting, answer }));
        },
        left: () => deleteQueuedMutations(uid),
      }),
    [uid],
  );
  if (question === null) return null;
  const answer = (confirmed: boolean) => {
    setQuestion(null);
    // The sign-out leads to another screen.
    afterClosing(() => question.answer(confirmed));
  };
  return (
    <ConfirmDialog
      title={t('offline.leaving.title')}
      detail={t('offline.leaving.text', { count: question.waiting })}
      verb={t('offline.leaving.go')}
      cancelLabel={t('offline.leaving.stay')}
      confirm={() => answer(true)}
      close={() => answer(false)}
    />
  );
}
