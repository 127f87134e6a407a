// The messages above the list after a failure, and the states of the list without content.
import { CircleAlert, SearchX, UsersRound, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailedPanel, Panel, StaleNotice } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface RedBannerProps {
  text: string;
  dismiss(): void;
  /** An action to resolve it. */
  retry?: () => void;
}

export function RedBanner({ text, dismiss, retry }: RedBannerProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 rounded-lg bg-danger-tint py-1 pr-1 pl-3 text-13 text-danger">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <p role="alert" className="min-w-0 flex-1 py-1.5 break-words">
        {text}
      </p>
      {retry !== undefined && (
        <Button onClick={retry} className="h-8 shrink-0">
          {t('users.retry')}
        </Button>
      )}
      <button
        type="button"
        aria-label={t('users.dismiss')}
        onClick={dismiss}
        className="grid size-8 shrink-0 place-items-center rounded-md hover:bg-danger/10 max-md:size-11 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

interface Loaded {
  error: Error | null;
  errorUpdatedAt: number;
  refetch(): unknown;
}

/** Shown until it is dismissed or a load succeeds; a later failure is shown again. */
export function LoadBanner({ loaded, text }: { loaded: Loaded; text: string }) {
  const [dismissed, dismiss] = useState(0);
  if (loaded.error === null || dismissed === loaded.errorUpdatedAt) return null;
  return (
    <RedBanner
      text={text}
      dismiss={() => dismiss(loaded.errorUpdatedAt)}
      retry={() => void loaded.refetch()}
    />
  );
}

/** The list is loaded, but could not be reloaded. */
export function StaleList({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return <StaleNotice text={t('users.stale', { reason })} retryLabel={t('users.retry')} retry={retry} />;
}

export function FailedList({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <FailedPanel text={t('users.failedToLoad')} reason={reason} retryLabel={t('users.retry')} retry={retry} />
  );
}

/** `filter`: the search without a match; '' when there are no users. */
export function EmptyList({ filter, clear }: { filter: string; clear: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel glyph={filter === '' ? UsersRound : SearchX}>
      <div role="status">
        <p className="text-14 font-medium">
          {filter === '' ? t('users.empty') : t('users.nobodyFound', { text: filter })}
        </p>
        {filter === '' && <p className="mt-1 text-13 text-quiet">{t('users.emptyHint')}</p>}
      </div>
      {filter !== '' && <Button onClick={clear}>{t('users.clearFilter')}</Button>}
    </Panel>
  );
}

const ROWS = ['w-40', 'w-32', 'w-44', 'w-36', 'w-48', 'w-28'];

export function LoadingList() {
  const { t } = useTranslation();
  return (
    <div className="rounded-lg border border-line bg-raised">
      <p role="status" className="sr-only">
        {t('users.loading')}
      </p>
      {ROWS.map((width) => (
        <div
          key={width}
          // The table's columns.
          className="grid h-12 grid-cols-[1fr_30%_16%_11rem_8rem] items-center border-b border-line last:border-b-0 max-md:h-28 max-md:grid-cols-[1fr_auto]"
        >
          <div className="flex flex-col gap-2 pl-4 max-md:pl-3">
            <Skeleton className={width} />
            <Skeleton className="h-2.5 w-48" />
          </div>
          <Skeleton className="mx-2 w-24 max-md:hidden" />
          <Skeleton className="mx-2 w-8 max-md:hidden" />
          <Skeleton className="mx-2 w-16" />
        </div>
      ))}
    </div>
  );
}
