// The browsers in which somebody is signed in, and the way to end that.
import { Monitor, Smartphone } from 'lucide-react';
import type { OwnSession as Session } from '../api/account.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { StaleNotice } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface SessionListProps {
  sessions: readonly Session[];
  /** Why they could not be loaded again; else null. */
  failure: Error | null;
  retry(): void;
  busy: boolean;
  end(id: string): void;
}

export function SessionList({ sessions, failure, retry, busy, end }: SessionListProps) {
  const { t } = useTranslation();
  return (
    <>
      {failure !== null && (
        <div className="mb-4">
          <StaleNotice
            text={t('account.sessions.stale', { reason: errorMessage(failure, t) })}
            request={failedRequest(failure, t)}
            retryLabel={t('account.retry')}
            retry={retry}
          />
        </div>
      )}
      {sessions.length === 0 ? (
        <p className="text-14">{t('account.sessions.none')}</p>
      ) : (
        <ul className="-mt-2 flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} busy={busy} end={() => end(session.id)} />
          ))}
        </ul>
      )}
    </>
  );
}

interface SessionRowProps {
  session: Session;
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

export function LoadingSessions() {
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
