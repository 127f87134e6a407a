// What stands in the list's place, or the whole portal's, when there is nothing to show.
import { CircleUserRound, CloudOff, Coffee, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { Skeleton } from '../ui/skeleton.tsx';

export function NoOrders({ own }: { own: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={panel}>
      <Coffee aria-hidden className="size-7 text-quiet" strokeWidth={1.5} />
      <div role="status">
        <p className="text-14 font-medium">{t(own ? 'portal.empty' : 'portal.emptyOther')}</p>
        <p className="mt-1 text-13 text-quiet">{t('portal.emptyHint')}</p>
      </div>
    </div>
  );
}

interface FailedProps {
  reason: string;
  retrying: boolean;
  retry(): void;
}

export function OrdersFailed({ reason, retrying, retry }: FailedProps) {
  const { t } = useTranslation();
  return (
    <div className={panel}>
      <CloudOff aria-hidden className="size-7 text-danger" strokeWidth={1.5} />
      <div role="alert">
        <p className="text-14 font-medium">{t('portal.failed')}</p>
        <p className="mt-1 text-13 text-quiet">{reason}</p>
      </div>
      <Button onClick={retry} disabled={retrying}>
        {t('live.retry')}
      </Button>
    </div>
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

const panel =
  'flex min-h-64 flex-1 flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center';
