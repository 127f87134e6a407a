// What stands in the levels' place while there are none to show, and what is said above them when they may be old.
import { CloudOff, Lock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Failed({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel glyph={CloudOff} ink="text-danger">
      <div role="alert">
        <p className="text-14 font-medium">{t('organisation.failed.load')}</p>
        <p className="mt-1 text-13 text-quiet">{reason}</p>
      </div>
      <Button onClick={retry}>{t('organisation.retry')}</Button>
    </Panel>
  );
}

/** It is here, but could not be loaded again. */
export function Stale({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 rounded-lg bg-stale-tint py-1 pr-1 pl-3 text-13 text-stale">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <p role="status" className="min-w-0 flex-1 py-1.5">
        {t('organisation.stale', { reason })}
      </p>
      <Button onClick={retry} className="h-8 shrink-0">
        {t('organisation.retry')}
      </Button>
    </div>
  );
}

export function NotPermitted() {
  const { t } = useTranslation();
  return (
    <Panel glyph={Lock}>
      <div>
        <p className="text-14 font-medium">{t('organisation.notPermitted')}</p>
        <p className="mt-1 text-13 text-quiet">{t('organisation.notPermittedHint')}</p>
      </div>
      <Link to="/dashboard" className="rounded-sm text-14 font-medium text-accent underline">
        {t('organisation.toDesk')}
      </Link>
    </Panel>
  );
}

const LEVELS = [3, 5, 4];

export function Loading() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2.5">
      <p role="status" className="sr-only">
        {t('organisation.loading')}
      </p>
      {LEVELS.map((technicians) => (
        <div key={technicians} className="skeleton rounded-lg border border-line bg-raised p-3">
          <Skeleton className="w-32" />
          <div className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-1.5">
            {Array.from({ length: technicians }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
              <Skeleton key={at} className="h-13 w-full" />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

interface PanelProps {
  glyph: LucideIcon;
  ink?: string;
  children: ReactNode;
}

function Panel({ glyph: Glyph, ink = 'text-quiet', children }: PanelProps) {
  return (
    <div className="flex min-h-56 flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center">
      <Glyph aria-hidden className={`size-7 ${ink}`} strokeWidth={1.5} />
      {children}
    </div>
  );
}
