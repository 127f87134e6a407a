import { useEffect, useState } from 'react';
import { addSignOutGuard } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { deleteQueuedMutations } from './mutation-queue.ts';
import { currentOutbox } from './outbox.ts';

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
        mayLeave: () => {
          const waiting = currentOutbox().waiting.length;
          if (waiting === 0) return Promise.resolve(true);
          return new Promise((answer) => setQuestion({ waiting, answer }));
        },
        left: () => deleteQueuedMutations(uid),
      }),
    [uid],
  );
  if (question === null) return null;
  const answer = (confirmed: boolean) => {
    setQuestion(null);
    question.answer(confirmed);
  };
  return (
    <Sheet
      open
      close={() => answer(false)}
      title={t('offline.leaving.title')}
      closeLabel={t('offline.leaving.stay')}
      footer={
        <>
          <Button onClick={() => answer(false)}>{t('offline.leaving.stay')}</Button>
          <Button variant="destructive" onClick={() => answer(true)}>
            {t('offline.leaving.go')}
          </Button>
        </>
      }
    >
      <p className="text-14">{t('offline.leaving.text', { count: question.waiting })}</p>
    </Sheet>
  );
}
