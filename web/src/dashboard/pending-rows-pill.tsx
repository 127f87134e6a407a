import { ListRestart } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { PendingRows } from './frozen-row-order.ts';

const kinds = ['coming', 'moved', 'going'] as const;

/** Rows are held in their place: says what has changed meanwhile, and shows it on demand. A hand at it holds them, too. */
export function PendingRowsPill({ waiting, showNow }: { waiting: PendingRows; showNow: () => void }) {
  const { t } = useTranslation();
  const counts = kinds
    .filter((kind) => waiting[kind] > 0)
    .map((kind) => t(`table.${kind}`, { number: waiting[kind] }))
    .join(', ');
  return (
    <div
      data-holds
      className="appear-soon flex h-8 items-center gap-2 rounded-full border border-accent bg-accent-tint pr-0.5 pl-3 text-13 shadow-pop max-md:h-11 pointer-coarse:h-11"
    >
      <ListRestart aria-hidden className="size-4 shrink-0 text-accent" />
      <p role="status" className="min-w-0 truncate font-medium">
        {t('table.waiting')}
      </p>
      <span className="whitespace-nowrap text-quiet">{counts}</span>
      <button
        type="button"
        aria-keyshortcuts="."
        onClick={showNow}
        className="flex h-6.5 shrink-0 items-center gap-1.5 rounded-full bg-raised px-3 font-medium text-accent hover:bg-sunken max-md:h-11 pointer-coarse:h-11"
      >
        {t('table.showNow')}
        <kbd
          aria-hidden
          className="rounded-sm border border-line px-1 font-mono text-12 text-quiet max-md:hidden pointer-coarse:hidden"
        >
          .
        </kbd>
      </button>
    </div>
  );
}
