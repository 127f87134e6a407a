import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { endSession, type OwnSession, ownSessions } from '../api/account.ts';
import { ApiError } from '../api/http.ts';
import { signOutEverywhere } from '../api/session.ts';
import { useAttempt } from '../auth/attempt.ts';
import { Failure } from '../auth/field.tsx';
import { leave } from '../auth/leave.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LoadFailed } from './load-failed.tsx';
import { Section } from './section.tsx';
import { accountSentence } from './sentence.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => ownSessions(signal),
});

export function SessionsSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const { busy, failure, run } = useAttempt((error) => accountSentence(error, t));

  const end = (id: string) =>
    run(async () => {
      try {
        await endSession(id);
      } catch (error) {
        // Gone is what it was to be.
        if (!(error instanceof ApiError && error.code === 'unknown-session')) throw error;
      }
      await client.invalidateQueries(sessionsQuery);
    });
  return (
    <Section title={t('account.sessions.title')} hint={t('account.sessions.hint')}>
      {sessions.isPending ? (
        <Loading />
      ) : sessions.data === undefined ? (
        <LoadFailed text={t('account.sessions.failed')} query={sessions} />
      ) : (
        <ul className="-mt-2 flex flex-col divide-y divide-line">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} busy={busy} end={() => void end(session.id)} />
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-col gap-3 border-t border-line pt-4">
        <Failure text={failure} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            disabled={busy}
            onClick={() => void run(() => leave(signOutEverywhere))}
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

interface SessionRowProps {
  session: OwnSession;
  busy: boolean;
  end(): void;
}

function SessionRow({ session, busy, end }: SessionRowProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const browser = session.browser ?? t('account.sessions.unknown');
  const Glyph = /android|iphone|ipad|mobile/i.test(browser) ? Smartphone : Monitor;
  const usedAt = Date.parse(session.lastUsedAt);
  const signedInAt = Date.parse(session.createdAt);
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <Glyph aria-hidden className="size-5 shrink-0 text-quiet" strokeWidth={1.75} />
      <p className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="text-14 font-medium">{browser}</span>
          {session.current && (
            <span className="rounded-sm bg-accent-tint px-1.5 py-px text-12 font-medium text-accent">
              {t('account.sessions.current')}
            </span>
          )}
        </span>
        <span className="flex flex-wrap gap-x-2 text-13 text-quiet">
          <span className="font-mono text-12 leading-[1.125rem] wrap-anywhere">{session.address}</span>
          <span
            title={`${clock.full(usedAt)}\n${t('account.sessions.signedIn', { time: clock.full(signedInAt) })}`}
          >
            {t('account.sessions.lastUsed', { time: clock.short(usedAt) })}
          </span>
        </span>
      </p>
      {!session.current && (
        <Button
          disabled={busy}
          onClick={end}
          aria-label={t('account.sessions.endNamed', { browser, address: session.address ?? '' })}
          className="h-8 max-md:h-11"
        >
          {t('account.sessions.end')}
        </Button>
      )}
    </li>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-4 py-2">
      <span className="sr-only">{t('account.sessions.loading')}</span>
      {['w-32', 'w-44'].map((width) => (
        <span key={width} className="flex flex-col gap-2">
          <Skeleton className={width} />
          <Skeleton className="w-56" />
        </span>
      ))}
    </div>
  );
}
