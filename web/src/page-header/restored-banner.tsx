import { History, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';

/**
 * A banner after the shop's data was restored from a backup while the page was open, until it is dismissed.
 */
export function RestoredBanner() {
  const { t } = useTranslation();
  const [restored, setRestored] = useState(false);
  useEffect(() => onEventLogReset((isRestore) => isRestore && setRestored(true)), []);
  if (!restored) return null;
  return (
    <div
      role="alert"
      className="flex shrink-0 items-center justify-center gap-2.5 border-b border-line bg-stale-tint pr-2 pl-4 text-stale print:hidden"
    >
      <History aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 py-1.5 text-13 max-md:flex-1">
        <span className="text-14 font-semibold">{t('live.restored')}</span> {t('live.restoredHint')}
      </p>
      <IconButton label={t('live.restoredDismiss')} onClick={() => setRestored(false)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
