// A user's sessions: an owner can end one or all.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http.ts';
import { endSessionOf, endSessionsOf, fetchSessionsOf, type StaffMember } from '../api/users.ts';
import { useFormSubmission } from '../auth/form-submission.ts';
import { LoadingSessions, SessionList } from '../auth/session-list.tsx';
import { errorMessage } from '../i18n/error-message.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/form-field.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { Sheet } from '../ui/sheet.tsx';

const sessionsOf = (id: string) =>
  queryOptions({
    queryKey: ['users', 'sessions', id],
    queryFn: ({ signal }) => fetchSessionsOf(id, signal),
    // An earlier list of sessions is useless.
    gcTime: 0,
  });

export function SessionsSheet({ member, close }: { member: StaffMember; close: () => void }) {
  const { t } = useTranslation();
  const { data: sessions, error, isFetching, refetch } = useQuery(sessionsOf(member.id));
  const { busy, failure, request, end } = useEndSessions(member.id);
  const { email } = member;
  const name = member.name === '' ? email : member.name;
  /** The owner's own sessions, which end on the account page. */
  const isOwn = sessions?.some(({ current }) => current) === true;

  return (
    <Sheet
      open
      close={close}
      title={t('users.sessions.title', { name })}
      closeLabel={t('users.sessions.close')}
      footer={
        sessions !== undefined &&
        sessions.length > 0 &&
        !isOwn && (
          <Button
            disabled={busy}
            onClick={() => end(() => endSessionsOf(member.id))}
            className="max-md:h-11 max-md:w-full"
          >
            {t('account.sessions.everywhere')}
          </Button>
        )
      }
    >
      <p className="mb-5 text-13 text-pretty wrap-anywhere text-quiet">
        {t(isOwn ? 'users.sessions.ownHint' : 'users.sessions.hint', { email })}
      </p>
      {sessions !== undefined ? (
        <SessionList
          sessions={sessions}
          failure={isFetching ? null : error}
          retry={() => void refetch()}
          busy={busy}
          end={(session) => end(() => endSessionOf(member.id, session))}
        />
      ) : error === null ? (
        <LoadingSessions />
      ) : (
        <FailedLine
          text={t('account.sessions.failed')}
          {...failureReason(error, t)}
          retryLabel={t('users.retry')}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      <div className="mt-3">
        <FailureNote text={failure} request={request} />
      </div>
    </Sheet>
  );
}

function useEndSessions(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy, failure, request, run } = useFormSubmission((cause) => errorMessage(cause, t));
  const end = (work: () => Promise<void>) =>
    void run(async () => {
      try {
        await work();
      } catch (cause) {
        // The session is already gone, as intended.
        if (!(cause instanceof ApiError && cause.code === 'unknown-session')) throw cause;
      } finally {
        await client.invalidateQueries(sessionsOf(id));
      }
    });
  return { busy, failure, request, end };
}
