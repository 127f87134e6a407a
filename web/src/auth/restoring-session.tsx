// What a page shows until the server has said who is signed in. While it cannot say, the page tells why and that it asks
// again: whoever reloads a page because something is wrong would else see nothing but a wait.
import { ApiError } from '../api/http.ts';
import { retryRestore, type SessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AuthLayout } from './auth-layout.tsx';

type RestoringSessionProps = Extract<SessionState, { status: 'loading' }>;

export function RestoringSession({ failure, isRetrying }: RestoringSessionProps) {
  const { t } = useTranslation();
  if (failure === undefined) {
    return (
      <main className="grid h-full place-items-center">
        <Spinner label={t('login.restoring')} />
      </main>
    );
  }
  const isUnreachable = failure instanceof ApiError && failure.code === 'network';
  return (
    <AuthLayout
      title={t(isUnreachable ? 'login.serverSilent' : 'login.serverFails')}
      hint={t('login.restoredLater')}
    >
      <div className="mt-6 flex flex-col gap-4">
        <FailureNote text={errorMessage(failure, t)} request={failedRequest(failure, t)} />
        {/* Disabled while it tries it would lose the focus. */}
        <Button variant="primary" onClick={retryRestore} className="h-11 w-full">
          {t(isRetrying === true ? 'login.retrying' : 'login.retryNow')}
        </Button>
      </div>
    </AuthLayout>
  );
}
