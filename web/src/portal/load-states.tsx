// What stands in the list's place, or the whole portal's, when there is nothing to show.
import { CircleUserRound, Coffee, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { FailedPanel, MessagePanel } from '../ui/panel.tsx';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const PANEL_SIZE = 'min-h-64 flex-1';

export function NoOrders({ own }: { own: boolean }) {
  const { t } = useTranslation();
  return (
    <MessagePanel
      glyph={Coffee}
      text={t(own ? 'portal.empty' : 'portal.emptyOther')}
      hint={t('portal.emptyHint')}
      className={PANEL_SIZE}
    />
  );
}

interface FailedProps {
  reason: string;
  request: FailedRequest | null;
  retrying: boolean;
  retry(): void;
}

export function OrdersFailed(failed: FailedProps) {
  const { t } = useTranslation();
  return (
    <FailedPanel text={t('portal.failed')} retryLabel={t('live.retry')} className={PANEL_SIZE} {...failed} />
  );
}

export function OrdersLoading() {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 gap-2 md:grid-cols-2">
      <p role="status" className="appear-late text-13 text-quiet md:col-span-2">
        {t('portal.loading')}
      </p>
      {['a', 'b', 'c', 'd'].map((one) => (
        <div key={one} className="flex flex-col gap-3 rounded-lg border border-line bg-raised p-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-56" />
          <Skeleton className="w-24" />
          <Skeleton className="mt-2 h-10 w-full" />
        </div>
      ))}
    </div>
  );
}

export function UnknownTechnician({ number }: { number: string }) {
  const { t } = useTranslation();
  return (
    <EmptyPage
      glyph={<UserRoundX aria-hidden className="size-8 text-quiet" strokeWidth={1.5} />}
      title={t('portal.unknown', { number })}
      hint={t('portal.unknownHint')}
    />
  );
}

export function NotLinked() {
  const { t } = useTranslation();
  return (
    <EmptyPage
      glyph={<CircleUserRound aria-hidden className="size-8 text-quiet" strokeWidth={1.5} />}
      title={t('portal.unlinked')}
      hint={t('portal.unlinkedHint')}
    />
  );
}

function EmptyPage({ glyph, title, hint }: { glyph: ReactNode; title: string; hint: string }) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <main className="grid flex-1 place-content-center justify-items-center gap-4 p-6 text-center">
      {glyph}
      <div className="max-w-96">
        <h1 className="text-16 font-semibold">{title}</h1>
        <p className="mt-1.5 text-13 text-quiet">{hint}</p>
      </div>
      <Link
        to="/"
        className="inline-flex h-11 items-center rounded-md border border-line bg-raised px-4 text-14 font-medium hover:bg-sunken"
      >
        {t('portal.back')}
      </Link>
    </main>
  );
}
