// What stands in the list's place while there is nothing to show.
import { CloudOff, ScrollText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function FailedList({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <CloudOff aria-hidden className="size-7 text-danger" strokeWidth={1.5} />
      <div role="alert">
        <p className="text-14 font-medium">{t('audit.failed.load')}</p>
        <p className="mt-1 text-13 text-quiet">{reason}</p>
      </div>
      <Button onClick={retry}>{t('audit.retry')}</Button>
    </Panel>
  );
}

/** `clear`: null when nothing narrows the list. */
export function EmptyList({ clear }: { clear: (() => void) | null }) {
  const { t } = useTranslation();
  const Glyph = clear === null ? ScrollText : SearchX;
  return (
    <Panel>
      <Glyph aria-hidden className="size-7 text-quiet" strokeWidth={1.5} />
      <p role="status" className="text-14 font-medium">
        {clear === null ? t('audit.empty') : t('audit.nothingFound')}
      </p>
      {clear !== null && <Button onClick={clear}>{t('audit.filter.clear')}</Button>}
    </Panel>
  );
}

const ROWS = ['w-40', 'w-56', 'w-44', 'w-52', 'w-36', 'w-48', 'w-40', 'w-56'];

export function LoadingList() {
  const { t } = useTranslation();
  return (
    <div className="rounded-lg border border-line bg-raised">
      <p role="status" className="sr-only">
        {t('audit.loading')}
      </p>
      {ROWS.map((width, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: bars that never move
          key={place}
          // The table's columns.
          className="grid h-[34px] grid-cols-[10rem_26%_22%_1fr_9rem] items-center border-b border-line last:border-b-0 max-md:h-24 max-md:grid-cols-1"
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

function Panel({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-56 flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center">
      {children}
    </div>
  );
}
