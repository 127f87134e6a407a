// The states of the list while there is nothing to show or a load has failed.
import { ScrollText, SearchX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailedPanel, Panel, StaleNotice } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface FailedProps {
  reason: string;
  retry(): void;
}

export function FailedList({ reason, retry }: FailedProps) {
  const { t } = useTranslation();
  return (
    <FailedPanel text={t('audit.failed.load')} reason={reason} retryLabel={t('audit.retry')} retry={retry} />
  );
}

/** The list is loaded, but could not be reloaded. */
export function StaleList({ reason, retry }: FailedProps) {
  const { t } = useTranslation();
  return <StaleNotice text={t('audit.stale', { reason })} retryLabel={t('audit.retry')} retry={retry} />;
}

/** The loaded events are right, but the earlier ones failed to load. */
export function FailedEarlier({ reason, retry }: FailedProps) {
  const { t } = useTranslation();
  return (
    <StaleNotice text={t('audit.failed.earlier', { reason })} retryLabel={t('audit.retry')} retry={retry} />
  );
}

/** `clear`: null when nothing narrows the list. */
export function EmptyList({ clear }: { clear: (() => void) | null }) {
  const { t } = useTranslation();
  return (
    <Panel glyph={clear === null ? ScrollText : SearchX}>
      <p role="status" className="text-14 font-medium">
        {clear === null ? t('audit.empty') : t('audit.nothingFound')}
      </p>
      {clear !== null && <Button onClick={clear}>{t('audit.filter.clear')}</Button>}
    </Panel>
  );
}

const ROWS = ['w-40', 'w-56', 'w-44', 'w-52', 'w-36', 'w-48', 'w-60', 'w-32'];

export function LoadingList() {
  const { t } = useTranslation();
  return (
    <div className="rounded-lg border border-line bg-raised">
      <p role="status" className="sr-only">
        {t('audit.loading')}
      </p>
      {ROWS.map((width) => (
        <div
          key={width}
          // The table's columns.
          className="grid h-[34px] grid-cols-[10rem_27%_18%_1fr_11rem] items-center border-b border-line last:border-b-0 max-md:h-24 max-md:grid-cols-1"
        >
          <Skeleton className="mx-4 w-28" />
          <Skeleton className={`mx-2 max-md:mx-4 ${width}`} />
          <Skeleton className="mx-2 w-32 max-md:hidden" />
          <Skeleton className="mx-2 w-40 max-md:hidden" />
          <Skeleton className="mx-2 w-20 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
