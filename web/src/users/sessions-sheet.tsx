// A user's sessions: an owner can end one or all.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http.ts';
import { endSessionOf, endSessionsOf, fetchSessionsOf, type StaffMember } from '../api/users.ts';
import { FailureNote } from '../auth/form-field.tsx';
import { useFormSubmission } from '../auth/form-submission.ts';
import { LoadingSessions, SessionList } from '../auth/session-list.tsx';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
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
  const client = useQueryClient();
  const query = sessionsOf(member.id);
  const { data: sessions, error, isFetching, refetch } = useQuery(query);
  const { busy, failure, run } = useFormSubmission((cause) => errorMessage(cause, t));
  const { email } = member;
  const name = member.name === '' ? email : member.name;
  /** The owner's own sessions, which end on the account page. */
  const isOwn = sessions?.some(({ current }) => current) === true;

  const change = (work: () => Promise<void>) =>
    void run(async () => {
      try {
        await work();
      } catch (cause) {
        // The session is already gone, as intended.
        if (!(cause instanceof ApiError && cause.code === 'unknown-session')) throw cause;
      } finally {
        await client.invalidateQueries(query);
      }
    });
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
            onClick={() => change(() => endSessionsOf(member.id))}
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
          end={(session) => change(() => endSessionOf(member.id, session))}
        />
      ) : error === null ? (
        <LoadingSessions />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p role="alert" className="flex-1 text-13">
            <span className="font-medium">{t('account.sessions.failed')}</span>
            <span className="block text-quiet">{errorMessage(error, t)}</span>
          </p>
          <Button onClick={() => void refetch()} disabled={isFetching} className="max-md:h-11">
            {t('users.retry')}
          </Button>
        </div>
      )}
      <div className="mt-3">
        <FailureNote text={failure} />
      </div>
    </Sheet>
  );
}
