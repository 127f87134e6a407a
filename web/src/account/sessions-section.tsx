import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, ownSessions } from '../api/account.ts';
import { ApiError } from '../api/http.ts';
import { signOutEverywhere } from '../api/session.ts';
import { useFormSubmission } from '../auth/form-submission.ts';
import { LoadingSessions, SessionList } from '../auth/session-list.tsx';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { accountErrorMessage } from './error-message.ts';
import { Section } from './section.tsx';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => ownSessions(signal),
});

export function SessionsSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const { busy, failure, request, run } = useFormSubmission((error) => accountErrorMessage(error, t));

  const end = (id: string) =>
    run(async () => {
      try {
        await endSession(id);
      } catch (error) {
        // The session is already gone, as intended.
        if (!(error instanceof ApiError && error.code === 'unknown-session')) throw error;
      }
      await client.invalidateQueries(sessionsQuery);
    });
  return (
    <Section title={t('account.sessions.title')} hint={t('account.sessions.hint')}>
      {sessions.isPending ? (
        <LoadingSessions />
      ) : sessions.data === undefined ? (
        <FailedLine
          text={t('account.sessions.failed')}
          {...failureReason(sessions.error, t)}
          retryLabel={t('account.retry')}
          retry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        />
      ) : (
        <SessionList
          sessions={sessions.data}
          failure={sessions.isFetching ? null : sessions.error}
          retry={() => void sessions.refetch()}
          busy={busy}
          end={(id) => void end(id)}
        />
      )}
      <div className="mt-3 flex flex-col gap-3 border-t border-line pt-4">
        <FailureNote text={failure} request={request} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            disabled={busy}
            onClick={() => void run(() => signOutAfterGuards(signOutEverywhere))}
            className="max-md:h-11 max-md:w-full"
          >
            {t('account.sessions.everywhere')}
          </Button>
          <p className="text-13 text-quiet">{t('account.sessions.everywhereHint')}</p>
        </div>
      </div>
    </Section>
  );
}
